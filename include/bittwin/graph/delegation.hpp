// SPDX-License-Identifier: Apache-2.0
// Which operators a delegating target takes and which it leaves to the kernels behind it, decided
// from the model alone. leaves() gives the reason as a short text, empty where the delegate takes
// the operator. Sources
//   tensorflow/lite/delegates/xnnpack/xnnpack_delegate.cc of 2022, checked against the operators
//   that npm @tensorflow/tfjs-tflite 0.0.1-alpha.10 was seen to delegate.
#pragma once

#include <algorithm>
#include <bittwin/graph/constant.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/targets/xnnpack.hpp>
#include <bittwin/types/ieee.hpp>
#include <string_view>

namespace bittwin::graph::inline v1 {

/// Specialised for each target that declares `otherwise`.
template <class Target> struct delegation;

namespace detail {

/// The tensors of one operator, by position; null for an absent operand.
struct operands {
  const model& m;
  const operation& op;

  [[nodiscard]] const tensor* in(std::size_t i) const noexcept {
    if (i >= op.inputs.size() || op.inputs[i] == no_tensor) return nullptr;
    return &m.tensors[static_cast<std::size_t>(op.inputs[i])];
  }
  [[nodiscard]] const tensor& out(std::size_t i = 0) const noexcept {
    return m.tensors[static_cast<std::size_t>(op.outputs[i])];
  }
};

[[nodiscard]] inline bool is_8_bit(const tensor& t) noexcept {
  return t.type == element_type::int8 || t.type == element_type::uint8;
}

[[nodiscard]] inline bool all_of_type(const operands& o, element_type type,
                                      std::size_t inputs) noexcept {
  if (o.out().type != type) return false;
  for (std::size_t i = 0; i < inputs; ++i)
    if (o.in(i) == nullptr || o.in(i)->type != type) return false;
  return true;
}

/// low <= float32(a * b / out) < high
[[nodiscard]] inline bool ratio_within(float a, float b, float out, float low,
                                       float high) noexcept {
  const float ratio = ieee::divide(ieee::multiply(a, b), out);
  return !ieee::less(ratio, low) && ieee::less(ratio, high);
}

[[nodiscard]] inline std::string_view leaves_dot_product(const operands& o) noexcept {
  const tensor *x = o.in(0), *w = o.in(1), *bias = o.in(2);
  if (x == nullptr || w == nullptr || !is_8_bit(*x) || !all_of_type(o, x->type, 2))
    return "element types";
  if (!w->is_constant()) return "weights computed at run time";
  if (bias != nullptr && !bias->is_constant()) return "bias computed at run time";
  if (bias == nullptr && o.op.code != operator_code::fully_connected) return "no bias";
  if (o.op.code == operator_code::fully_connected && w->quantization.per_channel())
    return "per-channel weights";
  for (const float scale : w->quantization.scales)
    if (!ratio_within(x->quantization.scale(), scale, o.out().quantization.scale(), 0x1p-32F,
                      256.0F))
      return "multiplier outside [2^-32, 2^8)";
  return {};
}

[[nodiscard]] inline std::string_view leaves_binary(const operands& o) noexcept {
  const tensor *a = o.in(0), *b = o.in(1);
  if (a == nullptr || b == nullptr || !is_8_bit(*a) || !all_of_type(o, a->type, 2))
    return "element types";
  const float out = o.out().quantization.scale();
  const auto fits = [&](const tensor& t) {
    return ratio_within(t.quantization.scale(), 1.0F, out, 0x1p-10F, 256.0F);
  };
  if (o.op.code == operator_code::mul)
    return ratio_within(a->quantization.scale(), b->quantization.scale(), out, 0x1p-16F, 256.0F)
               ? std::string_view{}
               : "multiplier outside [2^-16, 2^8)";
  return fits(*a) && fits(*b) ? std::string_view{} : "scale ratio outside [2^-10, 2^8)";
}

[[nodiscard]] inline std::string_view leaves_mean(const operands& o) noexcept {
  const tensor *x = o.in(0), *axes = o.in(1);
  if (x == nullptr || axes == nullptr || !is_8_bit(*x) || o.out().type != x->type)
    return "element types";
  if (!axes->is_constant()) return "axes computed at run time";
  const auto* options = std::get_if<reduce_options>(&o.op.options);
  if (x->extents.rank() != 4) return "not 4-D";
  if (options == nullptr || !options->keep_dims) return "reduced axes are dropped";
  std::vector<std::int32_t> list = constant_as<std::int32_t>(*axes);
  for (std::int32_t& axis : list) axis = axis < 0 ? axis + 4 : axis;
  std::sort(list.begin(), list.end());
  return list == std::vector<std::int32_t>{1, 2} ? std::string_view{} : "axes other than {1, 2}";
}

}  // namespace detail

template <> struct delegation<targets::xnnpack> {
  [[nodiscard]] static std::string_view leaves(const model& m, const operation& op) {
    const detail::operands o{m, op};
    const tensor* x = o.in(0);
    const bool same_type = x != nullptr && x->type == o.out().type && detail::is_8_bit(*x);
    switch (op.code) {
      case operator_code::conv_2d:
      case operator_code::depthwise_conv_2d:
      case operator_code::fully_connected:
        return detail::leaves_dot_product(o);
      case operator_code::add:
      case operator_code::sub:
      case operator_code::mul:
        return detail::leaves_binary(o);
      case operator_code::mean:
        return detail::leaves_mean(o);
      case operator_code::max_pool_2d:
      case operator_code::pad:
      case operator_code::concatenation:
        return same_type ? std::string_view{} : "element types";
      case operator_code::quantize:
        if (x != nullptr && x->type == element_type::float32)
          return detail::is_8_bit(o.out()) ? std::string_view{} : "element types";
        return same_type ? std::string_view{} : "element types";
      default:
        return "no such operator in the delegate";
    }
  }
};

}  // namespace bittwin::graph::inline v1
