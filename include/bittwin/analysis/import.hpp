// SPDX-License-Identifier: Apache-2.0
// A vendor's dump of a model as a dump of ours: which file is which tensor, in which type, layout and codes.
//   const auto made = import_dump("board_out", {.model = &model, .target = &rules});
//   write_import(*made, model, "dump", tool_version);
// What a file leaves open is decided by its values, against a run on the dump's own inputs; what they leave open, too,
// is refused. Nothing is guessed, and every assumption is one line.
#pragma once

#include <bittwin/analysis/array.hpp>
#include <bittwin/analysis/import_layout.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/quantization.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// target   whose integers stand in for the board's when values have to decide; null: they never do
/// map      a CSV file of lines "file,tensor", or "file,tensor,sure" where values may contradict; empty: none
/// pattern  a regular expression for file names, whose one group is a tensor's name or index; empty: none
/// layouts  the only ones to try, in files without a shape and in those with one; empty: all that are known
/// type     of files without a header
/// inputs   of that run, in the model's order and types; empty: those of the dump
struct import_settings {
  const graph::model* model = nullptr;
  const graph::target_rules* target = nullptr;
  std::size_t arena_limit = graph::executor::no_limit;  ///< bytes
  std::filesystem::path map = {};
  std::string pattern = {};
  std::vector<import_layout> layouts = {};
  std::optional<element_type> type = std::nullopt;
  std::vector<array> inputs = {};
};

/// A tensor that was found, and what is known of it.
struct imported_tensor {
  std::int32_t tensor = 0;
  std::string file;
  element_type type = element_type::int8;  ///< of the file; of text float64
  import_layout layout;
  array values;              ///< codes of the tensor's type; float32 where reals are on no grid
  quantization board;        ///< parameters of the board's own; none: the model's
  std::int64_t padding = 0;  ///< elements of the file that belong to no element of the tensor
  std::optional<double> correlation;  ///< with the run on the dump's inputs, where there was one
};

/// A file that is not in the dump, and the sentence that says why.
struct refused_file {
  std::string file;
  std::string text;
};

struct imported_dump {
  std::vector<imported_tensor> found;   ///< by tensor
  std::vector<std::int32_t> not_found;  ///< tensors that the model computes or reads as inputs
  std::vector<refused_file> refused;    ///< files that may be tensors
  std::vector<refused_file> left_over;  ///< and those that are none
  std::vector<std::string> assumptions;

  [[nodiscard]] bool complete() const noexcept { return refused.empty() && left_over.empty(); }
};

/// folder  of files; those below it are not read
/// errors  no such folder, no file in it; a map, a pattern or inputs that do not fit
[[nodiscard]] result<imported_dump> import_dump(const std::filesystem::path& folder,
                                                const import_settings& settings);

/// Writes what was found as a dump, whole or not at all. Precondition: something was found.
[[nodiscard]] status write_import(const imported_dump& from, const graph::model& m,
                                  const std::filesystem::path& folder, std::string tool_version);

}  // namespace bittwin::analysis::inline v1
