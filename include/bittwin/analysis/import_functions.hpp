// SPDX-License-Identifier: Apache-2.0
// How a vendor's dump is imported: compiled once, with bittwin::analysis.
#pragma once

#include <bittwin/analysis/dump_writer.hpp>
#include <bittwin/analysis/import.hpp>
#include <bittwin/analysis/importer.hpp>
#include <utility>

namespace bittwin::analysis::inline v1 {

result<imported_dump> import_dump(const std::filesystem::path& folder,
                                  const import_settings& settings) {
  return detail::importer(settings).run(folder);
}

status write_import(const imported_dump& from, const graph::model& m,
                    const std::filesystem::path& folder, std::string tool_version) {
  result<dump_writer> writer = dump_writer::create(folder, m, "imported", std::move(tool_version));
  if (!writer) return writer.error();
  for (const imported_tensor& t : from.found)
    if (status added = writer->add(t.tensor, t.values, t.board); !added) return added;
  return writer->finish();
}

}  // namespace bittwin::analysis::inline v1
