// SPDX-License-Identifier: Apache-2.0
// MEAN over axes under a target:  mean<Target>::prepare(spec).
//   code = narrow( mean_rule( sum of the codes ) )
#pragma once

#include <array>
#include <bittwin/kernel/checks.hpp>
#include <bittwin/kernel/packing.hpp>
#include <bittwin/kernel/represented.hpp>
#include <bittwin/policy/room.hpp>
#include <bittwin/reference/elementwise.hpp>
#include <bittwin/requantize/requantizer.hpp>
#include <bittwin/types/expects.hpp>
#include <bittwin/types/mutation.hpp>
#include <span>
#include <vector>

namespace bittwin::inline v1 {

/// axes       which disappear, already resolved to [0, rank)
/// keep_dims  reduced axes stay as extents of 1
struct mean_spec {
  element_type type = element_type::int8;
  shape input{};
  std::array<bool, shape::max_rank> axes{};
  bool keep_dims = false;
  affine in{}, out{};
  bool counted_from_end =
      false;  ///< an axis was written as a negative number: some runtimes differ

  [[nodiscard]] shape output() const noexcept {
    shape kept;
    for (int axis = 0; axis < input.rank(); ++axis) {
      const bool reduced = axes[static_cast<std::size_t>(axis)];
      if (!reduced || keep_dims) kept.push_back(reduced ? 1 : input[axis]);
    }
    return kept;
  }
  [[nodiscard]] std::int64_t count() const noexcept {
    std::int64_t product = 1;
    for (int axis = 0; axis < input.rank(); ++axis)
      if (BITTWIN_MUTABLE(axes[static_cast<std::size_t>(axis)], mean_count, true))
        product *= input[axis];
    return product;
  }
};

[[nodiscard]] inline layer_facts facts_of(const mean_spec& s) noexcept {
  layer_facts facts{.input = s.type,
                    .output = s.type,
                    .equal_quantization = s.in == s.out,
                    .over_rows_and_columns = s.input.rank() == 4 && !s.counted_from_end &&
                                             !s.axes[0] && s.axes[1] && s.axes[2] && !s.axes[3],
                    .keeps_dims = s.keep_dims};
  state_grids(facts, {s.in, s.out});
  return facts;
}

/// What a mean room says, as functions.
struct mean_rule {
  void (*prepare)(mean_constants&) noexcept = nullptr;
  std::int64_t (*apply)(const mean_constants&, std::int64_t) noexcept = nullptr;
  std::int64_t (*narrow)(std::int64_t, code_range) noexcept = nullptr;
  std::string_view lacks = {};  ///< what the layer lacks to be represented
  bool divides = true;          ///< false for a sum
  bool packs = true;            ///< false: the rule itself is called for every mean
};

template <target Target> [[nodiscard]] constexpr mean_rule mean_rule_of(const layer_facts& layer) {
  static_assert(check_room<Target, room::mean>());
  mean_rule rule;
  choose<axis_value<Target, room::mean, axis::mean_rule>>(layer,
                                                          [&]<class P>(std::type_identity<P>) {
                                                            rule.prepare = &P::prepare;
                                                            rule.apply = &P::apply;
                                                          });
  choose<axis_value<Target, room::mean, axis::narrowing>>(
      layer, [&]<class P>(std::type_identity<P>) { rule.narrow = &P::apply; });
  rule.lacks = lacks<typename room::mean::of<Target>>(layer);
  return rule;
}

/// Whether the reduced axes stand side by side; then the reduction is one of columns: [outer, 1, reduced, inner].
[[nodiscard]] inline bool one_run_of_axes(const mean_spec& s, convolution_geometry& g) noexcept {
  std::int64_t outer = 1, reduced = 1, inner = 1;
  for (int axis = 0; axis < s.input.rank(); ++axis) {
    const std::int64_t extent = s.input[axis];
    if (extent == 1) continue;
    if (!s.axes[static_cast<std::size_t>(axis)]) {
      (reduced == 1 ? outer : inner) *= extent;
      continue;
    }
    if (inner != 1) return false;
    reduced *= extent;
  }
  constexpr std::int64_t most = 1 << 30;
  if (outer < 1 || reduced < 1 || inner < 1 || outer > most || reduced > most || inner > most)
    return false;
  const auto extent = [](std::int64_t n) { return static_cast<std::int32_t>(n); };
  g.batch = extent(outer);
  g.columns = {.input = extent(reduced), .kernel = extent(reduced)};
  g.input_channels = g.output_channels = extent(inner);
  return true;
}

/// A prepared mean. Const, usable from many threads. No overlap of x and y.
class mean_kernel {
 public:
  mean_kernel(const mean_rule& rule, const mean_spec& spec) : rule_(rule), spec_(spec) {
    constants_.in = spec.in;
    constants_.out = spec.out;
    constants_.count = spec.count();
    rule.prepare(constants_);
    pool_request q;
    q.type = spec.type;
    q.clamp = range_of(spec.type);
    q.rule = own_rule();
    q.ratio = static_cast<double>(spec.in.scale) / static_cast<double>(spec.out.scale);
    q.zero_in = spec.in.zero_point;
    q.zero = spec.out.zero_point;
    if (!rule.divides) q.ratio *= static_cast<double>(constants_.count);
    if (rule.packs && is_linked(pack_pool) && bytes_of(spec.type) == 1 &&
        one_run_of_axes(spec, q.geometry))
      packed_ = pack_pool(q);
  }

