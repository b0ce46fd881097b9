// SPDX-License-Identifier: Apache-2.0
// How accumulators of 16 channels become codes: one of a closed set of forms, its constants found and proved by
// prepare() (proof/linear_form.hpp, proof/fixed_form.hpp).
//   float32, float64   code = clamp( narrow( half_even( fma(F(acc), scale, acc < seam ? offset_below : offset) ) ) )
//   float32_product    code = clamp( narrow( half_even( F(acc) * scale ) + zero_point ) )
//   fixed              code = clamp( narrow( (floor(acc multiplier / 2^30) + (acc < 0 ? add_below : add)) >> shift ) )
// The accumulator is centred: the sum that a kernel starts from holds bias, zero points and the centre.
#pragma once

#include <bittwin/simd/tile.hpp>
#include <cstdint>
#include <string_view>
#include <utility>

namespace bittwin::simd::inline v1 {

enum class form_kind : std::uint8_t {
  float32,          ///< one offset for all accumulators
  float32_product,  ///< the product rounded to float32, as float rules have it
  float32_two_sided,
  fixed,  ///< 31 bits of multiplier, as most targets have them
  fixed_two_sided,
  float64,  ///< what the fixed ones have no room for
  float64_two_sided,
  scalar,  ///< no form was proved: the target's own function, one accumulator at a time
};

inline constexpr int form_kinds = static_cast<int>(form_kind::scalar) + 1;

/// Cheapest first.
inline constexpr form_kind every_form[] = {form_kind::float32,           form_kind::float32_product,
                                           form_kind::float32_two_sided, form_kind::fixed,
                                           form_kind::fixed_two_sided,   form_kind::float64,
                                           form_kind::float64_two_sided};

[[nodiscard]] constexpr bool is_fixed(form_kind k) noexcept {
  return k == form_kind::fixed || k == form_kind::fixed_two_sided;
}
[[nodiscard]] constexpr bool is_float64(form_kind k) noexcept {
  return k == form_kind::float64 || k == form_kind::float64_two_sided;
}
[[nodiscard]] constexpr bool is_two_sided(form_kind k) noexcept {
  return k == form_kind::float32_two_sided || k == form_kind::fixed_two_sided ||
         k == form_kind::float64_two_sided;
}
[[nodiscard]] constexpr std::string_view name_of(form_kind k) noexcept {
  constexpr std::string_view names[] = {
      "float32",         "float32 product", "float32 two-sided", "fixed",
      "fixed two-sided", "float64",         "float64 two-sided", "scalar"};
  return names[static_cast<int>(k)];
}

/// One function for each kind but the scalar one, in their order.
template <class Function> struct form_table {
  Function of[form_kinds - 1];
  [[nodiscard]] constexpr Function operator[](form_kind k) const noexcept {
    return of[static_cast<int>(k)];
  }
};
/// The table of make(constant of the kind).
template <class Function, class Make>
[[nodiscard]] constexpr form_table<Function> for_every_form(Make make) noexcept {
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    return form_table<Function>{
        {make(std::integral_constant<form_kind, static_cast<form_kind>(K)>())...}};
  }
  (std::make_integer_sequence<int, form_kinds - 1>());
}

struct alignas(64) channel_form {
  float scale[lanes];
  float offset[lanes];
  float offset_below[lanes];
  std::int32_t seam[lanes];  ///< of a product: the zero point
  double scale64[lanes];
  double offset64[lanes];
  double offset64_below[lanes];
  double seam64[lanes];
  std::int32_t multiplier[lanes];
  std::int32_t add[lanes], add_below[lanes];
  std::int32_t shift[lanes];
  std::int32_t centre[lanes];  ///< what was taken from the accumulator; 0 for scalar forms
  form_kind kind = form_kind::scalar;
};

/// Gives a lane the constants of another form's lane; both are of one kind.
constexpr void copy_lane(channel_form& to, int lane, const channel_form& from, int of) noexcept {
  to.scale[lane] = from.scale[of];
  to.offset[lane] = from.offset[of], to.offset_below[lane] = from.offset_below[of];
  to.seam[lane] = from.seam[of];
  to.scale64[lane] = from.scale64[of];
  to.offset64[lane] = from.offset64[of], to.offset64_below[lane] = from.offset64_below[of];
  to.seam64[lane] = from.seam64[of];
  to.multiplier[lane] = from.multiplier[of], to.shift[lane] = from.shift[of];
  to.add[lane] = from.add[of], to.add_below[lane] = from.add_below[of];
  to.centre[lane] = from.centre[of];
}

/// Accumulators of some pixels, and where their codes go.
struct code_tile {
  const std::int32_t* acc = nullptr;  ///< [pixel, vector, 16]
  std::int32_t pixels = 0;
  std::int32_t vectors = 0;
  std::int32_t channels = 0;            ///< at most 16 * vectors; no code is stored beyond them
  const channel_form* forms = nullptr;  ///< [vector]
  std::uint8_t* codes = nullptr;        ///< of the first pixel and channel
  std::int64_t pixel_step = 0;          ///< in bytes
  std::int8_t low = -128;               ///< clamp, of signed codes
  std::int8_t high = 127;
  std::uint8_t flip = 0;  ///< 0x80 makes them unsigned codes
};

/// Equally spaced pixels, the first of which is that of a tile, whose sums become codes in registers. No form is scalar.
struct pixel_run {
  std::int64_t pixels = 0;  ///< whole tiles of them, unless they are windows of a line
  std::int64_t pixel_step = 0;
  const channel_form* forms = nullptr;  ///< [vector]
  std::int32_t channels = 0;            ///< no code is stored beyond them
  std::uint8_t* codes = nullptr;        ///< of the first pixel
  std::int64_t code_step = 0;
  std::int8_t low = -128, high = 127;
  std::uint8_t flip = 0;
};
using convolve_function = void (*)(const dot_product_tile&, const pixel_run&) noexcept;

/// Leaves out the vectors of scalar form.
using requantize_function = void (*)(const code_tile&) noexcept;

}  // namespace bittwin::simd::inline v1
