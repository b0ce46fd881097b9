// SPDX-License-Identifier: Apache-2.0
// The checks that every prepare() makes of scales, zero points and extents, with the sentence each
// one gives.
#pragma once

#include <bittwin/types/element_type.hpp>
#include <bittwin/types/geometry.hpp>
#include <bittwin/types/ieee.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/quantization.hpp>
#include <bittwin/types/result.hpp>
#include <bittwin/types/sentence.hpp>
#include <bittwin/types/shape.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace bittwin::inline v1 {

/// Places the windows of one spatial axis.
using placement_function = window (*)(padding_kind, std::int32_t input, std::int32_t kernel,
                                      std::int32_t stride, std::int32_t dilation) noexcept;

/// A scale is finite and above 0.
[[nodiscard]] inline status check_scale(float scale, std::string_view what) {
  if (ieee::kind_of(scale) == ieee::kind::finite && ieee::less(0.0F, scale)) return ok();
  return error{error_code::bad_scale,
               sentence({"the scale of ", what, " is ", decimal(scale),
                         "; it must be finite and above 0, quantize the tensor again"})};
}

/// A zero point is a code of its type.
[[nodiscard]] inline status check_zero_point(std::int64_t zero_point, element_type type,
                                             std::string_view what) {
  if (BITTWIN_MUTABLE(range_of(type).contains(zero_point), zero_point_range, true)) return ok();
  const code_range range = range_of(type);
  return error{error_code::bad_zero_point,
               sentence({"the zero point of ", what, " is ", number(zero_point), ", outside ",
                         name_of(type), " [", number(range.low), ", ", number(range.high), "]"})};
}

[[nodiscard]] inline status check_affine(affine grid, element_type type, std::string_view what) {
  if (auto s = check_scale(grid.scale, what); !s) return s;
  return check_zero_point(grid.zero_point, type, what);
}

/// Kernel, stride and dilation are at least 1, the extents fit, and at least one output results.
[[nodiscard]] inline status check_window(const window& w, std::string_view axis) {
  const auto fail = [&](std::string_view what, std::int32_t value) {
    return error{error_code::bad_option, sentence({"the ", what, " along ", axis, " is ",
                                                   number(value), "; it must be at least 1"})};
  };
  if (w.input < 1) return fail("input extent", w.input);
  if (w.kernel < 1) return fail("filter extent", w.kernel);
  if (w.stride < 1) return fail("stride", w.stride);
  if (w.dilation < 1) return fail("dilation", w.dilation);
  constexpr std::int64_t limit = std::int64_t{1} << 30;
  if (w.input > limit || (std::int64_t{w.kernel} - 1) * w.dilation + 1 > limit ||
      std::int64_t{w.output} * w.stride > limit)
    return error{error_code::too_large,
                 sentence({"the window along ", axis, " spans more than 2^30 elements"})};
  if (BITTWIN_MUTABLE(w.output < 1, window_that_does_not_fit, w.output < 0))
    return error{error_code::bad_shape,
                 sentence({"a filter of ", number(w.kernel), " taps, dilation ", number(w.dilation),
                           ", does not fit into ", number(w.input), " ", axis,
                           "; pad the input or use SAME padding"})};
  return ok();
}

}  // namespace bittwin::inline v1
