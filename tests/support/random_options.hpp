// SPDX-License-Identifier: Apache-2.0
// Options of an operator with random legal values in every field.
#pragma once

#include <bittwin/graph/detection_fields.hpp>
#include <bittwin/graph/tflite_option_fields.hpp>
#include <bittwin/graph/tflite_option_forms.hpp>
#include <bittwin/graph/tflite_schema.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <string_view>
#include <variant>
#include <vector>

namespace bittwin::test {

/// An Archive of tflite_option_fields.hpp and detection_fields.hpp.
class random_options {
 public:
  explicit random_options(std::uint32_t seed) : random_(seed) {}

  [[nodiscard]] graph::operator_options of(const graph::operation& op) {
    code_ = op.code;
    graph::operator_options options = op.code == graph::operator_code::custom
                                          ? graph::operator_options(graph::detection_options{})
                                          : graph::option_form_of(op.code).initial;
    do {
      legal_ = true;
      std::visit([this](auto& o) { graph::detail::fields(*this, o); }, options);
      if (auto* const detection = std::get_if<graph::detection_options>(&options))
        graph::detail::detection_fields(*this, *detection);
    } while (!legal_);
    return options;
  }

  [[nodiscard]] graph::operator_code code() const noexcept { return code_; }

  void count(graph::field, std::int32_t& value, std::int32_t, std::int32_t least,
             std::int32_t most) {
    value = std::uniform_int_distribution<std::int32_t>(least, most)(random_);
  }
  void flag(graph::field, bool& value, bool) { value = random_() % 2 != 0; }
  void choice(graph::field, bool& value, std::string_view) { value = random_() % 2 != 0; }
  void only(graph::field, std::int8_t, std::string_view) {}
  void real(graph::field, float& value) { value = any_real(); }
  void type(graph::field, element_type& value) {
    value =
        static_cast<element_type>(random_() % (static_cast<unsigned>(element_type::boolean) + 1));
  }
  void fused(graph::field, activation& value) { value = static_cast<activation>(random_() % 4); }
  void list(graph::field, std::vector<std::int32_t>& values) {
    values.resize(random_() % (shape::max_rank + 1));
    for (std::int32_t& value : values) value = static_cast<std::int32_t>(random_());
  }
  void expect(bool condition, std::string_view) { legal_ = legal_ && condition; }

  void count(std::string_view, std::int32_t& value, graph::detail::presence) {
    value = std::uniform_int_distribution<std::int32_t>(1, 1 << 24)(random_);
  }
  void flag(std::string_view, bool& value) { value = random_() % 2 != 0; }
  void real(std::string_view, float& value) { value = any_real(); }
  void positive(std::string_view, float& value) {
    value = std::uniform_real_distribution<float>(0.001F, 1.0F)(random_);
  }

 private:
  float any_real() {
    // Both signs and many magnitudes, zero included.
    const int exponent = std::uniform_int_distribution<int>(-40, 40)(random_);
    const float mantissa = std::uniform_real_distribution<float>(-1.0F, 1.0F)(random_);
    return random_() % 8 == 0 ? 0.0F : std::ldexp(mantissa, exponent);
  }

  std::mt19937 random_;
  graph::operator_code code_{};
  bool legal_ = true;
};

}  // namespace bittwin::test
