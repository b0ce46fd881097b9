// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION along the innermost axis under a target:  l2_normalization<Target>::prepare(spec).
#pragma once

#include <bittwin/kernel/checks.hpp>
#include <bittwin/policy/room.hpp>
#include <span>
#include <type_traits>

namespace bittwin::inline v1 {

/// rows of `depth` codes; results are at scale 1/128 around the middle of the type, whatever `out` says
struct l2_normalization_spec {
  element_type type = element_type::int8;
  std::int64_t rows = 1;
  std::int64_t depth = 1;
  affine in{}, out{};
};

[[nodiscard]] inline layer_facts facts_of(const l2_normalization_spec& s) noexcept {
  return {.input = s.type, .output = s.type};
}

using l2_row_function = void (*)(std::span<const std::int64_t>, std::int32_t, code_range,
                                 std::span<std::int64_t>) noexcept;

template <target Target>
[[nodiscard]] constexpr l2_row_function l2_normalization_rule(const layer_facts& layer) {
  static_assert(check_room<Target, room::l2_normalization>());
  l2_row_function row = nullptr;
  choose<axis_value<Target, room::l2_normalization, axis::l2_rule>>(
      layer, [&]<class P>(std::type_identity<P>) { row = &P::row; });
  return row;
}

/// On widened codes. Const, usable from many threads, cannot fail; may run in place.
class l2_normalization_kernel {
 public:
  l2_normalization_kernel(l2_row_function row, const l2_normalization_spec& spec) noexcept
      : row_(row), spec_(spec) {}

  void operator()(std::span<const std::int64_t> x, std::span<std::int64_t> y) const noexcept {
    const auto depth = static_cast<std::size_t>(spec_.depth);
    for (std::size_t r = 0; r < static_cast<std::size_t>(spec_.rows); ++r)
      row_(x.subspan(r * depth, depth), spec_.in.zero_point, range_of(spec_.type),
           y.subspan(r * depth, depth));
  }

 private:
  l2_row_function row_;
  l2_normalization_spec spec_;
};

[[nodiscard]] inline result<l2_normalization_kernel> prepare_l2_normalization(
    l2_row_function row, const l2_normalization_spec& s) {
  if (auto e = check_affine(s.in, s.type, "the input"); !e) return e.error();
  if (auto e = check_affine(s.out, s.type, "the output"); !e) return e.error();
  if (s.rows < 0 || s.depth < 1)
    return error{error_code::bad_shape, "a norm needs at least one element a row"};
  return l2_normalization_kernel(row, s);
}

template <target Target> struct l2_normalization {
  static_assert(check_room<Target, room::l2_normalization>());
  [[nodiscard]] static result<l2_normalization_kernel> prepare(const l2_normalization_spec& spec) {
    return prepare_l2_normalization(l2_normalization_rule<Target>(facts_of(spec)), spec);
  }
};

}  // namespace bittwin::inline v1
