// SPDX-License-Identifier: Apache-2.0
// Reads the options of one .tflite operator into operator_options, each value checked.
#pragma once

#include <array>
#include <bittwin/graph/flatbuffer_view.hpp>
#include <bittwin/graph/operator_options.hpp>
#include <bittwin/graph/tflite_option_fields.hpp>
#include <bittwin/graph/tflite_option_forms.hpp>
#include <bittwin/graph/tflite_schema.hpp>
#include <bittwin/types/ieee_format.hpp>
#include <bittwin/types/result.hpp>
#include <bittwin/types/shape.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bittwin::graph::inline v1 {

/// The options of one operator, as an Archive of tflite_option_fields.hpp. Sentences start with
/// the operator, as `label` names it.
class tflite_options {
 public:
  /// `operator_table` verified; `label` is the operator's.
  tflite_options(flatbuffer_table operator_table, std::string label)
      : type_(static_cast<tflite_schema::options_type>(
            operator_table.number<std::uint8_t>(tflite_schema::operator_options_type, 0))),
        table_(operator_table.child(tflite_schema::operator_options_value)),
        label_(std::move(label)) {}

  [[nodiscard]] result<operator_options> read(operator_code code) {
    code_ = code;
    option_form form = option_form_of(code);
    if (form.type == tflite_schema::options_type::none) return std::move(form.initial);
    check_table(form);
    std::visit([this](auto& options) { detail::fields(*this, options); }, form.initial);
    if (!failure_.text.empty()) return failure_;
    return std::move(form.initial);
  }

  [[nodiscard]] operator_code code() const noexcept { return code_; }

  void count(field what, std::int32_t& value, std::int32_t schema_default, std::int32_t least,
             std::int32_t most) {
    value = table_.number<std::int32_t>(what, schema_default);
    if (value >= least && value <= most) return;
    fail(error_code::bad_option,
         "has " + std::string(what.name) + " " + std::to_string(value) + "; it must " +
             (most == highest<std::int32_t>
                  ? "be at least " + std::to_string(least)
                  : "lie in " + std::to_string(least) + " to " + std::to_string(most)));
  }

  void flag(field what, bool& value, bool schema_default) {
    value = table_.flag(what, schema_default);
  }

  void choice(field what, bool& value, std::string_view meanings) {
    const auto code = table_.number<std::int8_t>(what, 0);
    value = code == 1;
    if (code != 0 && code != 1)
      fail(error_code::bad_option, "has the unknown " + std::string(what.name) + " " +
                                       std::to_string(code) + "; " + std::string(meanings) +
                                       " are defined");
  }

  void only(field what, std::int8_t expected, std::string_view otherwise) {
    const auto code = table_.number<std::int8_t>(what, 0);
    if (code != expected)
      fail(error_code::unsupported, "has " + std::string(what.name) + " " + std::to_string(code) +
                                        ", " + std::string(otherwise));
  }

  void real(field what, float& value) {
    value = table_.number<float>(what, 0.0F);
    if (ieee::kind_of(value) == ieee::kind::finite) return;
    fail(error_code::bad_option, "has " + std::string(what.name == "alpha" ? "an " : "a ") +
                                     std::string(what.name) + " that is not finite");
    value = 1.0F;
  }

  void type(field what, element_type& value) {
    const auto code = table_.number<std::int8_t>(what, 0);
    const std::optional<element_type> known = tflite_schema::element_type_of(code);
    if (known) {
      value = *known;
      return;
    }
    fail(error_code::unsupported, "has " + std::string(what.name) + " " +
                                      tflite_schema::type_name(code) +
                                      ", which is not supported; export the model again");
  }

  void fused(field what, activation& value) {
    constexpr std::array<activation, 4> known{activation::none, activation::relu,
                                              activation::relu_n1_to_1, activation::relu6};
    const auto code = table_.number<std::int8_t>(what, 0);
    if (code >= 0 && code < 4) {
      value = known[static_cast<std::size_t>(code)];
      return;
    }
    const std::string name = code == 4   ? "TANH"
                             : code == 5 ? "SIGN_BIT"
                                         : "of unknown value " + std::to_string(code);
    fail(code == 4 || code == 5 ? error_code::unsupported : error_code::bad_option,
         "has the fused activation " + name +
             "; export the model with the activation as an operator of its own");
  }

  void list(field what, std::vector<std::int32_t>& values) {
    const auto list = table_.list<std::int32_t>(what);
    if (list.size() > shape::max_rank) {
      fail(error_code::unsupported, "has " + std::to_string(list.size()) + " values in " +
                                        std::string(what.name) + "; at most " +
                                        std::to_string(shape::max_rank) + " are supported");
      return;
    }
    for (std::size_t i = 0; i < list.size(); ++i) values.push_back(list[i]);
  }

  void expect(bool condition, std::string_view sentence) {
    if (!condition) fail(error_code::bad_option, std::string(sentence));
  }

 private:
  /// The first one stays: later ones are often its consequence.
  void fail(error_code code, const std::string& text) {
    if (failure_.text.empty()) failure_ = {code, label_ + " " + text};
  }

  /// Options may be absent where the form allows it; those of another operator are an error.
  void check_table(const option_form& form) {
    if (type_ == tflite_schema::options_type::none || !table_.present()) {
      table_ = {};
      if (form.required)
        fail(error_code::bad_file, "has no options, and has no meaning without; export it again");
    } else if (type_ != form.type) {
      fail(error_code::bad_file, "carries options of union type " +
                                     std::to_string(static_cast<int>(type_)) + " where type " +
                                     std::to_string(static_cast<int>(form.type)) +
                                     " belongs; export the model again");
      table_ = {};
    }
  }

  tflite_schema::options_type type_;
  flatbuffer_table table_;
  std::string label_;
  operator_code code_{};
  error failure_;
};

}  // namespace bittwin::graph::inline v1
