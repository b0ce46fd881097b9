// SPDX-License-Identifier: Apache-2.0
// The version of the library; the build reads it from here, so it stands in no other file.
#pragma once

#include <string_view>

namespace bittwin {

inline constexpr std::string_view version = "0.1.0";

}  // namespace bittwin
