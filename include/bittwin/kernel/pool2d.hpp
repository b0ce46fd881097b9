// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D and MAX_POOL_2D under a target. Input and output share one grid.
//   average: clamp( divide(sum, count) )     max: clamp( largest code )
#pragma once

#include <bittwin/kernel/checks.hpp>
#include <bittwin/kernel/output_box.hpp>
#include <bittwin/kernel/packing.hpp>
#include <bittwin/kernel/represented.hpp>
#include <bittwin/policy/room.hpp>
#include <bittwin/reference/pool.hpp>
#include <bittwin/requantize/requantizer.hpp>
#include <bittwin/types/expects.hpp>
#include <bittwin/types/mutation.hpp>
#include <span>

namespace bittwin::inline v1 {

/// input  NHWC    filter, stride >= 1    grid  of input and output
struct pool2d_spec {
  element_type type = element_type::int8;
  nhwc input{};
  std::int32_t filter_h = 1, filter_w = 1;
  std::int32_t stride_h = 1, stride_w = 1;
  padding_kind padding = padding_kind::same;
  affine grid{};
  activation fused = activation::none;
};

[[nodiscard]] inline layer_facts facts_of(const pool2d_spec& s) noexcept {
  layer_facts facts{.input = s.type, .output = s.type, .taps = s.filter_h * s.filter_w};
  state_grids(facts, {s.grid});
  state_activation(facts, s.fused, s.grid, s.type);
  return facts;
}

/// What a pooling room says, as functions. divide is null for max pooling.
struct pool_rule {
  std::int64_t (*divide)(std::int64_t, std::int64_t, std::int32_t) noexcept = nullptr;
  bool counts_padding = false;
  std::int32_t (*padding_code)(std::int32_t) noexcept = nullptr;
  placement_function placed = nullptr;
  code_range (*bounds)(activation, affine, code_range) noexcept = nullptr;
  std::string_view lacks = {};  ///< what the layer lacks to be represented
  bool packs = true;            ///< false: the rule itself is called for every window
};

template <target Target>
[[nodiscard]] constexpr pool_rule average_pool2d_rule(const layer_facts& layer) {
  using room = room::average_pool2d;
  static_assert(check_room<Target, room>());
  pool_rule rule;
  choose<axis_value<Target, room, axis::pool_division>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.divide = &P::apply; });
  choose<axis_value<Target, room, axis::pool_count>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.counts_padding = P::counts_padding; });
  choose<axis_value<Target, room, axis::padding>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.padding_code = &P::code; });
  choose<axis_value<Target, room, axis::placement>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.placed = &P::of; });
  choose<axis_value<Target, room, axis::activation_bounds>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.bounds = &P::codes; });
  rule.lacks = lacks<typename room::template of<Target>>(layer);
  return rule;
}

template <target Target>
[[nodiscard]] constexpr pool_rule max_pool2d_rule(const layer_facts& layer) {
  static_assert(check_room<Target, room::max_pool2d>());
  pool_rule rule;
  choose<axis_value<Target, room::max_pool2d, axis::placement>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.placed = &P::of; });
  choose<axis_value<Target, room::max_pool2d, axis::activation_bounds>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.bounds = &P::codes; });
  rule.lacks = lacks<typename room::max_pool2d::of<Target>>(layer);
  return rule;
}

/// A prepared pooling layer. Const, usable from many threads, cannot fail. No overlap of x and y.
class pool2d_kernel {
 public:
  pool2d_kernel(const pool_rule& rule, const pool2d_spec& spec,
                const convolution_geometry& geometry)
      : rule_(rule),
        spec_(spec),
        geometry_(geometry),
        clamp_(rule.bounds(spec.fused, spec.grid, range_of(spec.type))) {
    if (!rule.packs || !is_linked(pack_pool) || bytes_of(spec.type) != 1) return;
    pool_request q;
    q.geometry = geometry;
    q.type = spec.type;
    q.largest = rule.divide == nullptr;
    q.clamp = clamp_;
    q.rule = own_rule();
    q.counts_padding = rule.counts_padding;
    q.padding = padding();
    packed_ = pack_pool(q);
  }

  [[nodiscard]] nhwc input() const noexcept { return geometry_.input(); }
  [[nodiscard]] nhwc output() const noexcept { return geometry_.output(); }

  /// Strided activations; extents as input() and output() say.
  /// parallel  threads of the caller
  template <class T>
  void operator()(nhwc_view<const T> x, nhwc_view<T> y,
                  const parallel_for& parallel = {}) const noexcept {
    BITTWIN_EXPECTS(holds_codes<T>(spec_.type));
    if (runs_packed(x, y, parallel)) return;
    const std::int64_t nanoseconds = output().elements() * (geometry_.taps() + 5);  // about
    output_boxes(geometry_, 1, geometry_.output_channels)
        .each(parallel, nanoseconds, [&](const output_box& box) noexcept { run_rule(x, y, box); });
  }

