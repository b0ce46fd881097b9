// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL under a target:  batch_matmul<Target>::prepare(spec).
//   code = requantize( sum over k of (a - a_zero) * (b - b_zero) )
#pragma once

#include <bittwin/kernel/checks.hpp>
#include <bittwin/reference/matmul.hpp>
#include <bittwin/requantize/requantizer.hpp>
#include <bittwin/types/expects.hpp>
#include <span>
#include <utility>

namespace bittwin::inline v1 {

struct batch_matmul_plan;

/// What a room says about such a product, as functions.
struct batch_matmul_rule {
  requantize_rule requantize;
  void (*run_int8)(const batch_matmul_plan&, const std::int8_t*, const std::int8_t*,
                   std::int8_t*) noexcept = nullptr;
  void (*run_int16)(const batch_matmul_plan&, const std::int16_t*, const std::int16_t*,
                    std::int16_t*) noexcept = nullptr;
};

/// a [..., rows, depth] or adjoint [..., depth, rows];  b [..., depth, columns] or adjoint; at least
/// two axes each, those before are broadcast
struct batch_matmul_spec {
  element_type type = element_type::int8;  ///< or int16, with zero points of 0
  shape a_extents, b_extents;
  bool adjoint_a = false, adjoint_b = false;
  affine a{}, b{}, output{};
};

/// int16 products are summed in 64 bits.
[[nodiscard]] inline layer_facts facts_of(const batch_matmul_spec& s) noexcept {
  return {.input = s.type,
          .output = s.type,
          .bias = s.type == element_type::int16 ? element_type::int64 : element_type::int32};
}

/// The layer, ready to run.
struct batch_matmul_plan {
  matmul_geometry geometry;
  element_type type = element_type::int8;
  std::int32_t a_zero = 0, b_zero = 0;
  batch_matmul_rule rule;
  requantizer requantize;
};

/// Extents of the product of a and b. errors: ranks, depths or batches that do not agree
[[nodiscard]] inline result<matmul_geometry> matmul_geometry_of(const shape& a, const shape& b,
                                                                bool adjoint_a, bool adjoint_b) {
  const auto refuse = [&](std::string_view why) {
    return error{error_code::bad_shape,
                 sentence({"operands of shape ", to_string(a), " and ", to_string(b), why})};
  };
  if (a.rank() < 2 || b.rank() < 2) return refuse(" are no matrices; each needs two axes");
  matmul_geometry g;
  g.rows = a.from_end(adjoint_a ? 1 : 2);
  g.depth = a.from_end(adjoint_a ? 2 : 1);
  g.columns = b.from_end(adjoint_b ? 2 : 1);
  g.adjoint_a = adjoint_a;
  g.adjoint_b = adjoint_b;
  if (b.from_end(adjoint_b ? 1 : 2) != g.depth)
    return refuse(" do not agree on the depth of the sum");
  g.a_batches = shape(a.extents().first(static_cast<std::size_t>(a.rank() - 2)));
  g.b_batches = shape(b.extents().first(static_cast<std::size_t>(b.rank() - 2)));
  if (!reference::broadcast_shape(g.a_batches, g.b_batches, g.batches))
    return refuse(" do not broadcast; batches must be equal or 1");
  return g;
}

/// The shape of the result.
[[nodiscard]] inline shape output_of(const matmul_geometry& g) noexcept {
  shape made = g.batches;
  made.push_back(g.rows);
  made.push_back(g.columns);
  return made;
}

/// Const, usable from many threads, allocates nothing, cannot fail. The operands may be the same
/// tensor; the result must not overlap them.
class batch_matmul_kernel {
 public:
  explicit batch_matmul_kernel(batch_matmul_plan plan) noexcept : plan_(std::move(plan)) {}

  [[nodiscard]] const batch_matmul_plan& plan() const noexcept { return plan_; }
  [[nodiscard]] shape output() const noexcept { return output_of(plan_.geometry); }

  void operator()(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                  std::span<std::int8_t> y) const noexcept {
    BITTWIN_EXPECTS(plan_.type == element_type::int8);
    BITTWIN_EXPECTS(static_cast<std::int64_t>(y.size()) == plan_.geometry.elements());
    plan_.rule.run_int8(plan_, a.data(), b.data(), y.data());
  }
  void operator()(std::span<const std::int16_t> a, std::span<const std::int16_t> b,
                  std::span<std::int16_t> y) const noexcept {
    BITTWIN_EXPECTS(plan_.type == element_type::int16);
    BITTWIN_EXPECTS(static_cast<std::int64_t>(y.size()) == plan_.geometry.elements());
    plan_.rule.run_int16(plan_, a.data(), b.data(), y.data());
  }

 private:
  batch_matmul_plan plan_;
};

namespace detail {

template <class Accumulator, class T>
void run_batch_matmul(const batch_matmul_plan& p, const T* a, const T* b, T* y) noexcept {
  reference::batch_matmul<Accumulator>(
      p.geometry, p.a_zero, p.b_zero, a, b,
      [&](std::int64_t at, std::int64_t acc) { y[at] = static_cast<T>(p.requantize(acc, 0)); });
}

}  // namespace detail

/// What a target's batch_matmul room says about one layer.
template <target Target>
[[nodiscard]] constexpr batch_matmul_rule batch_matmul_rule_of(const layer_facts& layer) {
  batch_matmul_rule rule;
  rule.requantize = requantizer_of<Target, room::batch_matmul>(layer);
  choose<axis_value<Target, room::batch_matmul, axis::accumulator>>(
      layer, [&]<class A>(std::type_identity<A>) {
        rule.run_int8 = &detail::run_batch_matmul<A, std::int8_t>;
        rule.run_int16 = &detail::run_batch_matmul<A, std::int16_t>;
      });
  return rule;
}

[[nodiscard]] inline result<batch_matmul_kernel> prepare_batch_matmul(const batch_matmul_rule& rule,
                                                                      const batch_matmul_spec& s) {
  if (s.type != element_type::int8 && s.type != element_type::int16)
    return error{error_code::unsupported, sentence({"the element type ", name_of(s.type),
                                                    " has no kernel; use int8 or int16"})};
  if (auto c = check_rule(rule.requantize); !c) return c.error();
  if (auto c = check_affine(s.a, s.type, "the first operand"); !c) return c.error();
  if (auto c = check_affine(s.b, s.type, "the second operand"); !c) return c.error();
  if (auto c = check_affine(s.output, s.type, "the output"); !c) return c.error();
  if (s.type == element_type::int16 &&
      (s.a.zero_point != 0 || s.b.zero_point != 0 || s.output.zero_point != 0))
    return error{error_code::bad_zero_point,
                 "an int16 product has a zero point other than 0; quantize it symmetrically"};
  const auto geometry = matmul_geometry_of(s.a_extents, s.b_extents, s.adjoint_a, s.adjoint_b);
  if (!geometry) return geometry.error();
  return batch_matmul_kernel({.geometry = *geometry,
                              .type = s.type,
                              .a_zero = s.a.zero_point,
                              .b_zero = s.b.zero_point,
                              .rule = rule,
                              .requantize = bind(rule.requantize, s.a.scale, s.b.scale, s.output,
                                                 activation::none, s.type)});
}

/// The door. Checks once; the kernel that it returns cannot fail.
template <target Target> struct batch_matmul {
  static_assert(check_room<Target, room::batch_matmul>());
  [[nodiscard]] static result<batch_matmul_kernel> prepare(const batch_matmul_spec& spec) {
    return prepare_batch_matmul(batch_matmul_rule_of<Target>(facts_of(spec)), spec);
  }
};

}  // namespace bittwin::inline v1
