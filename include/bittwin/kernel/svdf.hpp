// SPDX-License-Identifier: Apache-2.0
// SVDF under a target:  svdf<Target>::prepare(spec, feature weights, time weights, bias).
//   state(batch, f)  is shifted by one; its newest element becomes
//                      s_zero + clamp( rescale( sum over i of (x(batch, i) - x_zero) * feature(f, i) ) )
//   code(batch, u) = requantize( bias(u) + sum over rank r, age t of time(f, t) * (state(batch, f, t) - s_zero) ),
//                    f = u * rank + r
// Sums are int32, modulo 2^32; the newest state wraps where s_zero moves it out of its type.
#pragma once

#include <bittwin/kernel/checks.hpp>
#include <bittwin/requantize/requantizer.hpp>
#include <bittwin/types/expects.hpp>
#include <span>
#include <utility>
#include <vector>

namespace bittwin::inline v1 {

/// x [batch, inputs] int8, state [batch, filters, memory] oldest first, y [batch, filters / rank] int8
struct svdf_spec {
  std::int32_t batch = 1, inputs = 1, filters = 1, memory = 1;
  std::int32_t rank = 1;
  element_type state_type = element_type::int16;  ///< or int8
  affine input{}, state{}, output{};
  float feature_scale = 1.0F, time_scale = 1.0F;  ///< both weights have a zero point of 0
  activation fused = activation::none;
};

[[nodiscard]] inline layer_facts facts_of(const svdf_spec& s) noexcept {
  return {.input = element_type::int8, .output = s.state_type};
}

/// Const but for the state, which it is handed. Allocates nothing, cannot fail.
class svdf_kernel {
 public:
  /// x [batch, inputs], state [batch, filters * memory], y [batch, units], as codes
  void operator()(std::span<const std::int64_t> x, std::span<std::int64_t> state,
                  std::span<std::int64_t> y) const noexcept {
    BITTWIN_EXPECTS(static_cast<std::int64_t>(x.size()) == std::int64_t{s_.batch} * s_.inputs);
    BITTWIN_EXPECTS(static_cast<std::int64_t>(state.size()) ==
                    std::int64_t{s_.batch} * s_.filters * s_.memory);
    for (std::int32_t batch = 0; batch < s_.batch; ++batch) {
      const std::int64_t* const in = x.data() + std::int64_t{batch} * s_.inputs;
      std::int64_t* const states = state.data() + std::int64_t{batch} * s_.filters * s_.memory;
      std::int64_t* const out = y.data() + std::int64_t{batch} * units();
      for (std::int32_t f = 0; f < s_.filters; ++f)
        remember(in, f, states + std::int64_t{f} * s_.memory);
      for (std::int32_t u = 0; u < units(); ++u) out[u] = unit(states, u);
    }
  }

  [[nodiscard]] std::int32_t units() const noexcept { return s_.filters / s_.rank; }

 private:
  friend result<svdf_kernel> prepare_svdf(const requantize_rule&, const svdf_spec&,
                                          std::vector<std::int64_t>, std::vector<std::int64_t>,
                                          std::vector<std::int64_t>);
  svdf_kernel() = default;

  void remember(const std::int64_t* x, std::int32_t f, std::int64_t* state) const noexcept {
    std::int64_t sum = 0;
    for (std::int32_t i = 0; i < s_.inputs; ++i)
      sum += (x[i] - s_.input.zero_point) *
             feature_[static_cast<std::size_t>(std::int64_t{f} * s_.inputs + i)];
    for (std::int32_t t = 1; t < s_.memory; ++t) state[t - 1] = state[t];
    const std::int64_t newest = to_state_(wrap_cast<std::int32_t>(sum), 0) + s_.state.zero_point;
    state[s_.memory - 1] = s_.state_type == element_type::int8 ? wrap_cast<std::int8_t>(newest)
                                                               : wrap_cast<std::int16_t>(newest);
  }
  [[nodiscard]] std::int64_t unit(const std::int64_t* states, std::int32_t u) const noexcept {
    std::int64_t sum = bias_.empty() ? 0 : bias_[static_cast<std::size_t>(u)];
    const std::int64_t from = std::int64_t{u} * s_.rank * s_.memory;
    for (std::int64_t i = from; i < from + std::int64_t{s_.rank} * s_.memory; ++i)
      sum = wrap_add(sum, time_[static_cast<std::size_t>(i)] * (states[i] - s_.state.zero_point));
    return to_output_(wrap_cast<std::int32_t>(sum), 0);
  }

