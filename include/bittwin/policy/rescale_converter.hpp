// SPDX-License-Identifier: Apache-2.0
// Rescales that are a unit of a chip: the scaled value inside a converter (policy/converter.hpp), and the vector unit of
// XMOS, which has 16 bits between its steps.
//   in_converter<C>     C's value of acc, offset 0, before its clip
//   steps_of_16_bits    half_up( sym16( half_up(sym16( half_up(acc * 2^exponent) ) * mantissa / 2^14) ) / 2^8 )
#pragma once

#include <bittwin/policy/converter.hpp>
#include <bittwin/policy/multiplier.hpp>

namespace bittwin::rescale::inline v1 {

/// acc  any int32    mantissa  [1, 2^15), the converter's scale    exponent  [-31, 0], its shift to the right
/// errors  where the converter wraps, results fall: monotone while no product of it does
/// source  PULP-NN pulp_nn_quant_u8 (Converter = int16_before_clip), pulp_nn_bn_quant_u8 (folded_normalisation)
template <class Converter> struct in_converter {
  static constexpr std::string_view name = "in-converter";
  static constexpr representation form = representation::shifted;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    return Converter::apply(acc, {m.mantissa, -m.exponent, 0}, range_of(element_type::int32));
  }
  static constexpr code_range monotone_interval(const multiplier& m) noexcept {
    if (m.mantissa <= 0) return {0, 0};
    const std::int64_t most = Converter::greatest_product(-m.exponent) / m.mantissa;
    return {-most, most};
  }
};

/// Three roundings, ties up in each; sym16 saturates to +-(2^15 - 1). Zero points of 0.
/// acc  any int32    mantissa  [0, 2^15), Q1.14    exponent  [-31, 0], the shift of VLSAT
/// source  xmos/lib_nn: VLSAT, VLMUL, VDEPTH8 of the XS3 vector unit
struct steps_of_16_bits {
  static constexpr std::string_view name = "steps-of-16-bits";
  static constexpr representation form = representation::shifted;
  static constexpr std::int64_t apply(std::int64_t acc, const multiplier& m) noexcept {
    using rounding::half_up, rounding::shift_right;
    const auto symmetric = [](std::int64_t v) {
      constexpr std::int64_t limit = highest<std::int16_t>;
      return BITTWIN_MUTABLE(clamp_to(v, -limit, limit), steps_end_at_16_bits, v);
    };
    const std::int64_t kept = symmetric(shift_right<half_up>(acc, -m.exponent));
    const std::int64_t product = symmetric(
        shift_right<half_up>(kept * m.mantissa, BITTWIN_MUTABLE(14, q14_product_shift, 15)));
    return shift_right<half_up>(product, 8);
  }
  static constexpr code_range monotone_interval(const multiplier&) noexcept {
    return range_of(element_type::int32);
  }
};

}  // namespace bittwin::rescale::inline v1
