// SPDX-License-Identifier: Apache-2.0
// MUL under a target, with broadcasting:  mul<Target>::prepare(spec).
//   code = requantize( (a - a_zero) * (b - b_zero) ), real multiplier = a_scale * b_scale /
//   output_scale
#pragma once

#include <bittwin/kernel/addition.hpp>
#include <bittwin/requantize/requantizer.hpp>
#include <bittwin/types/mutation.hpp>

namespace bittwin::inline v1 {

/// A prepared product. Const, usable from many threads, cannot fail.
/// The result may be the same tensor as an operand of the same extents.
class mul_kernel {
 public:
  mul_kernel(requantizer requantize, const binary_spec& spec, const shape& out) noexcept
      : requantize_(std::move(requantize)), spec_(spec), out_(out) {}

  [[nodiscard]] const shape& output() const noexcept { return out_; }

  /// The code of one pair.
  [[nodiscard]] std::int64_t operator()(std::int64_t a, std::int64_t b) const noexcept {
    return requantize_(
        (a - spec_.a.zero_point) *
            (b - BITTWIN_MUTABLE(spec_.b.zero_point, product_zero_point, spec_.a.zero_point)),
        0);
  }

  template <class T>
  void operator()(std::span<const T> a, std::span<const T> b, std::span<T> y) const noexcept {
    BITTWIN_EXPECTS(holds_codes<T>(spec_.type));
    reference::for_each_pair(out_, spec_.a_extents, spec_.b_extents,
                             [&](std::int64_t o, std::int64_t i, std::int64_t j) {
                               y[static_cast<std::size_t>(o)] = static_cast<T>(
                                   (*this)(std::int64_t{a[static_cast<std::size_t>(i)]},
                                           std::int64_t{b[static_cast<std::size_t>(j)]}));
                             });
  }

 private:
  requantizer requantize_;
  binary_spec spec_;
  shape out_;
};

[[nodiscard]] inline result<mul_kernel> prepare_mul(const requantize_rule& rule,
                                                    const binary_spec& s) {
  shape out;
  if (auto c = check_binary(s, out); !c) return c.error();
  if (auto c = check_rule(rule); !c) return c.error();
  if (auto c = check_multiplier(rule, s.a.scale, s.b.scale, s.output.scale); !c) return c.error();
  return mul_kernel(bind(rule, s.a.scale, s.b.scale, s.output, s.fused, s.type), s, out);
}

template <target Target> struct mul {
  static_assert(check_room<Target, room::mul>());
  [[nodiscard]] static result<mul_kernel> prepare(const binary_spec& spec) {
    return prepare_mul(requantizer_of<Target, room::mul>(facts_of(spec)), spec);
  }
};

}  // namespace bittwin::inline v1
