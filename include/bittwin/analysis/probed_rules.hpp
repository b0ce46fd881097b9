// SPDX-License-Identifier: Apache-2.0
// A table of rules that runs as another and remembers the stages of one element: each rule is that of the table, with a
// watch on the function that every element passes once, in order.
#pragma once

#include <bittwin/analysis/stage.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <bittwin/simd/arch.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// Of this thread: whose rules, which element, and what was seen of it.
struct probe {
  const graph::target_rules* rules = nullptr;
  requantize_steps steps;
  decltype(addition_rule::apply) add = nullptr;
  decltype(pool_rule::divide) divide = nullptr;
  decltype(mean_rule::apply) mean = nullptr;
  std::int64_t wanted = -1;  ///< before a run: nothing is counted
  std::int64_t seen = 0;
  std::vector<stage> stages;

  [[nodiscard]] bool is_wanted() { return wanted >= 0 && seen++ == wanted; }
  void put(const char* name, std::int64_t value) {
    stages.push_back({name, std::to_string(value)});
  }
};
inline thread_local probe watching;

[[nodiscard]] inline std::string text_of(const multiplier& m) {
  char text[80];
  if (m.mantissa != 0)
    std::snprintf(text, sizeof text, "%.9g: %d, exponent %d", m.real, m.mantissa, m.exponent);
  else
    std::snprintf(text, sizeof text, "%.9g", m.real);
  return text;
}

inline std::int64_t watched_requantize(std::int64_t acc, const multiplier& m,
                                       std::int64_t zero_point, code_range clamp,
                                       code_range type) noexcept {
  probe& p = watching;
  const std::int64_t scaled = p.steps.rescale(acc, m);
  const std::int64_t staged = p.steps.stages(scaled, zero_point, clamp, type);
  const std::int64_t stored = p.steps.narrow(staged, type);
  if (p.is_wanted()) {
    p.put("accumulator", acc);
    p.stages.push_back({"multiplier", text_of(m)});
    p.put("rescaled", scaled);
    p.stages.push_back(
        {"clamp", "[" + std::to_string(clamp.low) + ", " + std::to_string(clamp.high) + "]"});
    p.put("zero point and clamp", staged);
    p.put("stored", stored);
  }
  return stored;
}

inline std::int64_t watched_addition(const addition_constants& c, std::int64_t a,
                                     std::int64_t b) noexcept {
  const std::int64_t sum = watching.add(c, a, b);
  if (watching.is_wanted()) {
    watching.put("first operand less zero point", a - c.a.zero_point);
    watching.put("second operand less zero point", b - c.b.zero_point);
    watching.put("sum on the output's grid", sum);
  }
  return sum;
}

inline std::int64_t watched_division(std::int64_t sum, std::int64_t count,
                                     std::int32_t zero_point) noexcept {
  const std::int64_t quotient = watching.divide(sum, count, zero_point);
  if (watching.is_wanted()) {
    watching.put("sum of the window", sum);
    watching.put("taps", count);
    watching.put("quotient", quotient);
  }
  return quotient;
}

inline std::int64_t watched_mean(const mean_constants& c, std::int64_t sum) noexcept {
  const std::int64_t mean = watching.mean(c, sum);
  if (watching.is_wanted()) {
    watching.put("sum of the codes", sum);
    watching.put("elements", c.count);
    watching.put("mean on the output's grid", mean);
  }
  return mean;
}

inline void watch(requantize_rule& r) {
  if (r.steps.rescale == nullptr) return;
  watching.steps = r.steps;
  r.apply = &watched_requantize;
}
inline void watch(dot_product_rule& r) {
  watch(r.requantize);
  r.summation = {};
}
inline void watch(batch_matmul_rule& r) { watch(r.requantize); }
inline void watch(activation_rule& r) {
  watch(r.requantize);
  r.packs = false;
}
inline void watch(requantize_room& r) {
  watch(r.rule);
  r.packs = false;
}
inline void watch(addition_rule& r) {
  watching.add = r.apply;
  r.packs = false;
  r.apply = &watched_addition;
}
inline void watch(pool_rule& r) {
  if (r.divide == nullptr) return;
  watching.divide = r.divide;
  r.packs = false;
  r.divide = &watched_division;
}
inline void watch(mean_rule& r) {
  watching.mean = r.apply;
  r.packs = false;
  r.apply = &watched_mean;
}

template <auto Entry> auto watched_rule(const layer_facts& layer) {
  auto rule = (watching.rules->*Entry)(layer);
  watch(rule);
  return rule;
}

/// While it lives, layers that are prepared run by their rules: packed kernels and tables would pass the watch by.
/// Other threads that prepare layers meanwhile get scalar ones, too, with the same integers.
class rules_alone {
 public:
  rules_alone() noexcept : before_(simd::which_arch()) { simd::force_arch(simd::arch::scalar); }
  rules_alone(const rules_alone&) = delete;
  rules_alone& operator=(const rules_alone&) = delete;
  ~rules_alone() { simd::force_arch(before_); }

 private:
  simd::arch before_;
};

/// The table, watched; valid while `rules` lives, in one thread, until the next call.
[[nodiscard]] inline graph::target_rules watched(const graph::target_rules& rules) {
  watching = {};
  watching.rules = &rules;
  graph::target_rules w = rules;
  w.leaves = nullptr;
  w.abandons = nullptr;
  w.otherwise = nullptr;
  const auto put = [&]<auto Entry>() {
    if (!(rules.*Entry == nullptr)) w.*Entry = &watched_rule<Entry>;
  };
  using t = graph::target_rules;
  put.template operator()<&t::conv2d>();
  put.template operator()<&t::depthwise_conv2d>();
  put.template operator()<&t::fully_connected>();
  put.template operator()<&t::transpose_conv>();
  put.template operator()<&t::batch_matmul>();
  put.template operator()<&t::add>();
  put.template operator()<&t::sub>();
  put.template operator()<&t::mul>();
  put.template operator()<&t::average_pool2d>();
  put.template operator()<&t::mean>();
  put.template operator()<&t::sum>();
  put.template operator()<&t::requantize>();
  put.template operator()<&t::relu>();
  put.template operator()<&t::relu6>();
  put.template operator()<&t::relu_n1_to_1>();
  return w;
}

}  // namespace detail

}  // namespace bittwin::analysis::inline v1
