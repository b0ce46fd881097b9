// SPDX-License-Identifier: Apache-2.0
// libFuzzer's two doors, for one of the checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "fuzz/mutator.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max);

namespace bittwin::test {

inline int stop_on_fault(const verdict& found) {
  if (found.fault.empty()) return 0;
  std::fprintf(stderr, "fault: %s\n", found.fault.c_str());
  std::abort();
}

/// Half of the changes are libFuzzer's own. after  bytes behind the file that stay.
inline std::size_t change(std::uint8_t* data, std::size_t size, std::size_t max, unsigned seed,
                          std::size_t after) {
  if (seed % 2 == 0 || size <= after + 16) return LLVMFuzzerMutate(data, size, max);
  const auto* const first = reinterpret_cast<const std::byte*>(data);
  std::vector<std::byte> made =
      mutator(seed).change({first, first + static_cast<std::ptrdiff_t>(size - after)});
  const std::vector<std::byte> tail(first + static_cast<std::ptrdiff_t>(size - after),
                                    first + static_cast<std::ptrdiff_t>(size));
  made.insert(made.end(), tail.begin(), tail.end());
  if (made.size() > max) return LLVMFuzzerMutate(data, size, max);
  std::memcpy(data, made.data(), made.size());
  return made.size();
}

}  // namespace bittwin::test
