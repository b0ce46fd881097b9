// SPDX-License-Identifier: Apache-2.0
// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR.
//   nearest  y[o] = x[ floor( float32((o + half) * scale) ) ], rounded half away where corners are aligned
//   reals    positions and weights in float64:  (o + 1/2) * input / output - 1/2, kept inside the image
#pragma once

#include <bittwin/graph/arithmetic_nodes.hpp>
#include <bittwin/graph/element_map.hpp>
#include <bittwin/graph/real_nodes.hpp>
#include <bittwin/kernel/resize_bilinear.hpp>
#include <cmath>

namespace bittwin::graph::inline v1 {

namespace detail {

[[nodiscard]] inline result<resize_spec> resize_of(const node_context& c) {
  if (auto s = c.expect_one_type(1); !s) return s.error();
  if (auto s = c.expect_rank(c.input(), 4, "NHWC"); !s) return s.error();
  const auto size = constant_integers(c, 1);
  if (!size) return size.error();
  if (size->size() != 2)
    return c.fail(error_code::bad_shape, sentence({"the size has ", number(size->size()),
                                                   " entries; it must be rows and columns"}));
  const auto o = c.options<resize_options>();
  const resize_spec spec{.type = c.in().type,
                         .input = nhwc_of(c.in().extents),
                         .rows = (*size)[0],
                         .columns = (*size)[1],
                         .align_corners = o.align_corners,
                         .half_pixel_centers = o.half_pixel_centers};
  if (auto s = check_resize(spec); !s) return c.fail(s.error());
  const nhwc made = spec.output();
  if (auto s = c.expect_shape({made.n, made.h, made.w, made.c}); !s) return s.error();
  return spec;
}

/// source  TFLite reference/resize_nearest_neighbor.h GetNearestNeighbor
[[nodiscard]] inline axis_source nearest_axis(const resize_axis& a, std::int64_t stride) noexcept {
  return {
      .how = a.align_corners ? axis_source::kind::nearest_round : axis_source::kind::nearest_floor,
      .extent = a.output,
      .start = a.half_pixel_centers ? 1 : 0,
      .limit = a.input,
      .stride = stride,
      .scale =
          ieee::divide(ieee::from_integer<float>(a.source()), ieee::from_integer<float>(a.made()))};
}

/// The two neighbours of an output and the share of the second.
struct real_tap {
  std::int32_t first, second;
  double share;

  static real_tap of(std::int32_t output, const resize_axis& a) noexcept {
    double at = static_cast<double>(output) * a.source() / a.made();
    if (a.half_pixel_centers) at = (output + 0.5) * a.source() / a.made() - 0.5;
    at = clamp_to(at, 0.0, static_cast<double>(a.input - 1));
    const auto first = static_cast<std::int32_t>(at);
    return {first, first + 1 < a.input ? first + 1 : first, at - first};
  }
};

}  // namespace detail

[[nodiscard]] inline result<node> build_resize_nearest(const node_context& c) {
  const auto spec = detail::resize_of(c);
  if (!spec) return spec.error();
  auto axes = detail::identity_axes(c.in().extents);
  axes[1] = detail::nearest_axis(spec->row_axis(), axes[1].stride);
  axes[2] = detail::nearest_axis(spec->column_axis(), axes[2].stride);
  return detail::mapped_node(c, 0, std::move(axes));
}

[[nodiscard]] inline result<node> build_resize_bilinear(const node_context& c) {
  if (c.rules.resize_bilinear == nullptr) return c.refuse();
  if (auto s = detail::expect_codes(c, 1); !s) return s.error();
  const auto spec = detail::resize_of(c);
  if (!spec) return spec.error();
  auto kernel = prepare_resize_bilinear(c.rules.resize_bilinear(facts_of(*spec)), *spec);
  if (!kernel) return c.fail(kernel.error());
  return detail::unary_node(c, *std::move(kernel));
}

[[nodiscard]] inline result<node> build_real_resize_bilinear(const node_context& c) {
  const auto spec = detail::resize_of(c);
  if (!spec) return spec.error();
  return detail::real_node(
      c, activation::none,
      [spec = *spec, x_index = c.input()](const workspace& s, std::vector<double>& result) {
        const auto x = s.reals(x_index);
        const nhwc_view<const double> from(x.data(), spec.input);
        const nhwc_view<double> to(result.data(), spec.output());
        for (std::int32_t n = 0; n < spec.input.n; ++n)
          for (std::int32_t oy = 0; oy < spec.rows; ++oy) {
            const auto row = detail::real_tap::of(oy, spec.row_axis());
            for (std::int32_t ox = 0; ox < spec.columns; ++ox) {
              const auto column = detail::real_tap::of(ox, spec.column_axis());
              for (std::int32_t ch = 0; ch < spec.input.c; ++ch) {
                const auto along = [&](std::int32_t y) {
                  return from(n, y, column.first, ch) * (1 - column.share) +
                         from(n, y, column.second, ch) * column.share;
                };
                to(n, oy, ox, ch) =
                    along(row.first) * (1 - row.share) + along(row.second) * row.share;
              }
            }
          }
      });
}

}  // namespace bittwin::graph::inline v1
