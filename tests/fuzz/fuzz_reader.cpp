// SPDX-License-Identifier: Apache-2.0
// libFuzzer on the reader and the writer: bytes are refused, or read, written and read to the same model.
#include "fuzz/fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return bittwin::test::stop_on_fault(
      bittwin::test::check_reading({reinterpret_cast<const std::byte*>(data), size}));
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max, unsigned seed) {
  return bittwin::test::change(data, size, max, seed, 0);
}