  /// Dense activations.
  template <class T>
  void operator()(std::span<const T> x, std::span<T> y,
                  const parallel_for& parallel = {}) const noexcept {
    BITTWIN_EXPECTS(static_cast<std::int64_t>(x.size()) == input().elements());
    BITTWIN_EXPECTS(static_cast<std::int64_t>(y.size()) == output().elements());
    (*this)(nhwc_view<const T>(x.data(), input()), nhwc_view<T>(y.data(), output()), parallel);
  }

  /// What was proved, and which forms run.
  [[nodiscard]] explanation explain() const { return bittwin::explain(packed_); }

  /// What runs: the architecture of the packed kernel, or scalar for the target's own rule.
  [[nodiscard]] simd::arch runs_on() const noexcept {
    return packed_ ? arch_of(*packed_) : simd::arch::scalar;
  }
  /// Null where the rule runs.
  [[nodiscard]] const packed_pointer<packed_pool>& packed() const noexcept { return packed_; }

 private:
  template <class T>
  void run_rule(nhwc_view<const T> x, nhwc_view<T> y, const output_box& box) const noexcept {
    const convolution_geometry g = rows_of(geometry_, box);
    const nhwc_view<const T> from = from_row(x, box.first_image);
    const nhwc_view<T> to = from_row(y, box.first_image, box.first_row);
    const auto store = [&](auto n, auto oy, auto ox, auto c, std::int64_t code) {
      to(n, oy, ox, c) = static_cast<T>(clamped(code));
    };
    if (rule_.divide == nullptr) {
      reference::max_pool2d(
          g, from, static_cast<T>(BITTWIN_MUTABLE(range_of(spec_.type).low, pool_lowest, 0)),
          store);
      return;
    }
    reference::average_pool2d(g, from, rule_.counts_padding, std::int64_t{padding()},
                              [&](auto n, auto oy, auto ox, auto c, std::int64_t sum, auto count) {
                                store(n, oy, ox, c,
                                      rule_.divide(sum, count, spec_.grid.zero_point));
                              });
  }
  [[nodiscard]] std::int64_t clamped(std::int64_t code) const noexcept {
    return clamp_to(code, clamp_.low,
                    BITTWIN_MUTABLE(clamp_.high, pool_clamp, range_of(spec_.type).high));
  }
  /// The code that stands in the padding where it counts.
  [[nodiscard]] std::int32_t padding() const noexcept {
    return rule_.counts_padding ? rule_.padding_code(spec_.grid.zero_point) : 0;
  }
  [[nodiscard]] window_rule own_rule() const noexcept {
    return {this, [](const void* self, std::int64_t sum, std::int64_t count) noexcept {
              const auto& k = *static_cast<const pool2d_kernel*>(self);
              return k.clamped(k.rule_.divide(sum, count, k.spec_.grid.zero_point));
            }};
  }
  template <class T>
  [[nodiscard]] bool runs_packed(nhwc_view<const T> x, nhwc_view<T> y,
                                 const parallel_for& parallel) const noexcept {
    if constexpr (sizeof(T) == 1) {
      simd::detail::count_run(runs_on());
      if (packed_) run_packed(*packed_, own_rule(), input_images(x), output_images(y), parallel);
      return static_cast<bool>(packed_);
    }
    return false;
  }

  pool_rule rule_;
  pool2d_spec spec_;
  convolution_geometry geometry_;
  code_range clamp_;
  packed_pointer<packed_pool> packed_;
};

[[nodiscard]] inline result<convolution_geometry> pool_geometry(const pool2d_spec& s,
                                                                placement_function placed) {
  const convolution_geometry geometry{
      .batch = s.input.n,
      .rows = placed(s.padding, s.input.h, s.filter_h, s.stride_h, 1),
      .columns = placed(s.padding, s.input.w, s.filter_w, s.stride_w, 1),
      .input_channels = s.input.c,
      .output_channels = s.input.c};
  if (auto c = check_window(geometry.rows, "rows"); !c) return c.error();
  if (auto c = check_window(geometry.columns, "columns"); !c) return c.error();
  return geometry;
}

[[nodiscard]] inline result<pool2d_kernel> prepare_pool2d(const pool_rule& rule,
                                                          const pool2d_spec& s) {
  if (auto c = check_represented(rule.lacks); !c) return c.error();
  const auto geometry = pool_geometry(s, rule.placed);
  if (!geometry) return geometry.error();
  if (auto c = check_affine(s.grid, s.type, "the input"); !c) return c.error();
  return pool2d_kernel(rule, s, *geometry);
}

template <target Target> struct average_pool2d {
  static_assert(check_room<Target, room::average_pool2d>());
  [[nodiscard]] static result<pool2d_kernel> prepare(const pool2d_spec& spec) {
    return prepare_pool2d(average_pool2d_rule<Target>(facts_of(spec)), spec);
  }
};

template <target Target> struct max_pool2d {
  static_assert(check_room<Target, room::max_pool2d>());
  [[nodiscard]] static result<pool2d_kernel> prepare(const pool2d_spec& spec) {
    return prepare_pool2d(max_pool2d_rule<Target>(facts_of(spec)), spec);
  }
};

}  // namespace bittwin::inline v1
