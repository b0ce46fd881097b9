// SPDX-License-Identifier: Apache-2.0
// Files that a fuzzer found, in hexadecimal: each once broke a check of this folder.
#pragma once

#include <array>
#include <string_view>

namespace bittwin::test {

inline constexpr std::array<std::string_view, 0> found_by_fuzzers{};

}  // namespace bittwin::test
