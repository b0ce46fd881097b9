// SPDX-License-Identifier: Apache-2.0
// What each shipped target changes of the one it derives from, written out. Checked here and not in the targets'
// headers, so that their users do not compile it.
#include <bittwin/policy/overrides.hpp>
#include <bittwin/targets/all.hpp>

namespace {

using namespace bittwin;

static_assert(overrides<targets::tflite_builtin, targets::tflite_reference>(
    "conv2d.rescale", "fully_connected.accumulator", "fully_connected.rescale", "lstm.lstm_rule",
    "transpose_conv.accumulator", "transpose_conv.rescale", "transpose_conv.activation_bounds",
    "batch_matmul.rescale", "add.addition", "add.activation_bounds", "sub.addition",
    "mul.scale_product", "sum.sum_rule", "sum.narrowing", "resize_bilinear.interpolation",
    "detection.class_order", "space_to_batch_nd.padding", "mean.mean_rule", "softmax.softmax_rule",
    "quantize.float_code", "relu6.grid", "logistic.unary_rule", "tanh.unary_rule",
    "leaky_relu.unary_rule", "prelu.scale_product", "log_softmax.softmax_rule", "cast.float_cast"));

static_assert(overrides<targets::tflite_single_rounding, targets::tflite_reference>(
    "conv2d.multiplier", "conv2d.rescale", "depthwise_conv2d.multiplier",
    "depthwise_conv2d.rescale", "fully_connected.multiplier", "fully_connected.rescale",
    "transpose_conv.multiplier", "transpose_conv.rescale", "lstm.multiplier", "lstm.rescale",
    "lstm.lstm_rule", "svdf.multiplier", "svdf.rescale", "batch_matmul.multiplier",
    "batch_matmul.rescale", "add.addition", "sub.addition", "squared_difference.pair_rule",
    "div.pair_rule", "comparison.comparison_key", "sum.sum_rule", "resize_bilinear.interpolation",
    "mul.multiplier", "mul.rescale", "mean.mean_rule", "softmax.softmax_rule",
    "requantize.multiplier", "requantize.rescale", "relu.multiplier", "relu.rescale",
    "relu_n1_to_1.multiplier", "relu_n1_to_1.rescale", "logistic.unary_rule", "tanh.unary_rule",
    "leaky_relu.unary_rule", "rsqrt.unary_rule", "abs.unary_rule", "prelu.multiplier",
    "prelu.rescale", "l2_normalization.l2_rule", "log_softmax.softmax_rule"));
}  // namespace
