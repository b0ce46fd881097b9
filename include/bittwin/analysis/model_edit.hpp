// SPDX-License-Identifier: Apache-2.0
// Some operators of a model as a model of its own, and changes to it: other constants, operators put in between.
#pragma once

#include <algorithm>
#include <bittwin/graph/model.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// A model that may be changed. What a change adds lives beside the file's bytes, so copies share nothing.
class model_edit {
 public:
  explicit model_edit(graph::model original) : m(std::move(original)) {}
  model_edit(const model_edit& other) : m(other.m) { own(); }
  model_edit(model_edit&&) = default;
  model_edit& operator=(const model_edit&) = delete;
  model_edit& operator=(model_edit&&) = delete;

  graph::model m;

  [[nodiscard]] graph::operation& op(std::size_t k) { return m.operations[k]; }
  /// Operand n of operator k, or null where it is absent.
  [[nodiscard]] graph::tensor* input(std::size_t k, std::size_t n) {
    const auto& inputs = m.operations[k].inputs;
    return n < inputs.size() && inputs[n] != graph::no_tensor ? &tensor(inputs[n]) : nullptr;
  }
  [[nodiscard]] graph::tensor& output(std::size_t k) { return tensor(m.operations[k].outputs[0]); }
  [[nodiscard]] graph::tensor& tensor(std::int32_t index) {
    return m.tensors[static_cast<std::size_t>(index)];
  }

  /// A computed tensor like another one.
  std::int32_t add_like(const graph::tensor& other, const char* suffix) {
    graph::tensor t = other;
    t.name += suffix;
    t.constant = {};
    m.tensors.push_back(std::move(t));
    return static_cast<std::int32_t>(m.tensors.size()) - 1;
  }
  template <class T> void set_constant(graph::tensor& t, const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    added_.emplace_back(bytes.begin(), bytes.end());
    t.constant = added_.back();
  }
  /// Operand n of operator k, to be described otherwise: a constant becomes one of its own, so that other readers keep
  /// theirs. Null where it is absent, or computed by another operator, which goes by its description too.
  [[nodiscard]] graph::tensor* own_input(std::size_t k, std::size_t n) {
    graph::tensor* const shared = input(k, n);
    if (shared == nullptr) return nullptr;
    const std::int32_t index = m.operations[k].inputs[n];
    if (!shared->is_constant())
      return std::find(m.inputs.begin(), m.inputs.end(), index) != m.inputs.end() ? shared
                                                                                  : nullptr;
    graph::tensor copy = *shared;
    m.tensors.push_back(std::move(copy));
    m.operations[k].inputs[n] = static_cast<std::int32_t>(m.tensors.size()) - 1;
    return &m.tensors.back();
  }
  /// Operator k writes to a new tensor, which a new operator behind it turns into the old one.
  /// Returns the new tensor.
  std::int32_t put_behind(std::size_t k, graph::operation after) {
    const std::int32_t made = m.operations[k].outputs[0];
    const std::int32_t raw = add_like(tensor(made), "/raw");
    m.operations[k].outputs[0] = raw;
    after.inputs.insert(after.inputs.begin(), raw);
    after.outputs = {made};
    m.operations.insert(m.operations.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                        std::move(after));
    return raw;
  }
  /// A new operator in front of operator k makes its operand n.
  void put_before(std::size_t k, std::size_t n, graph::operation before, std::int32_t made) {
    before.inputs.insert(before.inputs.begin(), m.operations[k].inputs[n]);
    before.outputs = {made};
    m.operations[k].inputs[n] = made;
    m.operations.insert(m.operations.begin() + static_cast<std::ptrdiff_t>(k), std::move(before));
  }

 private:
  /// The constants that the copied model's spans still find at their first owner's.
  void own() {
    for (graph::tensor& t : m.tensors) {
      if (t.constant.empty() || in_file(t.constant)) continue;
      added_.emplace_back(t.constant.begin(), t.constant.end());
      t.constant = added_.back();
    }
  }
  [[nodiscard]] bool in_file(std::span<const std::byte> bytes) const {
    return m.storage && !m.storage->empty() && bytes.data() >= m.storage->data() &&
           bytes.data() < m.storage->data() + m.storage->size();
  }

  std::deque<std::vector<std::byte>> added_;
};

/// A new operator of the newest version that all targets know.
[[nodiscard]] inline graph::operation make_operation(graph::operator_code code,
                                                     graph::operator_options options = {}) {
  graph::operation op;
  op.code = code;
  op.label = graph::name_of(code);
  op.version = 2;
  op.options = std::move(options);
  return op;
}

/// Operators `ops` (ascending) of a model alone: `from` are its inputs, `to` its outputs. Only what they use is
/// copied; constants stay in the model's bytes.
[[nodiscard]] inline graph::model part_of(const graph::model& whole,
                                          std::span<const std::int32_t> ops,
                                          std::span<const std::int32_t> from,
                                          std::span<const std::int32_t> to) {
  graph::model part;
  part.name = whole.name;
  part.description = whole.description;
  part.storage = whole.storage;
  std::map<std::int32_t, std::int32_t> places;
  const auto place = [&](std::int32_t index) {
    if (index == graph::no_tensor) return index;
    const auto [at, is_new] = places.emplace(index, static_cast<std::int32_t>(part.tensors.size()));
    if (is_new) part.tensors.push_back(whole.tensors[static_cast<std::size_t>(index)]);
    return at->second;
  };
  for (const std::int32_t index : from) part.inputs.push_back(place(index));
  for (const std::int32_t k : ops) {
    graph::operation op = whole.operations[static_cast<std::size_t>(k)];
    for (auto* list : {&op.inputs, &op.outputs, &op.intermediates})
      for (std::int32_t& index : *list) index = place(index);
    part.operations.push_back(std::move(op));
  }
  for (const std::int32_t index : to) part.outputs.push_back(place(index));
  return part;
}

}  // namespace bittwin::analysis::inline v1
