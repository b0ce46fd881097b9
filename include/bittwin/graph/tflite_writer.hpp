// SPDX-License-Identifier: Apache-2.0
// How a model becomes a .tflite file: schema version 3, buffer 0 empty, constants aligned to 16 bytes and each written
// once. Compiled once, with bittwin::graph.
#pragma once

#include <algorithm>
#include <bittwin/graph/detection_fields.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/flatbuffer_writer.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/operator_arity.hpp>
#include <bittwin/graph/tflite_option_writer.hpp>
#include <bittwin/graph/tflite_schema.hpp>
#include <bittwin/graph/write_tflite.hpp>
#include <bittwin/types/result.hpp>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace bittwin::graph::inline v1 {

namespace detail {

class tflite_writer {
 public:
  explicit tflite_writer(const model& m) : model_(m) {}

  [[nodiscard]] result<std::vector<std::byte>> write() {
    namespace schema = tflite_schema;
    if (status fits = check(); !fits) return fits.error();
    buffers_.push_back(flatbuffer_writer(to_).finish());
    std::vector<flatbuffer_offset> tensors, operators;
    for (const tensor& t : model_.tensors) tensors.push_back(write_tensor(t));
    for (const operation& op : model_.operations) operators.push_back(write_operator(op));

    flatbuffer_writer graph(to_);
    graph.tables(schema::subgraph_tensors, tensors);
    graph.list(schema::subgraph_inputs, model_.inputs);
    graph.list(schema::subgraph_outputs, model_.outputs);
    graph.tables(schema::subgraph_operators, operators);
    const flatbuffer_offset subgraph = graph.finish();

    flatbuffer_writer root(to_);
    root.number(schema::model_version, std::uint32_t{3}, std::uint32_t{0});
    root.tables(schema::model_operator_codes, codes_);
    root.tables(schema::model_subgraphs, {subgraph});
    if (!model_.description.empty()) root.text(schema::model_description, model_.description);
    root.tables(schema::model_buffers, buffers_);
    to_.Finish(root.finish(), "TFL3");
    const auto* const first = reinterpret_cast<const std::byte*>(to_.GetBufferPointer());
    return std::vector<std::byte>(first, first + to_.GetSize());
  }

 private:
  using range = std::pair<const std::byte*, std::size_t>;

  [[nodiscard]] error refuse(error_code code, const std::string& text) const {
    return {code, model_.name + ": " + text};
  }

  /// What cannot be written, before anything is.
  [[nodiscard]] status check() const {
    // Offsets have 31 bits. Upper bounds: a table and its vectors fit in 256 bytes and their data.
    std::uint64_t bytes =
        4096 + model_.description.size() + 8 * (model_.inputs.size() + model_.outputs.size());
    std::map<range, bool> counted;
    for (const tensor& t : model_.tensors) {
      bytes += 256 + t.name.size() + 12 * t.quantization.scales.size();
      if (counted.emplace(range(t.constant.data(), t.constant.size()), true).second)
        bytes += t.constant.size();
    }
    for (std::size_t k = 0; k < model_.operations.size(); ++k) {
      const operation& op = model_.operations[k];
      bytes += 512 + op.custom_name.size() + op.custom_options.size() +
               8 * (op.inputs.size() + op.outputs.size() + op.intermediates.size());
      const std::string label = "operator " + std::to_string(k) + " " + op.label;
      const option_form form = option_form_of(op.code);
      const bool bare = std::holds_alternative<std::monostate>(op.options);
      if (!arity_of(op) && op.code != operator_code::custom)
        return refuse(error_code::unsupported,
                      label +
                          " has options that this version does not know, so that it cannot be "
                          "written; replace the operator");
      if (!bare && op.code != operator_code::custom && op.options.index() != form.initial.index())
        return refuse(error_code::bad_option, label + " holds the options of another operator");
    }
    if (bytes >= FLATBUFFERS_MAX_BUFFER_SIZE)
      return refuse(error_code::too_large,
                    "takes more than 2 GiB, the limit of the format; split the model");
    return ok();
  }

