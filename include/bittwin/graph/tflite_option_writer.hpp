// SPDX-License-Identifier: Apache-2.0
// Writes the options of one operator: as the table of its form, or as a FlexBuffer.
#pragma once

#include <flatbuffers/flexbuffers.h>

#include <bittwin/graph/detection_fields.hpp>
#include <bittwin/graph/flatbuffer_writer.hpp>
#include <bittwin/graph/operator_options.hpp>
#include <bittwin/graph/tflite_option_fields.hpp>
#include <bittwin/graph/tflite_option_forms.hpp>
#include <bittwin/graph/tflite_schema.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bittwin::graph::inline v1 {

/// An Archive of tflite_option_fields.hpp that writes. Precondition: values are in their ranges.
class tflite_option_writer {
 public:
  explicit tflite_option_writer(flatbuffers::FlatBufferBuilder& to, operator_code code)
      : table_(to), code_(code) {}

  /// options  the alternative of the operator's form; taken by value, as fields() has references
  [[nodiscard]] flatbuffer_offset write(operator_options options) {
    std::visit([this](auto& o) { detail::fields(*this, o); }, options);
    return table_.finish();
  }

  [[nodiscard]] operator_code code() const noexcept { return code_; }

  void count(field what, std::int32_t value, std::int32_t schema_default, std::int32_t,
             std::int32_t) {
    table_.number(what, value, schema_default);
  }
  void flag(field what, bool value, bool schema_default) {
    table_.number(what, std::uint8_t{value}, std::uint8_t{schema_default});
  }
  void choice(field what, bool value, std::string_view) {
    table_.number(what, std::uint8_t{value}, std::uint8_t{0});
  }
  void only(field what, std::int8_t value, std::string_view) {
    table_.number(what, value, std::int8_t{0});
  }
  void real(field what, float value) { table_.number(what, value, 0.0F); }
  void type(field what, element_type value) {
    table_.number(what, tflite_schema::type_of(value), std::int8_t{0});
  }
  void fused(field what, activation value) {
    // The enumerators are in the schema's order.
    table_.number(what, static_cast<std::int8_t>(value), std::int8_t{0});
  }
  void list(field what, const std::vector<std::int32_t>& values) { table_.list(what, values); }
  void expect(bool, std::string_view) const noexcept {}

 private:
  flatbuffer_writer table_;
  operator_code code_;
};

/// The FlexBuffer of TFLite_Detection_PostProcess.
class detection_writer {
 public:
  [[nodiscard]] static std::vector<std::uint8_t> write(detection_options options) {
    detection_writer writer;
    const std::size_t start = writer.map_.StartMap();
    detail::detection_fields(writer, options);
    writer.map_.EndMap(start);
    writer.map_.Finish();
    return writer.map_.GetBuffer();
  }

  void count(const char* key, std::int32_t value, detail::presence) { map_.Int(key, value); }
  void flag(const char* key, bool value) { map_.Bool(key, value); }
  void real(const char* key, float value) { map_.Float(key, value); }
  void positive(const char* key, float value) { map_.Float(key, value); }

 private:
  flexbuffers::Builder map_;
};

}  // namespace bittwin::graph::inline v1
