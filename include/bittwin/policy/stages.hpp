// SPDX-License-Identifier: Apache-2.0
// The order of the stages behind the rescale: zero point, activation clamp; and how the code is
// stored.
//   offset_then_clamp  clamp(scaled + zero_point, low, high)
//   clamp_then_offset  clamp(scaled, low - zero_point, high - zero_point) + zero_point
// The two differ only where a sum overflows, so both are kept.
#pragma once

#include <bittwin/types/element_type.hpp>
#include <bittwin/types/integers.hpp>
#include <bittwin/types/mutation.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::stages::inline v1 {

/// source  TFLite, CMSIS-NN, FBGEMM. The sum is int32, modulo 2^32.
struct offset_then_clamp {
  static constexpr std::string_view name = "offset-then-clamp";
  static constexpr std::int64_t apply(std::int64_t scaled, std::int64_t zero_point,
                                      code_range clamp, code_range) noexcept {
    const auto code = wrap_cast<std::int32_t>(saturate_cast<std::int32_t>(scaled) + zero_point);
    return clamp_to<std::int64_t>(code, clamp.low,
                                  BITTWIN_MUTABLE(clamp.high, clamp_one_high, clamp.high + 1));
  }
};

/// source  XNNPACK, QNNPACK, MLAS
struct clamp_then_offset {
  static constexpr std::string_view name = "clamp-then-offset";
  static constexpr std::int64_t apply(std::int64_t scaled, std::int64_t zero_point,
                                      code_range clamp, code_range) noexcept {
    return clamp_to(
               scaled, clamp.low - zero_point,
               BITTWIN_MUTABLE(clamp.high - zero_point, clamp_before_offset_bound, clamp.high)) +
           zero_point;
  }
};

/// Fault CLAMP_BEFORE_ZERO_POINT: the type's range is applied to the scaled value, then the zero
/// point is added. source  ROCm/rocMLIR pull request 1034
struct type_clamp_then_offset {
  static constexpr std::string_view name = "type-clamp-then-offset";
  static constexpr std::int64_t apply(std::int64_t scaled, std::int64_t zero_point, code_range,
                                      code_range type) noexcept {
    return clamp_to(scaled, type.low, type.high) + zero_point;
  }
};

/// No clamp at all: the store decides (see narrowing).
struct offset_only {
  static constexpr std::string_view name = "offset-only";
  static constexpr std::int64_t apply(std::int64_t scaled, std::int64_t zero_point, code_range,
                                      code_range) noexcept {
    return scaled + zero_point;
  }
};

}  // namespace bittwin::stages::inline v1

namespace bittwin::narrowing::inline v1 {

struct saturate {
  static constexpr std::string_view name = "saturate";
  static constexpr std::int64_t apply(std::int64_t code, code_range type) noexcept {
    return clamp_to(code, type.low, BITTWIN_MUTABLE(type.high, saturation_bound, type.high - 1));
  }
};

/// Fault SYMMETRIC_LIMIT: signed codes end at -highest, so -128 is never stored.
/// source  microsoft/onnxruntime issue 3442
struct symmetric {
  static constexpr std::string_view name = "symmetric";
  static constexpr std::int64_t apply(std::int64_t code, code_range type) noexcept {
    return clamp_to(code, type.low < 0 ? -type.high : type.low, type.high);
  }
};

/// Fault OUTPUT_WRAP: the low bits are stored.
struct wrap {
  static constexpr std::string_view name = "wrap";
  static constexpr std::int64_t apply(std::int64_t code, code_range type) noexcept {
    const std::int64_t count = type.high - type.low + 1;
    const std::int64_t rest = (code - type.low) % count;
    return type.low + (rest < 0 ? rest + count : rest);
  }
};

}  // namespace bittwin::narrowing::inline v1
