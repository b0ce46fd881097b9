// SPDX-License-Identifier: Apache-2.0
// One operator of a model, bound to a target: what builders see of it, and the function that runs
// it.
#pragma once

#include <bittwin/graph/constant.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/graph/stored_type.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <bittwin/types/result.hpp>
#include <functional>
#include <span>
#include <string>
#include <utility>

namespace bittwin::graph::inline v1 {

/// The bytes of every tensor during a run.
class workspace {
 public:
  explicit workspace(std::size_t tensors) : bytes_(tensors) {}

  void bind(std::int32_t tensor, std::span<std::byte> bytes) {
    bytes_[static_cast<std::size_t>(tensor)] = bytes;
  }
  [[nodiscard]] std::span<std::byte> bytes(std::int32_t tensor) const noexcept {
    return bytes_[static_cast<std::size_t>(tensor)];
  }
  template <class T> [[nodiscard]] std::span<const T> in(std::int32_t tensor) const noexcept {
    const auto b = bytes(tensor);
    return {static_cast<const T*>(static_cast<const void*>(b.data())), b.size() / sizeof(T)};
  }
  template <class T> [[nodiscard]] std::span<T> out(std::int32_t tensor) const noexcept {
    const auto b = bytes(tensor);
    return {static_cast<T*>(static_cast<void*>(b.data())), b.size() / sizeof(T)};
  }

 private:
  std::vector<std::span<std::byte>> bytes_;
};

/// Runs one operator: reads and writes the workspace.
using node = std::function<void(const workspace&)>;

/// What a builder knows of the operator that it binds.
struct node_context {
  const model& m;
  const operation& op;
  std::size_t index;  ///< of the operator
  const target_rules& rules;

  [[nodiscard]] bool has(std::size_t i) const noexcept {
    return i < op.inputs.size() && op.inputs[i] != no_tensor;
  }
  [[nodiscard]] std::int32_t input(std::size_t i) const noexcept { return op.inputs[i]; }
  [[nodiscard]] std::int32_t output(std::size_t i = 0) const noexcept { return op.outputs[i]; }
  [[nodiscard]] const tensor& in(std::size_t i) const noexcept {
    return m.tensors[static_cast<std::size_t>(op.inputs[i])];
  }
  [[nodiscard]] const tensor& out(std::size_t i = 0) const noexcept {
    return m.tensors[static_cast<std::size_t>(op.outputs[i])];
  }
  /// The operator's options, defaults where the file holds none.
  template <class Options> [[nodiscard]] Options options() const {
    const auto* held = std::get_if<Options>(&op.options);
    return held != nullptr ? *held : Options{};
  }

  [[nodiscard]] std::string name(std::int32_t tensor) const {
    return "tensor " + std::to_string(tensor) + " " +
           printable_name(m.tensors[static_cast<std::size_t>(tensor)].name);
  }
  /// "file: operator 3 CONV_2D: text"
  [[nodiscard]] error fail(error_code code, const std::string& text) const {
    return {code, m.name + ": operator " + std::to_string(index) + " " + op.label + ": " + text};
  }
  [[nodiscard]] error fail(const error& cause) const { return fail(cause.code, cause.text); }

  [[nodiscard]] error refuse() const {
    return fail(error_code::unsupported,
                "target " + std::string(rules.name) +
                    " has no room for this operator; choose another target");
  }
  [[nodiscard]] error wrong_type(std::int32_t tensor, std::string_view wanted) const {
    return fail(error_code::unsupported,
                name(tensor) + " is " +
                    std::string(name_of(m.tensors[static_cast<std::size_t>(tensor)].type)) +
                    "; this operator takes " + std::string(wanted));
  }
  [[nodiscard]] status expect_shape(const shape& made, std::size_t output_number = 0) const {
    if (out(output_number).extents == made) return ok();
    return fail(error_code::bad_shape, name(output(output_number)) + " is declared as " +
                                           to_string(out(output_number).extents) +
                                           ", but its operands make " + to_string(made));
  }
  /// The scale and zero point of a tensor that has one of each.
  [[nodiscard]] result<affine> grid(std::int32_t index_of) const {
    const tensor& t = m.tensors[static_cast<std::size_t>(index_of)];
    if (!t.quantization.present())
      return fail(error_code::bad_scale,
                  name(index_of) + " has no scale; quantize the model fully");
    if (t.quantization.per_channel())
      return fail(error_code::unsupported,
                  name(index_of) + " has a scale per channel; only filters may");
    return affine{t.quantization.scale(), static_cast<std::int32_t>(t.quantization.zero_point())};
  }
};

/// Calls f with a value of the C++ type of 8-bit codes, or gives the context's error.
template <class F>
[[nodiscard]] result<node> with_code_type(const node_context& c, std::int32_t tensor, F f) {
  switch (c.m.tensors[static_cast<std::size_t>(tensor)].type) {
    case element_type::int8:
      return f(std::int8_t{});
    case element_type::uint8:
      return f(std::uint8_t{});
    default:
      return c.wrong_type(tensor, "int8 or uint8");
  }
}

}  // namespace bittwin::graph::inline v1