  [[nodiscard]] shape output() const noexcept { return spec_.output(); }

  /// sums      scratch of output().elements() integers
  /// parallel  threads of the caller; what is not packed runs on the one that calls
  template <class T>
  void operator()(std::span<const T> x, std::span<T> y, std::span<std::int64_t> sums,
                  const parallel_for& parallel = {}) const noexcept {
    BITTWIN_EXPECTS(holds_codes<T>(spec_.type));
    if (runs_packed(x, y, parallel)) return;
    for (std::int64_t& sum : sums) sum = 0;
    reference::for_each_reduced(spec_.input, spec_.axes, [&](std::int64_t from, std::int64_t to) {
      sums[static_cast<std::size_t>(to)] += x[static_cast<std::size_t>(from)];
    });
    for (std::size_t i = 0; i < sums.size(); ++i) y[i] = static_cast<T>(code_of(sums[i]));
  }

  /// What was proved, and which forms run.
  [[nodiscard]] explanation explain() const { return bittwin::explain(packed_); }

  /// What runs: the architecture of the packed kernel, or scalar for the target's own rule.
  [[nodiscard]] simd::arch runs_on() const noexcept {
    return packed_ ? arch_of(*packed_) : simd::arch::scalar;
  }

 private:
  [[nodiscard]] std::int64_t code_of(std::int64_t sum) const noexcept {
    return rule_.narrow(rule_.apply(constants_, sum), range_of(spec_.type));
  }
  [[nodiscard]] window_rule own_rule() const noexcept {
    return {this, [](const void* self, std::int64_t sum, std::int64_t) noexcept {
              return static_cast<const mean_kernel*>(self)->code_of(sum);
            }};
  }
  template <class T>
  [[nodiscard]] bool runs_packed(std::span<const T> x, std::span<T> y,
                                 const parallel_for& parallel) const noexcept {
    if constexpr (sizeof(T) == 1) {
      simd::detail::count_run(runs_on());
      if (!packed_) return false;
      convolution_geometry g;
      static_cast<void>(one_run_of_axes(spec_, g));
      run_packed(*packed_, own_rule(), input_images(nhwc_view<const T>(x.data(), g.input())),
                 output_images(nhwc_view<T>(y.data(), g.output())), parallel);
      return true;
    }
    return false;
  }

  mean_rule rule_;
  mean_spec spec_;
  mean_constants constants_;
  packed_pointer<packed_pool> packed_;
};

[[nodiscard]] inline result<mean_kernel> prepare_mean(const mean_rule& rule, const mean_spec& s) {
  if (auto c = check_represented(rule.lacks); !c) return c.error();
  if (auto c = check_affine(s.in, s.type, "the input"); !c) return c.error();
  if (auto c = check_affine(s.out, s.type, "the output"); !c) return c.error();
  if (s.count() < 1 || s.count() > (std::int64_t{1} << 31))
    return error{error_code::bad_shape,
                 sentence({"a reduction over ", number(s.count()), " elements is not defined"})};
  return mean_kernel(rule, s);
}

template <target Target> struct mean {
  static_assert(check_room<Target, room::mean>());
  [[nodiscard]] static result<mean_kernel> prepare(const mean_spec& spec) {
    return prepare_mean(mean_rule_of<Target>(facts_of(spec)), spec);
  }
};

}  // namespace bittwin::inline v1
