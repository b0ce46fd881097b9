// SPDX-License-Identifier: Apache-2.0
// libFuzzer on a whole run: the last byte chooses the target, the others are the file.
#include "fuzz/fuzz_target.hpp"
#include "fuzz/running_check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return bittwin::test::stop_on_fault(
      bittwin::test::check_running({reinterpret_cast<const std::byte*>(data), size}));
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max, unsigned seed) {
  return bittwin::test::change(data, size, max, seed, 1);
}
