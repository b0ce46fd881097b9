// SPDX-License-Identifier: Apache-2.0
// SQUARED_DIFFERENCE, DIV and the six comparisons under a target, with broadcasting.
//   code = clamp( pair_rule(a, b), activation )          truth = key(a) <relation> key(b)
#pragma once

#include <bittwin/kernel/addition.hpp>

namespace bittwin::inline v1 {

template <target Target> struct squared_difference {
  static_assert(check_room<Target, room::squared_difference>());
  [[nodiscard]] static result<addition_kernel> prepare(const binary_spec& spec) {
    return prepare_addition(
        addition_rule_of<Target, room::squared_difference, axis::pair_rule>(facts_of(spec)), spec,
        1);
  }
};

/// DIV. A divisor at its zero point gives some code of the type; which one is not defined.
template <target Target> struct quotient {
  static_assert(check_room<Target, room::div>());
  [[nodiscard]] static result<addition_kernel> prepare(const binary_spec& spec) {
    return prepare_addition(addition_rule_of<Target, room::div, axis::pair_rule>(facts_of(spec)),
                            spec, 1);
  }
};

enum class relation : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };

/// a <relation> b for numbers of any kind
template <class T> [[nodiscard]] constexpr bool holds(relation r, T a, T b) noexcept {
  switch (r) {
    case relation::equal: return a == b;
    case relation::not_equal: return a != b;
    case relation::less: return a < b;
    case relation::less_equal: return a <= b;
    case relation::greater: return a > b;
    case relation::greater_equal: return a >= b;
  }
  return false;
}

/// What a comparison room says, as functions.
struct comparison_rule {
  multiplier (*prepare)(float) noexcept = nullptr;
  std::int64_t (*key)(std::int64_t, const multiplier&) noexcept = nullptr;
};

template <target Target>
[[nodiscard]] constexpr comparison_rule comparison_rule_of(const layer_facts& layer) {
  static_assert(check_room<Target, room::comparison>());
  comparison_rule rule;
  choose<axis_value<Target, room::comparison, axis::comparison_key>>(
      layer, [&]<class P>(std::type_identity<P>) {
        rule.prepare = &P::prepare;
        rule.key = &P::key;
      });
  return rule;
}

/// A prepared comparison. Const, usable from many threads, cannot fail. The output's grid is not read.
class comparison_kernel {
 public:
  comparison_kernel(const comparison_rule& rule, const binary_spec& spec, const shape& out,
                    relation r) noexcept
      : rule_(rule),
        spec_(spec),
        out_(out),
        relation_(r),
        first_(rule.prepare(spec.a.scale)),
        second_(rule.prepare(spec.b.scale)) {}

  [[nodiscard]] const shape& output() const noexcept { return out_; }

  [[nodiscard]] bool operator()(std::int64_t a, std::int64_t b) const noexcept {
    return holds(relation_, rule_.key(a - spec_.a.zero_point, first_),
                 rule_.key(b - spec_.b.zero_point, second_));
  }

  /// y  1 where the relation holds, else 0
  template <class T, class Truth>
  void operator()(std::span<const T> a, std::span<const T> b, std::span<Truth> y) const noexcept {
    BITTWIN_EXPECTS(holds_codes<T>(spec_.type));
    reference::for_each_pair(out_, spec_.a_extents, spec_.b_extents,
                             [&](std::int64_t o, std::int64_t i, std::int64_t j) {
                               y[static_cast<std::size_t>(o)] = static_cast<Truth>(
                                   (*this)(std::int64_t{a[static_cast<std::size_t>(i)]},
                                           std::int64_t{b[static_cast<std::size_t>(j)]}));
                             });
  }

 private:
  comparison_rule rule_;
  binary_spec spec_;
  shape out_;
  relation relation_;
  multiplier first_, second_;
};

[[nodiscard]] inline result<comparison_kernel> prepare_comparison(const comparison_rule& rule,
                                                                  const binary_spec& s,
                                                                  relation r) {
  shape out;
  if (auto c = check_binary(s, out); !c) return c.error();
  return comparison_kernel(rule, s, out, r);
}

template <target Target> struct compare {
  static_assert(check_room<Target, room::comparison>());
  [[nodiscard]] static result<comparison_kernel> prepare(const binary_spec& spec, relation r) {
    return prepare_comparison(comparison_rule_of<Target>(facts_of(spec)), spec, r);
  }
};

}  // namespace bittwin::inline v1
