// SPDX-License-Identifier: Apache-2.0
// Reads a .tflite file into a model in which every index, shape, length and scale has been checked.
// Operators that nothing here executes are kept with their names, so that a model can be described.
#pragma once

#include <algorithm>
#include <bittwin/graph/execution_order.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/file_kind.hpp>
#include <bittwin/graph/flatbuffer_view.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/operator_arity.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/sha256.hpp>
#include <bittwin/graph/tflite_operator.hpp>
#include <bittwin/graph/tflite_schema.hpp>
#include <bittwin/graph/tflite_tensor.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::graph::inline v1 {

namespace detail {

class tflite_reader {
 public:
  tflite_reader(file_bytes bytes, std::string name)
      : file_(*bytes), budget_(4 * bytes->size() + (std::size_t{1} << 20)) {
    model_.name = std::move(name);
    model_.storage = std::move(bytes);
  }

  [[nodiscard]] result<model> read() {
    status done = read_all();
    if (!done) return error{done.error().code, model_.name + ": " + done.error().text};
    return std::move(model_);
  }

 private:
  [[nodiscard]] status read_all() {
    namespace schema = tflite_schema;
    if (status found = check_kind(); !found) return found;
    const flatbuffer_table root = file_.root();
    const auto version = root.number<std::uint32_t>(schema::model_version, 0);
    if (file_.failed()) return damaged("the model");
    if (BITTWIN_MUTABLE(version != 3, schema_version, version < 3))
      return error{error_code::unsupported, "is of schema version " + std::to_string(version) +
                                                "; version 3 is read: export the model again"};
    model_.description = root.text(schema::model_description);
    codes_ = root.tables(schema::model_operator_codes);
    buffers_ = root.tables(schema::model_buffers);
    const flatbuffer_tables subgraphs = root.tables(schema::model_subgraphs);
    if (file_.failed()) return damaged("the model");
    if (!spend(model_.description.size())) return swollen();
    if (subgraphs.size() == 0)
      return error{error_code::bad_file, "holds no subgraph; export the model again"};
    const flatbuffer_table graph = subgraphs[0];
    const flatbuffer_tables tensors = graph.tables(schema::subgraph_tensors);
    const flatbuffer_tables operators = graph.tables(schema::subgraph_operators);
    if (file_.failed()) return damaged("subgraph 0");
    if (operators.size() == 0)
      return error{error_code::bad_file, "subgraph 0 holds no operator; export the model again"};
    if (status one = check_other_subgraphs(subgraphs); !one) return one;

    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (status done = read_tensor(tensors[i], i); !done) return done;
    execution_order order(model_.tensors);
    result<std::vector<std::int32_t>> inputs =
        indices(graph, schema::subgraph_inputs, "the list of model inputs", false);
    if (!inputs) return inputs.error();
    model_.inputs = std::move(*inputs);
    for (const std::int32_t i : model_.inputs)
      if (status right = order.add_input(i); !right) return right;
    for (std::size_t k = 0; k < operators.size(); ++k)
      if (status done = read_operator(operators[k], k, order); !done) return done;
    result<std::vector<std::int32_t>> outputs =
        indices(graph, schema::subgraph_outputs, "the list of model outputs", false);
    if (!outputs) return outputs.error();
    model_.outputs = std::move(*outputs);
    for (const std::int32_t i : model_.outputs)
      if (status right = order.check_output(i); !right) return right;
    model_.sha256 = sha256_hex(*model_.storage);
    return ok();
  }

  [[nodiscard]] status check_kind() const {
    const std::span<const std::byte> bytes = *model_.storage;
    if (bytes.size() < 8 || as_text(bytes).substr(4, 4) != "TFL3")
      return error{error_code::bad_file,
                   "is not a .tflite model (no TFL3 at byte 4): it seems to be " +
                       std::string(kind_of_file(bytes)) + "; give a .tflite file"};
    return ok();
  }

  [[nodiscard]] status check_other_subgraphs(const flatbuffer_tables& subgraphs) {
    for (std::size_t i = 1; i < subgraphs.size(); ++i) {
      const flatbuffer_table graph = subgraphs[i];
      const bool works = graph.tables(tflite_schema::subgraph_operators).size() > 0;
      if (file_.failed()) return damaged("subgraph " + std::to_string(i));
      if (works)
        return error{error_code::unsupported,
                     "holds " + std::to_string(subgraphs.size()) +
                         " subgraphs with operators (control flow); export a model with one"};
    }
    return ok();
  }

