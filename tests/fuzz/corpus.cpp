// SPDX-License-Identifier: Apache-2.0
// usage: fuzz_corpus DIR    Writes the seeds of both fuzz targets: DIR/reader and DIR/run.
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/write_tflite.hpp>
#include <bittwin/targets/all.hpp>
#include <cstdio>
#include <filesystem>
#include <string>

#include "support/operator_models.hpp"

namespace {

template <class... Targets> constexpr std::size_t count(bittwin::targets::list<Targets...>) {
  return sizeof...(Targets);
}

}  // namespace

int main(int arguments, char** values) {
  using namespace bittwin;
  if (arguments != 2) {
    std::fputs("usage: fuzz_corpus DIR\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = values[1];
  std::filesystem::create_directories(folder / "reader");
  std::filesystem::create_directories(folder / "run");
  for (const graph::model& m : test::operator_models()) {
    auto bytes = graph::write_tflite(m);
    bool written = bytes && graph::write_file(folder / "reader" / m.name, *bytes);
    // A file a target: the last byte chooses it.
    for (std::size_t target = 0; written && target < count(targets::all{}); ++target) {
      bytes->push_back(static_cast<std::byte>(target));
      written = graph::write_file(folder / "run" / (m.name + "." + std::to_string(target)), *bytes)
                    .has_value();
      bytes->pop_back();
    }
    if (!written) {
      std::fprintf(stderr, "%s cannot be written\n", m.name.c_str());
      return 1;
    }
  }
  return 0;
}
