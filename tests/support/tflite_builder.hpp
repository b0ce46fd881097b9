// SPDX-License-Identifier: Apache-2.0
// Writes small .tflite files for tests, right or wrong ones: a description as plain data, then
// build().
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <bittwin/graph/file.hpp>
#include <bittwin/graph/tflite_option_schema.hpp>
#include <bittwin/graph/tflite_schema.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bittwin::test {

/// One scalar field of a table of options.
struct option {
  graph::field what;
  double value = 0;
  enum kind { byte, int32, float32 } type = int32;
};

struct tensor_description {
  std::string name = "tensor";
  std::vector<std::int32_t> shape;
  std::int8_t type = 9;  ///< INT8
  std::uint32_t buffer = 0;
  std::vector<float> scales{};
  std::vector<std::int64_t> zero_points{};
  std::int32_t axis = 0;
  bool variable = false;
  std::uint32_t external_buffer = 0;
};

struct operator_description {
  std::uint32_t code_index = 0;
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
  std::uint8_t options_type = 0;
  std::vector<option> options{};
  std::vector<std::int32_t> intermediates{};
};

struct code_description {
  std::int8_t deprecated = 0;
  std::int32_t builtin = 0;
  std::int32_t version = 1;
  std::string custom{};
};

struct buffer_description {
  std::vector<std::uint8_t> data{};
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

struct tflite_description {
  std::uint32_t version = 3;
  std::string identifier = "TFL3";
  std::vector<code_description> codes;
  std::vector<buffer_description> buffers;
  std::vector<tensor_description> tensors;
  std::vector<operator_description> operators;
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
  int subgraphs = 1;                        ///< copies of the one
  std::vector<std::uint8_t> behind_file{};  ///< bytes appended after the flatbuffer
};

class tflite_builder {
 public:
  using offset = flatbuffers::Offset<flatbuffers::Table>;

  [[nodiscard]] static std::vector<std::byte> build(const tflite_description& from) {
    return tflite_builder().write(from);
  }

 private:
  using pending = std::vector<std::function<void(flatbuffers::FlatBufferBuilder&)>>;

  template <class T> static auto number(graph::field what, T value) {
    return
        [what, value](flatbuffers::FlatBufferBuilder& b) { b.AddElement<T>(what.entry(), value); };
  }
  template <class T> static auto link(graph::field what, flatbuffers::Offset<T> value) {
    return [what, value](flatbuffers::FlatBufferBuilder& b) { b.AddOffset(what.entry(), value); };
  }
  offset table(const pending& fields) {
    const auto start = b_.StartTable();
    for (const auto& add : fields) add(b_);
    return offset(b_.EndTable(start));
  }

  offset write_code(const code_description& code) {
    namespace s = graph::tflite_schema;
    pending f{number(s::code_deprecated, code.deprecated), number(s::code_version, code.version),
              number(s::code_builtin, code.builtin)};
    if (!code.custom.empty()) f.push_back(link(s::code_custom, b_.CreateString(code.custom)));
    return table(f);
  }
  offset write_buffer(const buffer_description& buffer) {
    namespace s = graph::tflite_schema;
    pending f;
    if (!buffer.data.empty()) f.push_back(link(s::buffer_data, b_.CreateVector(buffer.data)));
    if (buffer.offset != 0) {
      f.push_back(number(s::buffer_offset, buffer.offset));
      f.push_back(number(s::buffer_size, buffer.size));
    }
    return table(f);
  }
  offset write_tensor(const tensor_description& t) {
    namespace s = graph::tflite_schema;
    pending f{number(s::tensor_type, t.type), number(s::tensor_buffer, t.buffer),
              link(s::tensor_shape, b_.CreateVector(t.shape)),
              link(s::tensor_name, b_.CreateString(t.name))};
    if (t.variable) f.push_back(number(s::tensor_is_variable, std::uint8_t{1}));
    if (t.external_buffer != 0) f.push_back(number(s::tensor_external_buffer, t.external_buffer));
    if (!t.scales.empty()) {
      const pending q{link(s::quantization_scale, b_.CreateVector(t.scales)),
                      link(s::quantization_zero_point, b_.CreateVector(t.zero_points)),
                      number(s::quantization_axis, t.axis)};
      f.push_back(link(s::tensor_quantization, table(q)));
    }
    return table(f);
  }
  offset write_operator(const operator_description& op) {
    namespace s = graph::tflite_schema;
    pending f{number(s::operator_code_index, op.code_index),
              link(s::operator_inputs, b_.CreateVector(op.inputs)),
              link(s::operator_outputs, b_.CreateVector(op.outputs))};
    if (!op.intermediates.empty())
      f.push_back(link(s::operator_intermediates, b_.CreateVector(op.intermediates)));
    if (op.options_type != 0) {
      pending o;
      for (const option& value : op.options) {
        if (value.type == option::byte)
          o.push_back(number(value.what, static_cast<std::int8_t>(value.value)));
        else if (value.type == option::float32)
          o.push_back(number(value.what, static_cast<float>(value.value)));
        else
          o.push_back(number(value.what, static_cast<std::int32_t>(value.value)));
      }
      f.push_back(number(s::operator_options_type, op.options_type));
      f.push_back(link(s::operator_options_value, table(o)));
    }
    return table(f);
  }