  [[nodiscard]] flatbuffer_offset write_tensor(const tensor& t) {
    namespace schema = tflite_schema;
    const std::uint32_t buffer = buffer_of(t.constant);
    flatbuffer_offset quantization;
    if (t.quantization.present()) {
      flatbuffer_writer q(to_);
      q.list(schema::quantization_scale, t.quantization.scales);
      q.list(schema::quantization_zero_point, t.quantization.zero_points);
      q.number(schema::quantization_axis, std::int32_t{t.quantization.axis}, std::int32_t{0});
      quantization = q.finish();
    }
    flatbuffer_writer table(to_);
    const std::span<const std::int32_t> extents = t.extents.extents();
    table.list(schema::tensor_shape, std::vector<std::int32_t>(extents.begin(), extents.end()));
    table.number(schema::tensor_type, tflite_schema::type_of(t.type), std::int8_t{0});
    table.number(schema::tensor_buffer, buffer, std::uint32_t{0});
    table.text(schema::tensor_name, t.name);
    table.child(schema::tensor_quantization, quantization);
    table.number(schema::tensor_is_variable, std::uint8_t{t.variable}, std::uint8_t{0});
    return table.finish();
  }

  /// Tensors that share their bytes share a buffer.
  [[nodiscard]] std::uint32_t buffer_of(std::span<const std::byte> constant) {
    if (constant.empty()) return 0;
    const auto [at, is_new] = buffer_indices_.emplace(range(constant.data(), constant.size()),
                                                      static_cast<std::uint32_t>(buffers_.size()));
    if (is_new) {
      flatbuffer_writer table(to_);
      table.bytes(tflite_schema::buffer_data, constant, 16);
      buffers_.push_back(table.finish());
    }
    return at->second;
  }

  [[nodiscard]] flatbuffer_offset write_operator(const operation& op) {
    namespace schema = tflite_schema;
    const std::uint32_t code = code_of(op);
    const option_form form = option_form_of(op.code);
    flatbuffer_offset options;
    if (form.type != schema::options_type::none)
      options = tflite_option_writer(to_, op.code)
                    .write(std::holds_alternative<std::monostate>(op.options) ? form.initial
                                                                              : op.options);
    flatbuffer_writer table(to_);
    table.number(schema::operator_code_index, code, std::uint32_t{0});
    table.list(schema::operator_inputs, op.inputs);
    table.list(schema::operator_outputs, op.outputs);
    table.number(schema::operator_options_type, static_cast<std::uint8_t>(form.type),
                 std::uint8_t{0});
    table.child(schema::operator_options_value, options);
    if (const auto* const detection = std::get_if<detection_options>(&op.options))
      table.list(schema::operator_custom_options, detection_writer::write(*detection));
    else if (!op.custom_options.empty())
      table.bytes(schema::operator_custom_options, op.custom_options, 16);
    if (!op.intermediates.empty()) table.list(schema::operator_intermediates, op.intermediates);
    return table.finish();
  }

  /// One entry for each code, version and custom name.
  [[nodiscard]] std::uint32_t code_of(const operation& op) {
    namespace schema = tflite_schema;
    const auto builtin = static_cast<std::int32_t>(op.code);
    const auto [at, is_new] = code_indices_.emplace(std::tuple(builtin, op.version, op.custom_name),
                                                    static_cast<std::uint32_t>(codes_.size()));
    if (is_new) {
      flatbuffer_writer table(to_);
      // Codes above 127 do not fit into the byte; 127 says so.
      table.number(schema::code_deprecated, static_cast<std::int8_t>(std::min(builtin, 127)),
                   std::int8_t{0});
      if (!op.custom_name.empty()) table.text(schema::code_custom, op.custom_name);
      table.number(schema::code_version, op.version, std::int32_t{1});
      table.number(schema::code_builtin, builtin, std::int32_t{0});
      codes_.push_back(table.finish());
    }
    return at->second;
  }

  const model& model_;
  flatbuffers::FlatBufferBuilder to_;
  std::vector<flatbuffer_offset> buffers_;
  std::vector<flatbuffer_offset> codes_;
  std::map<range, std::uint32_t> buffer_indices_;
  std::map<std::tuple<std::int32_t, std::int32_t, std::string>, std::uint32_t> code_indices_;
};

}  // namespace detail

inline namespace in_graph_implementation_hpp {

result<std::vector<std::byte>> write_tflite(const model& m) {
  return detail::tflite_writer(m).write();
}

status write_tflite_file(const std::filesystem::path& path, const model& m) {
  const result<std::vector<std::byte>> bytes = write_tflite(m);
  if (!bytes) return bytes.error();
  return write_file(path, *bytes);
}

}  // namespace in_graph_implementation_hpp

}  // namespace bittwin::graph::inline v1
