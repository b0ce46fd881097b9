// SPDX-License-Identifier: Apache-2.0
// What the builder of a node sees of its operator, and the sentences with which it refuses one.
#pragma once

#include <bittwin/graph/constant.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/nearest_operator.hpp>
#include <bittwin/graph/node.hpp>
#include <bittwin/graph/operator_arity.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/graph/stored_type.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <bittwin/types/result.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace bittwin::graph::inline v1 {

/// The room of an operator: its name as targets write it.
[[nodiscard, gnu::noinline, gnu::cold]] inline std::string room_of(operator_code op,
                                                                   element_type input) {
  if (op == operator_code::quantize && input != element_type::float32) return "requantize";
  std::string room;
  for (const char letter : name_of(op))
    room += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  if (room.ends_with("_2d")) room.erase(room.size() - 3, 1);
  return room;
}

/// A context outlives its builder only as a copy; model and rules outlive both.
struct node_context {
  const model& m;
  const operation& op;
  std::size_t index;  ///< of the operator
  const target_rules& rules;

  [[nodiscard]] bool has(std::size_t i) const noexcept {
    return i < op.inputs.size() && op.inputs[i] != no_tensor;
  }
  [[nodiscard]] std::int32_t input(std::size_t i = 0) const noexcept { return op.inputs[i]; }
  [[nodiscard]] std::int32_t output(std::size_t i = 0) const noexcept { return op.outputs[i]; }
  [[nodiscard]] const tensor& at(std::int32_t tensor) const noexcept {
    return m.tensors[static_cast<std::size_t>(tensor)];
  }
  [[nodiscard]] const tensor& in(std::size_t i = 0) const noexcept { return at(op.inputs[i]); }
  [[nodiscard]] const tensor& out(std::size_t i = 0) const noexcept { return at(op.outputs[i]); }
  /// The operator's options, defaults where the file holds none.
  template <class Options> [[nodiscard]] Options options() const {
    const auto* held = std::get_if<Options>(&op.options);
    return held != nullptr ? *held : Options{};
  }
  /// The type a tensor has in the workspace.
  [[nodiscard]] element_type stored(std::int32_t tensor) const noexcept {
    return stored_type(m, tensor, rules);
  }

  [[nodiscard, gnu::noinline]] std::string name(std::int32_t tensor) const {
    return sentence({"tensor ", number(tensor), " ", printable_name(at(tensor).name)});
  }
  /// "file: operator 3 CONV_2D: text"
  [[nodiscard, gnu::noinline]] error fail(error_code code, std::string_view text) const {
    return {code, sentence({m.name, ": operator ", number(static_cast<std::int64_t>(index)), " ",
                            op.label, ": ", text})};
  }
  [[nodiscard]] error fail(const error& cause) const { return fail(cause.code, cause.text); }
  [[nodiscard, gnu::noinline]] error refuse() const {
    if (arity_of(op))
      if (const std::string_view axis = unknown_axis(); !axis.empty())
        return fail(error_code::unsupported,
                    sentence({"nobody outside knows the ", axis, " of target ", rules.name,
                              "; choose another target, or --assume one for what is unknown"}));
    if (arity_of(op))
      return fail(error_code::unsupported,
                  sentence({"version ", number(op.version), ", on ",
                            has(0) ? name_of(in().type) : "nothing", ": target ",
                            rules.name, " has no room for it; choose another target"}));
    const std::string_view nearest = nearest_operator(static_cast<std::int32_t>(op.code));
    return fail(
        error_code::unsupported,
        sentence(
            {"version ", number(op.version), ", is not defined by this version of bittwin",
             nearest.empty() ? "; export the model without it" : "; the nearest supported form is ",
             nearest}));
  }
  [[nodiscard, gnu::noinline]] error wrong_type(std::int32_t tensor,
                                                std::string_view wanted) const {
    return fail(error_code::unsupported,
                sentence({name(tensor), " is ", name_of(at(tensor).type),
                          "; under this target the operator takes ", wanted}));
  }
  /// Of the operator's room, where the target declares it with one.
  [[nodiscard, gnu::noinline, gnu::cold]] std::string_view unknown_axis() const {
    const std::string room = room_of(op.code, has(0) ? in().type : element_type::int8);
    for (const open_room& open : rules.open_rooms)
      if (open.room == room) return open.axis;
    return rules.unknown_axis != nullptr ? rules.unknown_axis(room) : std::string_view{};
  }
  [[nodiscard, gnu::noinline]] status expect_type(std::int32_t tensor, element_type type) const {
    if (at(tensor).type == type) return ok();
    return wrong_type(tensor, name_of(type));
  }
  /// Operand and result types are all the first input's.
  [[nodiscard, gnu::noinline]] status expect_one_type(std::size_t inputs) const {
    for (std::size_t i = 1; i < inputs; ++i)
      if (auto s = expect_type(input(i), in(0).type); !s) return s;
    for (const std::int32_t y : op.outputs)
      if (auto s = expect_type(y, in(0).type); !s) return s;
    return ok();
  }
  [[nodiscard, gnu::noinline]] status expect_shape(const shape& made,
                                                   std::size_t output_number = 0) const {
    if (out(output_number).extents == made) return ok();
    return fail(error_code::bad_shape, sentence({name(output(output_number)), " is declared as ",
                                                 to_string(out(output_number).extents),
                                                 ", but its operands make ", to_string(made)}));
  }
  [[nodiscard, gnu::noinline]] status expect_rank(std::int32_t tensor, int rank,
                                                  std::string_view axes) const {
    if (at(tensor).extents.rank() == rank) return ok();
    return fail(error_code::bad_shape,
                sentence({name(tensor), " of shape ", to_string(at(tensor).extents), " must have ",
                          number(rank), " axes, ", axes}));
  }
  /// The scale and zero point of a tensor that has one of each.
  [[nodiscard, gnu::noinline]] result<affine> grid(std::int32_t tensor) const {
    const quantization& q = at(tensor).quantization;
    if (!q.present())
      return fail(error_code::bad_scale,
                  sentence({name(tensor), " has no scale; quantize the model fully"}));
    if (q.per_channel())
      return fail(error_code::unsupported,
                  sentence({name(tensor), " has a scale per channel; only filters may"}));
    return affine{q.scale(), static_cast<std::int32_t>(q.zero_point())};
  }
};

/// int8 and uint8; int16 where an operator's room defines it
[[nodiscard]] constexpr bool is_8_bit(element_type type) noexcept {
  return type == element_type::int8 || type == element_type::uint8;
}

}  // namespace bittwin::graph::inline v1