  template <class Items, class Write> auto vector_of(const Items& items, Write write) {
    std::vector<offset> offsets;
    for (const auto& item : items) offsets.push_back((this->*write)(item));
    return b_.CreateVector(offsets);
  }

  std::vector<std::byte> write(const tflite_description& from) {
    namespace s = graph::tflite_schema;
    b_.ForceDefaults(true);
    std::vector<offset> graphs;
    for (int i = 0; i < from.subgraphs; ++i) {
      const auto tensors = vector_of(from.tensors, &tflite_builder::write_tensor);
      const auto operators = vector_of(from.operators, &tflite_builder::write_operator);
      const auto inputs = b_.CreateVector(from.inputs);
      const auto outputs = b_.CreateVector(from.outputs);
      graphs.push_back(
          table({link(s::subgraph_tensors, tensors), link(s::subgraph_inputs, inputs),
                 link(s::subgraph_outputs, outputs), link(s::subgraph_operators, operators)}));
    }
    const auto subgraphs = b_.CreateVector(graphs);
    const auto codes = vector_of(from.codes, &tflite_builder::write_code);
    const auto buffers = vector_of(from.buffers, &tflite_builder::write_buffer);
    const auto root =
        table({number(s::model_version, from.version), link(s::model_operator_codes, codes),
               link(s::model_subgraphs, subgraphs), link(s::model_buffers, buffers),
               link(s::model_description, b_.CreateString("made by a test"))});
    b_.Finish(root, from.identifier.c_str());
    const auto* first = reinterpret_cast<const std::byte*>(b_.GetBufferPointer());
    std::vector<std::byte> bytes(first, first + b_.GetSize());
    for (const std::uint8_t byte : from.behind_file) bytes.push_back(std::byte{byte});
    return bytes;
  }

  flatbuffers::FlatBufferBuilder b_;
};

/// int8 [1,4,4,2] -> CONV_2D 1x1, stride 2, VALID, RELU6, 3 channels per channel -> RELU.
[[nodiscard]] inline tflite_description small_convolution() {
  namespace s = graph::tflite_schema;
  tflite_description m;
  m.codes = {{.deprecated = 3, .builtin = 3, .version = 5}, {.deprecated = 19, .builtin = 19}};
  m.buffers = {
      {}, {.data = {1, 2, 3, 4, 5, 255}}, {.data = {7, 0, 0, 0, 9, 0, 0, 0, 249, 255, 255, 255}}};
  m.tensors = {{.name = "input", .shape = {1, 4, 4, 2}, .scales = {0.5F}, .zero_points = {-3}},
               {.name = "weights",
                .shape = {3, 1, 1, 2},
                .buffer = 1,
                .scales = {0.25F, 0.5F, 1.0F},
                .zero_points = {0, 0, 0}},
               {.name = "bias",
                .shape = {3},
                .type = 2,
                .buffer = 2,
                .scales = {0.125F, 0.25F, 0.5F},
                .zero_points = {0, 0, 0}},
               {.name = "conv", .shape = {1, 2, 2, 3}, .scales = {0.1F}, .zero_points = {-128}},
               {.name = "relu", .shape = {1, 2, 2, 3}, .scales = {0.1F}, .zero_points = {-128}}};
  m.operators = {{.code_index = 0,
                  .inputs = {0, 1, 2},
                  .outputs = {3},
                  .options_type = 1,
                  .options = {{s::conv_padding, 1, option::byte},
                              {s::conv_stride_w, 2},
                              {s::conv_stride_h, 2},
                              {s::conv_activation, 3, option::byte},
                              {s::conv_dilation_w, 1},
                              {s::conv_dilation_h, 1}}},
                 {.code_index = 1, .inputs = {3}, .outputs = {4}}};
  m.inputs = {0};
  m.outputs = {4};
  return m;
}

[[nodiscard]] inline graph::file_bytes shared_bytes(std::vector<std::byte> bytes) {
  return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

}  // namespace bittwin::test
