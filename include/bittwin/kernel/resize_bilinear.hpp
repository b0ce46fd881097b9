// SPDX-License-Identifier: Apache-2.0
// RESIZE_BILINEAR under a target:  resize_bilinear<Target>::prepare(spec). The grid is that of the input.
//   code = blend( four neighbours, row tap, column tap )
#pragma once

#include <bittwin/kernel/checks.hpp>
#include <bittwin/policy/room.hpp>
#include <bittwin/types/expects.hpp>
#include <bittwin/types/tensor_view.hpp>
#include <span>
#include <type_traits>

namespace bittwin::inline v1 {

/// input  NHWC    rows, columns  of the result
struct resize_spec {
  element_type type = element_type::int8;
  nhwc input{};
  std::int32_t rows = 1, columns = 1;
  bool align_corners = false;
  bool half_pixel_centers = false;

  [[nodiscard]] nhwc output() const noexcept { return {input.n, rows, columns, input.c}; }
  [[nodiscard]] resize_axis row_axis() const noexcept {
    return {input.h, rows, align_corners, half_pixel_centers};
  }
  [[nodiscard]] resize_axis column_axis() const noexcept {
    return {input.w, columns, align_corners, half_pixel_centers};
  }
};

/// Extents from 1 to 2^24, as float32 holds their positions, and at most one of the two flags.
[[nodiscard]] inline status check_resize(const resize_spec& s) {
  for (const std::int32_t extent : {s.input.h, s.input.w, s.rows, s.columns})
    if (extent < 1 || extent > (1 << 24))
      return error{error_code::bad_shape,
                   sentence({"a resize from [", number(s.input.h), ",", number(s.input.w), "] to [",
                             number(s.rows), ",", number(s.columns),
                             "]; every extent must lie in 1 to 2^24"})};
  if (s.align_corners && s.half_pixel_centers)
    return error{error_code::bad_option,
                 "align_corners and half_pixel_centers are both set; set at most one"};
  return ok();
}

[[nodiscard]] inline layer_facts facts_of(const resize_spec& s) noexcept {
  return {.input = s.type, .output = s.type};
}

/// What a resize_bilinear room says, as functions.
struct interpolation_rule {
  interpolation_tap (*at)(std::int32_t, const resize_axis&) noexcept = nullptr;
  std::int64_t (*blend)(const interpolation_corners&, const interpolation_tap&,
                        const interpolation_tap&) noexcept = nullptr;
};

template <target Target>
[[nodiscard]] constexpr interpolation_rule resize_bilinear_rule(const layer_facts& layer) {
  static_assert(check_room<Target, room::resize_bilinear>());
  interpolation_rule rule;
  choose<axis_value<Target, room::resize_bilinear, axis::interpolation>>(
      layer, [&]<class P>(std::type_identity<P>) {
        rule.at = &P::at;
        rule.blend = &P::blend;
      });
  return rule;
}

/// A prepared resize. Const, usable from many threads, cannot fail. No overlap of x and y.
class resize_bilinear_kernel {
 public:
  resize_bilinear_kernel(const interpolation_rule& rule, const resize_spec& spec) noexcept
      : rule_(rule), spec_(spec) {}

  [[nodiscard]] nhwc output() const noexcept { return spec_.output(); }

  /// Dense activations.
  template <class T> void operator()(std::span<const T> x, std::span<T> y) const noexcept {
    BITTWIN_EXPECTS(holds_codes<T>(spec_.type));
    const nhwc_view<const T> from(x.data(), spec_.input);
    const nhwc_view<T> to(y.data(), spec_.output());
    const resize_axis rows = spec_.row_axis(), columns = spec_.column_axis();
    for (std::int32_t n = 0; n < spec_.input.n; ++n)
      for (std::int32_t oy = 0; oy < spec_.rows; ++oy) {
        const interpolation_tap row = rule_.at(oy, rows);
        for (std::int32_t ox = 0; ox < spec_.columns; ++ox) {
          const interpolation_tap column = rule_.at(ox, columns);
          for (std::int32_t c = 0; c < spec_.input.c; ++c) {
            const interpolation_corners corners{
                from(n, row.first, column.first, c), from(n, row.first, column.second, c),
                from(n, row.second, column.first, c), from(n, row.second, column.second, c)};
            to(n, oy, ox, c) = static_cast<T>(rule_.blend(corners, row, column));
          }
        }
      }
  }

 private:
  interpolation_rule rule_;
  resize_spec spec_;
};

[[nodiscard]] inline result<resize_bilinear_kernel> prepare_resize_bilinear(
    const interpolation_rule& rule, const resize_spec& s) {
  if (auto c = check_resize(s); !c) return c.error();
  return resize_bilinear_kernel(rule, s);
}

template <target Target> struct resize_bilinear {
  static_assert(check_room<Target, room::resize_bilinear>());
  [[nodiscard]] static result<resize_bilinear_kernel> prepare(const resize_spec& spec) {
    return prepare_resize_bilinear(resize_bilinear_rule<Target>(facts_of(spec)), spec);
  }
};

}  // namespace bittwin::inline v1
