// SPDX-License-Identifier: Apache-2.0
// Bilinear interpolation of codes between four neighbours, per axis a first and a second one and the weight
// of the second:  code = R( sum of the neighbours * row weight * column weight ).
//   ten_bit<R>        positions and weights are integers of 2^-10, R( sum / 2^20 )
//   eleven_bit        positions in float32, weights of 2^-11 (ties to even), (sum + 2^21) >> 22
//   float32_terms     positions in float32; code * row * column in that order, + 1/2, cut
//   float32_weights   the same with row * column first
#pragma once

#include <array>
#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/ieee.hpp>
#include <bittwin/types/integers.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::inline v1 {

/// One spatial axis of a resize. Extents at least 1; not both flags.
struct resize_axis {
  std::int32_t input = 1, output = 1;
  bool align_corners = false;
  bool half_pixel_centers = false;

  /// Extents that correspond: of the elements, or of the gaps between them.
  [[nodiscard]] constexpr std::int32_t source() const noexcept {
    return align_corners && output > 1 ? input - 1 : input;
  }
  [[nodiscard]] constexpr std::int32_t made() const noexcept {
    return align_corners && output > 1 ? output - 1 : output;
  }
};

/// Which two elements an output lies between, and how much of the second it takes.
struct interpolation_tap {
  std::int32_t first = 0, second = 0;
  std::int64_t weight = 0;  ///< in units of the rule
  float fraction = 0.0F;
};

/// first row: first, second column; second row: first, second column
using interpolation_corners = std::array<std::int64_t, 4>;

}  // namespace bittwin::inline v1

namespace bittwin::interpolation::inline v1 {

/// source  TFLite reference/resize_bilinear.h ResizeBilinearInteger
template <rounding::policy R> struct ten_bit {
  static constexpr std::string_view name = "ten-bit";

  static constexpr interpolation_tap at(std::int32_t output, const resize_axis& a) noexcept {
    const std::int64_t made = a.made();
    const std::int64_t step = (std::int64_t{1024} * a.source() + made / 2) / made;
    std::int64_t position = output * step;
    if (a.half_pixel_centers) position += step / 2 - 512;
    const std::int64_t last = a.input - 1;
    const std::int64_t first = clamp_to<std::int64_t>(position / 1024, 0, last);
    const std::int64_t second = clamp_to<std::int64_t>((position + 1023) / 1024, 0, last);
    return {static_cast<std::int32_t>(first), static_cast<std::int32_t>(second),
            position - 1024 * first, 0.0F};
  }
  static constexpr std::int64_t blend(const interpolation_corners& c, const interpolation_tap& row,
                                      const interpolation_tap& column) noexcept {
    const std::int64_t top = c[0] * (1024 - column.weight) + c[1] * column.weight;
    const std::int64_t bottom = c[2] * (1024 - column.weight) + c[3] * column.weight;
    return rounding::shift_right<R>(top * (1024 - row.weight) + bottom * row.weight, 20);
  }
};

namespace detail {

/// float32(source / made)
constexpr float step_of(const resize_axis& a) noexcept {
  return ieee::divide(ieee::from_integer<float>(a.source()), ieee::from_integer<float>(a.made()));
}

}  // namespace detail

/// Positions are kept inside the input.
/// source  XNNPACK indirection.c xnn_indirection_init_resize_bilinear2d_hwc_q11, s8-ibilinear
struct eleven_bit {
  static constexpr std::string_view name = "eleven-bit";