  [[nodiscard]] status read_tensor(const flatbuffer_table& table, std::size_t index) {
    const std::string_view name = table.text(tflite_schema::tensor_name);
    const std::string label = "tensor " + std::to_string(index) + " " + printable_name(name);
    if (file_.failed()) return damaged(label);
    result<tensor> read = tflite_tensor(file_, buffers_, table, label).read();
    if (file_.failed()) return damaged(label);
    if (!read) return read.error();
    if (!spend(sizeof(tensor) + name.size() + read->quantization.scales.size() * 12))
      return swollen();
    // Tensors may share a buffer; buffers that overlap without being one are a trap.
    const auto range = std::pair(read->constant.data(), read->constant.size());
    if (constants_.insert(range).second && !spend(read->constant.size())) return swollen();
    read->name = name;
    model_.tensors.push_back(std::move(*read));
    return ok();
  }

  [[nodiscard]] status read_operator(const flatbuffer_table& table, std::size_t index,
                                     execution_order& order) {
    operation op;
    tflite_operator reader(table, index);
    const status named = reader.read_code(codes_, op);
    const std::string& label = reader.label();
    if (file_.failed()) return damaged(label);
    if (!named) return named;
    const auto list = [&](field what, std::string_view list_name, bool optional,
                          std::vector<std::int32_t>& to) -> status {
      auto read = indices(table, what, label + " " + std::string(list_name), optional);
      if (!read) return read.error();
      to = std::move(*read);
      return ok();
    };
    namespace schema = tflite_schema;
    for (const status& done :
         {list(schema::operator_inputs, "inputs", true, op.inputs),
          list(schema::operator_outputs, "outputs", false, op.outputs),
          list(schema::operator_intermediates, "intermediates", true, op.intermediates)})
      if (!done) return done;
    const status complete = reader.read_options(op);
    if (file_.failed()) return damaged(label);
    if (!complete) return complete;
    if (status right = check_arity(op, label); !right) return right;
    if (status right = order.add(op, label); !right) return right;
    if (!spend(sizeof(operation) + op.label.size() + op.custom_name.size())) return swollen();
    model_.operations.push_back(std::move(op));
    return ok();
  }

  /// A list of tensor indices, each in range; -1 where `optional`.
  [[nodiscard]] result<std::vector<std::int32_t>> indices(const flatbuffer_table& table, field what,
                                                          const std::string& label, bool optional) {
    const auto list = table.list<std::int32_t>(what);
    if (file_.failed()) return damaged(label).error();
    if (!spend(list.size() * sizeof(std::int32_t))) return swollen().error();
    std::vector<std::int32_t> values(list.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = list[i];
      const bool absent = BITTWIN_MUTABLE(optional, absent_tensor, true) && values[i] == no_tensor;
      if (!absent &&
          (values[i] < 0 ||
           BITTWIN_MUTABLE(std::cmp_greater_equal(values[i], model_.tensors.size()), tensor_index,
                           std::cmp_greater(values[i], model_.tensors.size()))))
        return error{error_code::bad_file, label + ": tensor index " + std::to_string(values[i]) +
                                               " of " + std::to_string(model_.tensors.size()) +
                                               " tensors; export the model again"};
    }
    return values;
  }

  [[nodiscard]] status damaged(const std::string& where) const {
    return error{error_code::bad_file, where + ": " + file_.failure() +
                                           " (truncated or damaged); copy or export it again"};
  }

  /// Tables of a hostile file can share their parts, so that it unfolds to many times its size.
  [[nodiscard]] bool spend(std::size_t bytes) noexcept {
    if (BITTWIN_MUTABLE(bytes > budget_, shared_bytes_budget, false)) return false;
    budget_ -= bytes;
    return true;
  }
  [[nodiscard]] static status swollen() {
    return error{error_code::too_large,
                 "unfolds to more than four times its size: its tables share parts as no exporter "
                 "does; export the model again"};
  }

  flatbuffer_view file_;
  std::size_t budget_;
  model model_;
  flatbuffer_tables codes_;
  flatbuffer_tables buffers_;
  std::set<std::pair<const std::byte*, std::size_t>> constants_;
};

}  // namespace detail

inline namespace in_graph_implementation_hpp {

result<model> read_tflite(file_bytes bytes, std::string name) {
  return detail::tflite_reader(std::move(bytes), std::move(name)).read();
}

result<model> read_tflite_file(const std::filesystem::path& path) {
  result<file_bytes> bytes = read_file(path);
  if (!bytes) return bytes.error();
  return read_tflite(std::move(*bytes), path.filename().string());
}

}  // namespace in_graph_implementation_hpp

}  // namespace bittwin::graph::inline v1
