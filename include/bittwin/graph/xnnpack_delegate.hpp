// SPDX-License-Identifier: Apache-2.0
// The conditions of TensorFlow Lite's XNNPACK delegate on 8-bit operators.
//   leaves         the operator is not taken: it runs as the built-in kernel
//   cannot_create  it is taken, but XNNPACK refuses to build it: then the runtime restores its
//   original plan
//                  and the whole model runs as built-in kernels
// Sources
//   npm @tensorflow/tfjs-tflite 0.0.1-alpha.10, probed at both sides of each limit; it behaves as
//   tensorflow/lite/delegates/xnnpack/xnnpack_delegate.cc between TensorFlow 2.10 and 2.11.
#pragma once

#include <algorithm>
#include <bittwin/graph/constant.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/targets/xnnpack.hpp>
#include <bittwin/types/ieee.hpp>
#include <string_view>
#include <vector>

namespace bittwin::graph::xnnpack_delegate::inline v1 {

/// The tensors of one operator, by position; null for an absent operand.
struct operands {
  const model& m;
  const operation& op;

  [[nodiscard]] const tensor* in(std::size_t i) const noexcept {
    if (i >= op.inputs.size() || op.inputs[i] == no_tensor) return nullptr;
    return &m.tensors[static_cast<std::size_t>(op.inputs[i])];
  }
  [[nodiscard]] const tensor& out() const noexcept {
    return m.tensors[static_cast<std::size_t>(op.outputs[0])];
  }
  template <class Options> [[nodiscard]] Options options() const {
    const auto* held = std::get_if<Options>(&op.options);
    return held != nullptr ? *held : Options{};
  }
};

namespace detail {

[[nodiscard]] inline bool is_8_bit(const tensor& t) noexcept {
  return t.type == element_type::int8 || t.type == element_type::uint8;
}

/// Every activation is 8-bit, of one type, with one scale.
[[nodiscard]] inline bool same_8_bit(const operands& o, std::size_t inputs) noexcept {
  const auto usable = [&](const tensor* t) {
    return t != nullptr && is_8_bit(*t) && t->type == o.out().type &&
           t->quantization.scales.size() == 1;
  };
  for (std::size_t i = 0; i < inputs; ++i)
    if (!usable(o.in(i))) return false;
  return usable(&o.out());
}

/// float32(float32(a * b) / out)
[[nodiscard]] inline float ratio_of(float a, float b, float out) noexcept {
  return ieee::divide(ieee::multiply(a, b), out);
}
[[nodiscard]] inline float ratio_of(const tensor& in, const tensor& out) noexcept {
  return ratio_of(in.quantization.scale(), 1.0F, out.quantization.scale());
}
/// low <= ratio < high
[[nodiscard]] inline bool within(float ratio, float low, float high) noexcept {
  return !ieee::less(ratio, low) && ieee::less(ratio, high);
}

[[nodiscard]] inline std::string_view leaves_dot_product(const operands& o) noexcept {
  const tensor *w = o.in(1), *bias = o.in(2);
  const bool dense = o.op.code == operator_code::fully_connected;
  if (!same_8_bit(o, 1) || w == nullptr || w->type != o.out().type || !w->quantization.present())
    return "element types";
  if (!w->is_constant()) return "weights computed at run time";
  if (bias == nullptr && !dense) return "no bias";
  if (bias != nullptr && !bias->is_constant()) return "bias computed at run time";
  if (bias != nullptr && !bias->quantization.present()) return "bias without a scale";
  if (dense && w->quantization.per_channel()) return "per-channel weights";
  if (dense && bias != nullptr && bias->quantization.per_channel()) return "per-channel bias";
  if (o.op.code == operator_code::depthwise_conv_2d && w->type == element_type::uint8 &&
      w->quantization.axis != 0)
    return "quantized dimension of the weights";
  return {};
}

/// One axis of a transposed convolution whose padding the delegate can express.
[[nodiscard]] inline bool transposable(padding_kind padding, std::int32_t x, std::int32_t y,
                                       std::int32_t kernel, std::int32_t stride) noexcept {
  if (padding == padding_kind::valid) return kernel <= y;
  return kernel >= stride && place(padding, y, kernel, stride, 1).output == x;
}

[[nodiscard]] inline std::string_view leaves_transpose_conv(const operands& o) noexcept {
  const tensor *w = o.in(1), *x = o.in(2), *bias = o.in(3);
  if (x == nullptr || w == nullptr || !is_8_bit(o.out()) || x->type != o.out().type ||
      w->type != o.out().type || !x->quantization.present() || !w->quantization.present())
    return "element types";
  if (!w->is_constant()) return "weights computed at run time";
  if (w->quantization.per_channel()) return "per-channel weights";
  if (bias != nullptr && !bias->is_constant()) return "bias computed at run time";
  if (bias != nullptr && !bias->quantization.present()) return "bias without a scale";
  const auto p = o.options<transpose_conv_options>();
  const shape &from = x->extents, &f = w->extents, &to = o.out().extents;
  if (from.rank() != 4 || f.rank() != 4 || to.rank() != 4) return "not 4-D";
  return transposable(p.padding, from[1], to[1], f[1], p.stride_h) &&
                 transposable(p.padding, from[2], to[2], f[2], p.stride_w)
             ? std::string_view{}
             : "SAME padding with a stride above the filter";
}

[[nodiscard]] inline std::string_view leaves_mean(const operands& o) {
  const tensor *x = o.in(0), *axes = o.in(1);
  if (!same_8_bit(o, 1) || axes == nullptr) return "element types";
  if (!axes->is_constant()) return "axes computed at run time";
  if (x->extents.rank() != 4) return "not 4-D";
  std::vector<std::int32_t> written = constant_as<std::int32_t>(*axes);
  std::sort(written.begin(), written.end());
  const bool taken =
      written == std::vector<std::int32_t>{1, 2} || written == std::vector<std::int32_t>{2};
  return taken ? std::string_view{} : "axes other than {1, 2} and {2}";
}

[[nodiscard]] inline std::string_view leaves_max_pool(const operands& o) {
  const auto p = o.options<pool_2d_options>();
  if (!same_8_bit(o, 1)) return "element types";
  if (p.stride_h > p.filter_h || p.stride_w > p.filter_w) return "stride above the filter";
  return {};
}

[[nodiscard]] inline std::string_view leaves_quantize(const operands& o) noexcept {
  const tensor* x = o.in(0);
  if (x != nullptr && x->type == element_type::float32)
    return is_8_bit(o.out()) ? std::string_view{} : "element types";
  if (!same_8_bit(o, 1)) return "element types";
  const float ratio = ratio_of(*x, o.out());
  return within(ratio, 0x1p-8F, 0x1.000002p7F) ? std::string_view{}
                                               : "scale ratio outside [2^-8, 2^7]";
}

[[nodiscard]] inline std::string_view leaves_leaky_relu(const operands& o) noexcept {
  if (!same_8_bit(o, 1)) return "element types";
  const float ratio = ratio_of(*o.in(0), o.out());
  if (!within(ratio, 0x1p-8F, 0x1.000002p7F)) return "scale ratio outside [2^-8, 2^7]";
  const float alpha = o.options<leaky_relu_options>().alpha;
  if (ieee::kind_of(alpha) != ieee::kind::finite) return "alpha is not finite";
  const float slope = ieee::multiply(ratio, alpha);
  if (ieee::less(slope, -127.99609375F) || ieee::less(128.0F, slope))
    return "slope outside [-127.99609375, 128]";
  return ieee::less(ieee::magnitude(slope), 0x1p-8F) ? "slope nearer to 0 than 2^-8"
                                                     : std::string_view{};
}

}  // namespace detail

[[nodiscard]] inline std::string_view leaves(const operands& o) {
  using namespace detail;
  const tensor* x = o.in(0);
  switch (o.op.code) {
    case operator_code::conv_2d:
    case operator_code::depthwise_conv_2d:
    case operator_code::fully_connected: return leaves_dot_product(o);
    case operator_code::add:
    case operator_code::sub:
      if (!same_8_bit(o, 2)) return "element types";
      return within(ratio_of(*x, o.out()), 0x1p-10F, 256.0F) &&
                     within(ratio_of(*o.in(1), o.out()), 0x1p-10F, 256.0F)
                 ? std::string_view{}
                 : "scale ratio outside [2^-10, 2^8)";
    case operator_code::mul:
      if (!same_8_bit(o, 2)) return "element types";
      return within(ratio_of(x->quantization.scale(), o.in(1)->quantization.scale(),
                             o.out().quantization.scale()),
                    0x1p-16F, 256.0F)
                 ? std::string_view{}
                 : "multiplier outside [2^-16, 2^8)";
    case operator_code::transpose_conv: return leaves_transpose_conv(o);
    case operator_code::mean: return leaves_mean(o);
    case operator_code::max_pool_2d: return leaves_max_pool(o);
    case operator_code::pad: return same_8_bit(o, 1) ? std::string_view{} : "element types";
    case operator_code::concatenation:
      if (!same_8_bit(o, o.op.inputs.size())) return "element types";
      return o.op.inputs.size() >= 2 && o.op.inputs.size() <= 4 ? std::string_view{}
                                                                : "not 2 to 4 operands";
    case operator_code::quantize: return leaves_quantize(o);
    case operator_code::resize_bilinear:
      return same_8_bit(o, 1) ? std::string_view{} : "element types";
    case operator_code::depth_to_space:
      if (!same_8_bit(o, 1)) return "element types";
      return o.options<block_options>().size >= 2 ? std::string_view{} : "blocks of one element";
    case operator_code::transpose: return {};
    case operator_code::logistic: return same_8_bit(o, 1) ? std::string_view{} : "element types";
    case operator_code::elu:
      return same_8_bit(o, 1) && x->type == element_type::int8 ? std::string_view{}
                                                               : "element types";
    case operator_code::leaky_relu: return leaves_leaky_relu(o);
    default: return "no such operator in the delegate";
  }
}

}  // namespace bittwin::graph::xnnpack_delegate::inline v1