  static constexpr interpolation_tap at(std::int32_t output, const resize_axis& a) noexcept {
    const float step = detail::step_of(a);
    float position = ieee::multiply(ieee::from_integer<float>(output), step);
    if (a.half_pixel_centers)
      position = ieee::add(position, ieee::subtract(ieee::multiply(0.5F, step), 0.5F));
    const auto last = ieee::from_integer<float>(a.input - 1);
    if (ieee::less(position, 0.0F)) position = 0.0F;
    if (ieee::less(last, position)) position = last;
    const auto first = static_cast<std::int32_t>(rounding::to_integer<rounding::floor>(position));
    const std::int32_t second = first + 1 < a.input ? first + 1 : a.input - 1;
    const float fraction = ieee::subtract(position, ieee::from_integer<float>(first));
    return {first, second,
            rounding::to_integer<rounding::half_even>(ieee::multiply(fraction, 2048.0F)), fraction};
  }
  static constexpr std::int64_t blend(const interpolation_corners& c, const interpolation_tap& row,
                                      const interpolation_tap& column) noexcept {
    const std::int64_t top = c[0] * 2048 + (c[1] - c[0]) * column.weight;
    const std::int64_t bottom = c[2] * 2048 + (c[3] - c[2]) * column.weight;
    return (top * 2048 + (bottom - top) * row.weight + (1 << 21)) >> 22;
  }
};

namespace detail {

/// source  TFLite reference/resize_bilinear.h ComputeInterpolationValues
constexpr interpolation_tap float32_tap(std::int32_t output, const resize_axis& a) noexcept {
  const float step = step_of(a);
  float position = ieee::from_integer<float>(output);
  if (a.half_pixel_centers) {
    position = ieee::multiply(ieee::add(position, 0.5F), step);
    position = ieee::subtract(position, 0.5F);
  } else {
    position = ieee::multiply(position, step);
  }
  const std::int64_t last = a.input - 1;
  const std::int64_t first =
      clamp_to<std::int64_t>(rounding::to_integer<rounding::floor>(position), 0, last);
  const std::int64_t second =
      clamp_to<std::int64_t>(rounding::to_integer<rounding::ceil>(position), 0, last);
  return {static_cast<std::int32_t>(first), static_cast<std::int32_t>(second), 0,
          ieee::subtract(position, ieee::from_integer<float>(first))};
}

/// cut(sum of four float32 terms + 1/2), for codes that are not negative
template <class Term> constexpr std::int64_t float32_sum(Term term) noexcept {
  float sum = term(0);
  for (int i = 1; i < 4; ++i) sum = ieee::add(sum, term(i));
  return rounding::to_integer<rounding::toward_zero>(ieee::add(sum, 0.5F));
}

}  // namespace detail

/// source  TFLite reference/resize_bilinear.h ResizeBilinear<uint8_t>: rows change faster than columns
struct float32_terms {
  static constexpr std::string_view name = "float32-terms";
  static constexpr interpolation_tap at(std::int32_t output, const resize_axis& a) noexcept {
    return detail::float32_tap(output, a);
  }
  static constexpr std::int64_t blend(const interpolation_corners& c, const interpolation_tap& row,
                                      const interpolation_tap& column) noexcept {
    const float rows[] = {ieee::subtract(1.0F, row.fraction), row.fraction};
    const float columns[] = {ieee::subtract(1.0F, column.fraction), column.fraction};
    return detail::float32_sum([&](int i) {
      const int second_row = i & 1, second_column = i >> 1;
      const auto code =
          ieee::from_integer<float>(c[static_cast<std::size_t>(2 * second_row + second_column)]);
      return ieee::multiply(ieee::multiply(code, rows[second_row]), columns[second_column]);
    });
  }
};

/// source  TFLite optimized_ops.h ResizeBilinearGenericSmallChannel
struct float32_weights {
  static constexpr std::string_view name = "float32-weights";
  static constexpr interpolation_tap at(std::int32_t output, const resize_axis& a) noexcept {
    return detail::float32_tap(output, a);
  }
  static constexpr std::int64_t blend(const interpolation_corners& c, const interpolation_tap& row,
                                      const interpolation_tap& column) noexcept {
    const float rows[] = {ieee::subtract(1.0F, row.fraction), row.fraction};
    const float columns[] = {ieee::subtract(1.0F, column.fraction), column.fraction};
    return detail::float32_sum([&](int i) {
      const float weight = ieee::multiply(rows[i >> 1], columns[i & 1]);
      return ieee::multiply(ieee::from_integer<float>(c[static_cast<std::size_t>(i)]), weight);
    });
  }
};

}  // namespace bittwin::interpolation::inline v1
