// SPDX-License-Identifier: Apache-2.0
// SOFTMAX and LOG_SOFTMAX along the innermost axis under a target:  softmax<Target>::prepare(spec).
#pragma once

#include <bittwin/kernel/checks.hpp>
#include <bittwin/policy/room.hpp>
#include <bittwin/types/expects.hpp>
#include <span>

namespace bittwin::inline v1 {

/// rows of `depth` codes; beta finite and > 0
/// output  the type of the result: int16 where the operand is int8, else the operand's
struct softmax_spec {
  element_type type = element_type::int8;
  element_type output = type;
  std::int64_t rows = 1;
  std::int64_t depth = 1;
  float beta = 1.0F;
  affine in{}, out{};
};

[[nodiscard]] inline layer_facts facts_of(const softmax_spec& s) noexcept {
  return {.input = s.type, .output = s.output};
}

/// What a softmax room says, as functions.
struct softmax_rule {
  void (*prepare)(softmax_constants&) noexcept = nullptr;
  void (*row_int8)(const softmax_constants&, std::span<const std::int8_t>,
                   std::span<std::int8_t>) noexcept = nullptr;
  void (*row_uint8)(const softmax_constants&, std::span<const std::uint8_t>,
                    std::span<std::uint8_t>) noexcept = nullptr;
  void (*row_codes)(const softmax_constants&, std::span<const std::int64_t>,
                    std::span<std::int64_t>) noexcept = nullptr;
};

namespace detail {

template <class Rule, class T>
void run_softmax_row(const softmax_constants& c, std::span<const T> x, std::span<T> y) noexcept {
  Rule::row(c, x.data(), static_cast<std::int64_t>(x.size()),
            [&](std::int64_t i, std::int64_t code) noexcept {
              y[static_cast<std::size_t>(i)] = static_cast<T>(code);
            });
}

}  // namespace detail

template <target Target, class Room = room::softmax>
[[nodiscard]] constexpr softmax_rule softmax_rule_of(const layer_facts& layer) {
  static_assert(check_room<Target, Room>());
  softmax_rule rule;
  choose<axis_value<Target, Room, axis::softmax_rule>>(layer, [&]<class P>(std::type_identity<P>) {
    rule.prepare = &P::prepare;
    rule.row_int8 = &detail::run_softmax_row<P, std::int8_t>;
    rule.row_uint8 = &detail::run_softmax_row<P, std::uint8_t>;
    rule.row_codes = &detail::run_softmax_row<P, std::int64_t>;
  });
  return rule;
}

/// A prepared softmax. Const, usable from many threads, cannot fail. No overlap of x and y.
class softmax_kernel {
 public:
  softmax_kernel(const softmax_rule& rule, const softmax_spec& spec) noexcept
      : rule_(rule), spec_(spec) {
    constants_.in = spec.in;
    constants_.out = spec.out;
    constants_.beta = spec.beta;
    constants_.output_type = range_of(spec.output);
    constants_.output_bits = 8 * bytes_of(spec.output);
    rule.prepare(constants_);
  }

  void operator()(std::span<const std::int8_t> x, std::span<std::int8_t> y) const noexcept {
    BITTWIN_EXPECTS(spec_.type == element_type::int8 && spec_.output == spec_.type);
    rows(rule_.row_int8, x, y);
  }
  void operator()(std::span<const std::uint8_t> x, std::span<std::uint8_t> y) const noexcept {
    BITTWIN_EXPECTS(spec_.type == element_type::uint8 && spec_.output == spec_.type);
    rows(rule_.row_uint8, x, y);
  }

  /// Widened codes of any types.
  void operator()(std::span<const std::int64_t> x, std::span<std::int64_t> y) const noexcept {
    rows(rule_.row_codes, x, y);
  }

 private:
  template <class Row, class T>
  void rows(Row row, std::span<const T> x, std::span<T> y) const noexcept {
    const auto depth = static_cast<std::size_t>(spec_.depth);
    for (std::size_t r = 0; r < static_cast<std::size_t>(spec_.rows); ++r)
      row(constants_, x.subspan(r * depth, depth), y.subspan(r * depth, depth));
  }

  softmax_rule rule_;
  softmax_spec spec_;
  softmax_constants constants_;
};

[[nodiscard]] inline result<softmax_kernel> prepare_softmax(const softmax_rule& rule,
                                                            const softmax_spec& s) {
  if (auto c = check_affine(s.in, s.type, "the input"); !c) return c.error();
  if (auto c = check_affine(s.out, s.output, "the output"); !c) return c.error();
  if (s.rows < 0 || s.depth < 1)
    return error{error_code::bad_shape, "a softmax needs at least one element a row"};
  if (auto c = check_scale(s.beta, "beta"); !c)
    return error{error_code::bad_option,
                 sentence({"beta is ", decimal(s.beta), "; it must be finite and above 0"})};
  return softmax_kernel(rule, s);
}

/// LOG_SOFTMAX's grid is fixed: scale 1/16, the highest code for zero.
[[nodiscard]] inline result<softmax_kernel> prepare_log_softmax(const softmax_rule& rule,
                                                                const softmax_spec& s) {
  const auto highest = static_cast<std::int32_t>(range_of(s.output).high);
  if (s.out != affine{0x1p-4F, highest})
    return error{error_code::unsupported,
                 sentence({"the output has scale ", decimal(s.out.scale), " and zero point ",
                           number(s.out.zero_point), "; the operator is defined for 1/16 and ",
                           number(highest)})};
  return prepare_softmax(rule, s);
}

template <target Target> struct log_softmax {
  static_assert(check_room<Target, room::log_softmax>());
  [[nodiscard]] static result<softmax_kernel> prepare(const softmax_spec& spec) {
    return prepare_log_softmax(softmax_rule_of<Target, room::log_softmax>(facts_of(spec)), spec);
  }
};

template <target Target> struct softmax {
  static_assert(check_room<Target, room::softmax>());
  [[nodiscard]] static result<softmax_kernel> prepare(const softmax_spec& spec) {
    return prepare_softmax(softmax_rule_of<Target>(facts_of(spec)), spec);
  }
};

}  // namespace bittwin::inline v1
