// SPDX-License-Identifier: Apache-2.0
// Axis values of one-operand operators that several targets share. Q31 is one of arithmetic.hpp's roundings.
#pragma once

#include <bittwin/targets/arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

/// Fixed point for 8 bits, the table with interpolation for int16. These inputs' multipliers are never capped.
template <class Function, class Q31>
using tflite_sigmoid =
    when<layer_is::int16, unary_rules::interpolated<Function>,
         unary_rules::fixed_sigmoid<Function, multipliers::q31<half_away>, typename Q31::rescale>>;

/// The optimized kernels: a table through float32 for 8 bits, 16-bit fixed point where the scale allows it.
template <class Function, class FloatFunction, class Grid>
using tflite_optimized_sigmoid =
    when<layer_is::int16, unary_rules::fixed_16_or<Function, unary_rules::interpolated<Function>>,
         unary_rules::through_float<FloatFunction, half_away, Grid>>;

template <class Q31, class Sign>
using tflite_leaky_relu =
    unary_rules::leaky_relu<typename Q31::multiplier, typename Q31::rescale, Sign>;

template <class Q31>
using tflite_inverse_root =
    unary_rules::inverse_root<typename Q31::multiplier, typename Q31::rescale>;

template <class Q31>
using tflite_magnitude = unary_rules::magnitude<typename Q31::multiplier, typename Q31::rescale>;

template <class Q31>
using tflite_l2 = when<layer_is::uint8, l2_rules::scaled_codes<typename Q31::rescale>,
                       l2_rules::root_of_row<typename Q31::rescale>>;

template <class Q31>
using tflite_log_softmax =
    softmax_rules::fixed_log<typename Q31::multiplier, typename Q31::rescale>;

}  // namespace bittwin::arithmetic::inline v1