  svdf_spec s_;
  requantizer to_state_, to_output_;
  std::vector<std::int64_t> feature_, time_, bias_;
};

/// feature [filters, inputs]    time [filters, memory]    bias [filters / rank] or empty
[[nodiscard]] inline result<svdf_kernel> prepare_svdf(const requantize_rule& rule,
                                                      const svdf_spec& s,
                                                      std::vector<std::int64_t> feature,
                                                      std::vector<std::int64_t> time,
                                                      std::vector<std::int64_t> bias) {
  if (auto c = check_rule(rule); !c) return c.error();
  if (s.state_type != element_type::int8 && s.state_type != element_type::int16)
    return error{error_code::unsupported, sentence({"the state type ", name_of(s.state_type),
                                                    " has no kernel; use int8 or int16"})};
  if (s.batch < 0 || s.inputs < 1 || s.filters < 1 || s.memory < 1 || s.rank < 1 ||
      s.filters % s.rank != 0)
    return error{error_code::bad_shape,
                 sentence({number(s.filters), " filters of rank ", number(s.rank), ", ",
                           number(s.inputs), " inputs and a memory of ", number(s.memory),
                           " make no layer; the rank must divide the filters"})};
  const auto has = [](const std::vector<std::int64_t>& v, std::int64_t count) {
    return static_cast<std::int64_t>(v.size()) == count;
  };
  if (!has(feature, std::int64_t{s.filters} * s.inputs) ||
      !has(time, std::int64_t{s.filters} * s.memory) ||
      (!bias.empty() && !has(bias, s.filters / s.rank)))
    return error{error_code::bad_shape,
                 sentence({"weights and bias have ", number(feature.size()), ", ",
                           number(time.size()), " and ", number(bias.size()),
                           " elements, which does not fit the filters, inputs and memory"})};
  if (auto c = check_affine(s.input, element_type::int8, "the input"); !c) return c.error();
  if (auto c = check_affine(s.state, s.state_type, "the state"); !c) return c.error();
  if (auto c = check_affine(s.output, element_type::int8, "the output"); !c) return c.error();
  if (auto c = check_scale(s.feature_scale, "the feature weights"); !c) return c.error();
  if (auto c = check_scale(s.time_scale, "the time weights"); !c) return c.error();
  svdf_kernel kernel;
  kernel.s_ = s;
  kernel.to_state_ = bind(rule, s.input.scale, s.feature_scale, {s.state.scale, 0},
                          activation::none, s.state_type);
  kernel.to_output_ =
      bind(rule, s.state.scale, s.time_scale, s.output, s.fused, element_type::int8);
  kernel.feature_ = std::move(feature);
  kernel.time_ = std::move(time);
  kernel.bias_ = std::move(bias);
  return kernel;
}

/// The door. Checks once; the kernel that it returns cannot fail.
template <target Target> struct svdf {
  static_assert(check_room<Target, room::svdf>());
  [[nodiscard]] static result<svdf_kernel> prepare(const svdf_spec& spec,
                                                   std::vector<std::int64_t> feature,
                                                   std::vector<std::int64_t> time,
                                                   std::vector<std::int64_t> bias = {}) {
    return prepare_svdf(requantizer_of<Target, room::svdf>(facts_of(spec)), spec,
                        std::move(feature), std::move(time), std::move(bias));
  }
};

}  // namespace bittwin::inline v1
