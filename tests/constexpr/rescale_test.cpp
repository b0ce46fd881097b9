// SPDX-License-Identifier: Apache-2.0
// Multipliers, rescales and stages on numbers that were worked out by hand, as static_assert on
// value and type. Each number tells the rule that it stands under from its neighbours.
#include <bittwin/policy/accumulator.hpp>
#include <bittwin/policy/averaging.hpp>
#include <bittwin/policy/float_code.hpp>
#include <bittwin/policy/multiplier.hpp>
#include <bittwin/policy/rescale.hpp>
#include <bittwin/policy/scale_product.hpp>
#include <bittwin/policy/stages.hpp>
#include <limits>
#include <support/identical.hpp>

namespace {

using namespace bittwin;
using bittwin::test::identical;
using rounding::half_away, rounding::half_even, rounding::half_up;

using two_step = rescale::q31_two_step<half_up, half_away>;
using one_step = rescale::q31_one_step<half_up>;
constexpr multiplier quarter{1 << 30, -1, 0.25};
constexpr multiplier half{1 << 30, 0, 0.5};
constexpr multiplier one{1 << 30, 1, 1.0};

// 1/4 goes up only where the first step already made 1/2 of it.
static_assert(identical(two_step::apply(1, quarter), std::int64_t{1}));
static_assert(identical(one_step::apply(1, quarter), std::int64_t{0}));
static_assert(two_step::apply(-1, quarter) == 0 && one_step::apply(-1, quarter) == 0);
// -1/2 in one step: up, away, even.
static_assert(one_step::apply(-1, half) == 0);
static_assert(rescale::q31_one_step<half_away>::apply(-1, half) == -1);
static_assert(rescale::q31_one_step<half_even>::apply(-1, half) == 0);
static_assert(rescale::q31_one_step<half_even>::apply(3, half) == 2);
// The tie of the second step: -3/2 is away -2, up -1; the first step only doubles and halves.
static_assert(two_step::apply(-6, quarter) == -2);
static_assert(rescale::q31_two_step<half_up, half_up>::apply(-6, quarter) == -1);
// Multipliers that no rule defines shift left by a defined count, and all but 0 overflows.
static_assert(multipliers::q31<half_away>::of(3.8e36).exponent == 62);
static_assert(one_step::apply(1, {1 << 30, 40, 0}) == 0 &&
              one_step::apply(3, {1 << 30, 32, 0}) == -(1LL << 31));
static_assert(rescale::q31_one_step_int32::apply(1, {1 << 30, 62, 0}) == 0);
static_assert(rescale::q15_reduced<half_up>::apply(1, {1 << 30, 62, 0}) == 0);
static_assert(two_step::apply(1, {1 << 30, 62, 0}) == 0);
// Left shifts wrap before the product: 2^30 * 2 is -2^31.
static_assert(two_step::apply(1 << 30, one) == -(1 << 30));
static_assert(one_step::apply(1 << 30, one) == 1 << 30);
static_assert(two_step::apply(std::numeric_limits<std::int32_t>::min(),
                              {std::numeric_limits<std::int32_t>::min(), 0, 0}) ==
              std::numeric_limits<std::int32_t>::max());
// One step keeps a result past int32 modulo 2^32.
static_assert(one_step::apply(0x7FFFFFFF, {0x7FFFFFFF, 2, 0}) == -8);
static_assert(identical(rescale::fixed_one_step<8, half_up>::apply(-3, {128, 0, 0}),
                        std::int64_t{-1}));
static_assert(rescale::fixed_one_step<8, half_up>::apply(3, {128, 0, 0}) == 2);
// Float: 16777217 becomes 16777216 before it is scaled; double keeps it, and 0.5 of it is a tie.
static_assert(identical(rescale::float32_multiply<half_even>::apply(16777217, {0, 0, 0.5}),
                        std::int64_t{8388608}));
static_assert(rescale::float32_multiply<half_even>::apply(16777219, {0, 0, 0.5}) == 8388610);
static_assert(rescale::float64_multiply<half_away>::apply(16777217, {0, 0, 0.5}) == 8388609);
static_assert(rescale::float64_multiply<half_away>::apply(-1, {0, 0, 0.5}) == -1);
static_assert(rescale::none::apply(-7, {}) == -7);

// Constructions: a mantissa that rounds up to 2^31 is renormalised; 2^-32 is the smallest.
static_assert(identical(multipliers::q31<half_away>::of(0.5).mantissa, std::int32_t{1 << 30}));
static_assert(multipliers::q31<half_away>::of(0.5).exponent == 0);
static_assert(multipliers::q31<half_away>::of(0x1.fffffffffffffp-1).mantissa == 1 << 30);
static_assert(multipliers::q31<half_away>::of(0x1.fffffffffffffp-1).exponent == 1);
static_assert(multipliers::q31<half_away>::of(0x1.fffffffcp-1).mantissa == 0x7FFFFFFF);
static_assert(multipliers::q31<half_away>::of(0x1p-32).mantissa == 1 << 30);
static_assert(multipliers::q31<half_away>::of(0x1p-32).exponent == -31);
static_assert(multipliers::q31<half_away>::of(0x1.fffffffp-33).mantissa == 0);
// A tie of the mantissa (2^30 + 1/2): away and even part.
static_assert(multipliers::q31<half_away>::of(0x1.00000002p-1).mantissa == (1 << 30) + 1);
static_assert(multipliers::q31<half_even>::of(0x1.00000002p-1).mantissa == 1 << 30);
static_assert(multipliers::q31<half_away>::of(0x1p33).exponent == 34);
static_assert(multipliers::q31_capped<half_away>::of(0x1p29).mantissa == 1 << 30);
static_assert(multipliers::q31_capped<half_away>::of(0x1p30).mantissa == 0x7FFFFFFF);
static_assert(multipliers::q31_capped<half_away>::of(0x1p30).exponent == 30);
static_assert(multipliers::q31<half_away>::of(0.0).mantissa == 0);
static_assert(multipliers::fixed<8, half_even>::of(0x1.1p0).mantissa == 272);
static_assert(multipliers::fixed<8, half_even>::of(0x1.008p0).mantissa == 256);  // 256.5
static_assert(multipliers::fixed<8, half_even>::of(0x1.018p0).mantissa == 258);  // 257.5
static_assert(identical(multipliers::float32::of(0.1).real, static_cast<double>(0.1F)));
static_assert(identical(multipliers::float64::of(0.1).real, 0.1));

// Precision of the product: that of two odd 13-bit scales has 25 bits, one more than float32.
constexpr float odd = 4097.0F;  // 4097 * 4099 = 16793603 is past 2^24 and odd
static_assert(identical(scale_product::in_float64::of(odd, 4099.0F, 1.0F), 16793603.0));
static_assert(identical(scale_product::float32_product::of(odd, 4099.0F, 1.0F), 16793604.0));
static_assert(identical(scale_product::float32_product::of(odd, 4099.0F, 3.0F), 5597868.0));
static_assert(identical(scale_product::in_float32::of(1.0F, 1.0F, 3.0F),
                        static_cast<double>(0x1.555556p-2F)));
static_assert(identical(scale_product::in_float64::of(1.0F, 1.0F, 3.0F), 0x1.5555555555555p-2));

// Stages: with zero point 10 a clamp to [0, 20] holds before or after it; the type's does not.
constexpr code_range type{-128, 127}, clamp{0, 20};
static_assert(identical(stages::offset_then_clamp::apply(300, 10, clamp, type), std::int64_t{20}));
static_assert(stages::clamp_then_offset::apply(300, 10, clamp, type) == 20);
static_assert(stages::type_clamp_then_offset::apply(300, 10, clamp, type) == 137);
static_assert(stages::offset_only::apply(300, 10, clamp, type) == 310);
// The sum with the zero point is int32 and wraps; clamping first saves it.
static_assert(stages::offset_then_clamp::apply(0x7FFFFFFF, 10, type, type) == -128);
static_assert(stages::clamp_then_offset::apply(0x7FFFFFFF, 10, type, type) == 127);
static_assert(narrowing::saturate::apply(-129, type) == -128);
static_assert(narrowing::wrap::apply(-129, type) == 127 &&
              narrowing::wrap::apply(128, type) == -128);
static_assert(narrowing::wrap::apply(-1, {0, 255}) == 255);
static_assert(narrowing::symmetric::apply(-128, type) == -127);
static_assert(narrowing::symmetric::apply(0, {0, 255}) == 0);
static_assert(narrowing::symmetric::apply(-5, {0, 255}) == 0);
static_assert(narrowing::wrap::apply(-128, type) == -128 &&
              narrowing::wrap::apply(128, type) == -128);

// Float codes: what lies past int32 wraps with the zero point under one rule, saturates under
// another; NaN is 0 or INT32_MIN.
using x86 = float_code::divide_in_float32<half_away, float_code::to_int32_min>;
using wasm = float_code::divide_in_float64<half_away, float_code::saturated>;
using delegate = float_code::multiply_by_reciprocal<half_even>;
constexpr affine unit{1.0F, 5};
constexpr float infinite = std::numeric_limits<float>::infinity();
static_assert(x86::of(infinite, unit, type) == -128 && x86::of(-infinite, {1.0F, -5}, type) == 127);
static_assert(wasm::of(infinite, unit, type) == -128);  // INT32_MAX + 5 wraps
static_assert(wasm::of(infinite, {1.0F, -5}, type) == 127);
static_assert(delegate::of(infinite, unit, type) == 127 &&
              delegate::of(-infinite, unit, type) == -128);
static_assert(wasm::of(ieee::quiet_nan<float>, unit, type) == 5);
static_assert(x86::of(ieee::quiet_nan<float>, unit, type) == -128);
// 0.35 / 0.1 of float32 values is 3.4999999 in float64, and 3.5 once rounded to float32.
static_assert(x86::of(0.35F, {0.1F, 0}, type) == 4 && wasm::of(0.35F, {0.1F, 0}, type) == 3);
static_assert(delegate::of(2.5F, {1.0F, 0}, type) == 2 && x86::of(2.5F, {1.0F, 0}, type) == 3);

// Accumulators: the sum at which each parts from the exact one.
template <class A, class... Terms> constexpr std::int64_t sum(std::int64_t bias, Terms... terms) {
  A acc(bias);
  (acc.add(terms), ...);
  return acc.value();
}
constexpr term top{127, 0, 127, 0}, pair{-128, 0, -128, 0};
static_assert(identical(sum<accumulator::wrapping<std::int16_t>>(0, top, top, top),
                        std::int64_t{48387 - 65536}));
static_assert(sum<accumulator::saturating<std::int16_t>>(0, top, top, top) == 32767);
static_assert(sum<accumulator::wrapping<std::int32_t>>(0x7FFFFFFF, top) ==
              std::int64_t{0x7FFFFFFF} + 16129 - (std::int64_t{1} << 32));
static_assert(sum<accumulator::wrapping<std::int32_t>>(1, pair, pair) == 32769);
static_assert(sum<accumulator::int16_pairs>(1, pair, pair) == -32767);
static_assert(sum<accumulator::int16_pairs>(1, pair, top, pair) == 1 + 2 * 16384 + 16129);
// zero points are folded out exactly: (-128 - 3) * (-128 - 0) twice, of which raw products wrap
static_assert(sum<accumulator::int16_pairs>(0, term{-128, 3, -128, 0}, term{-128, 3, -128, 0}) ==
              2 * 131 * 128 - 65536);
static_assert(sum<accumulator::int16_saturating_pairs>(0, term{255, 0, 127, 0},
                                                       term{255, 0, 127, 0}) == 32767);

// ---- 16-bit multipliers: 0x4000.8000 goes up; a carry into the sign is capped, or kept by the fault
using reduced = rescale::q15_reduced<rounding::half_up>;
using wrapping_carry = rescale::q15_wrapping<rounding::half_up>;
static_assert(identical(reduced::apply(1 << 15, {0x40008000, 0, 0}), std::int64_t{0x4001}));
static_assert(reduced::apply(1 << 15, {0x7FFF8000, 0, 0}) == 0x7FFF);
static_assert(identical(wrapping_carry::apply(1 << 15, {0x40008000, 0, 0}), std::int64_t{0x4001}));
static_assert(wrapping_carry::apply(1 << 15, {0x7FFF7FFF, 0, 0}) == 0x7FFF);
static_assert(wrapping_carry::apply(1 << 15, {0x7FFF8000, 0, 0}) == -0x8000);

// ---- pools: -0.5 of centred codes is -1, so 2; 2.5 of raw codes is 3
using centred = pool_division::of_centred_codes<rounding::half_away>;
using raw_codes = pool_division::of_raw_codes<rounding::half_away>;
static_assert(identical(centred::apply(5, 2, 3), std::int64_t{2}));
static_assert(centred::apply(7, 2, 3) == 4 && centred::apply(-9, 4, -2) == -2);
static_assert(identical(raw_codes::apply(5, 2, 3), std::int64_t{3}));
static_assert(raw_codes::apply(-5, 2, 3) == -3 && raw_codes::apply(-7, 3, 0) == -2);

}  // namespace
