// SPDX-License-Identifier: Apache-2.0
// Spells exposed clamps out: MINIMUM and MAXIMUM with a constant behind the operator, on its own grid, so that no
// rescale takes part and the result is the same integer wherever the clamp was honoured.
//   y = op(x)   becomes   raw = op(x), y = MAXIMUM(MINIMUM(raw, high), low)
#pragma once

#include <bittwin/analysis/audit_clamps.hpp>
#include <bittwin/graph/model.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// clamps  operators that got theirs
struct fixed_model {
  graph::model m;
  std::size_t clamps = 0;
};

namespace detail {

/// Collects new constants and puts them behind the file's bytes, to which all spans then point.
class constant_appender {
 public:
  explicit constant_appender(const graph::model& m) : old_(m.storage) {
    if (old_) bytes_ = *old_;
  }

  void add(std::int32_t tensor, std::int64_t code, element_type type) {
    added_.push_back({tensor, bytes_.size()});
    for (int i = 0; i < bytes_of(type); ++i)
      bytes_.push_back(static_cast<std::byte>(code >> (8 * i) & 0xFF));
  }
  void finish(graph::model& m) {
    auto storage = std::make_shared<const std::vector<std::byte>>(std::move(bytes_));
    const std::span<const std::byte> all(*storage);
    const auto moved = [&](std::span<const std::byte> span) {
      return span.empty()
                 ? span
                 : all.subspan(static_cast<std::size_t>(span.data() - old_->data()), span.size());
    };
    for (graph::tensor& t : m.tensors) t.constant = moved(t.constant);
    for (graph::operation& op : m.operations) op.custom_options = moved(op.custom_options);
    for (const auto& [tensor, first] : added_) {
      graph::tensor& t = m.tensors[static_cast<std::size_t>(tensor)];
      t.constant = all.subspan(first, static_cast<std::size_t>(bytes_of(t.type)));
    }
    m.storage = std::move(storage);
  }

 private:
  struct place {
    std::int32_t tensor;
    std::size_t first;
  };
  std::shared_ptr<const std::vector<std::byte>> old_;
  std::vector<std::byte> bytes_;
  std::vector<place> added_;
};

}  // namespace detail

/// A copy of the model in which no clamp is exposed.
[[nodiscard]] inline fixed_model spell_out_clamps(const graph::model& original) {
  fixed_model fixed{original, 0};
  graph::model& m = fixed.m;
  detail::constant_appender constants(original);
  std::vector<graph::operation> operations;
  const auto add_tensor = [&](graph::tensor t) {
    t.constant = {};
    m.tensors.push_back(std::move(t));
    return static_cast<std::int32_t>(m.tensors.size()) - 1;
  };
  for (const graph::operation& op : original.operations) {
    operations.push_back(op);
    const auto clamp = clamp_of(original, op);
    if (!clamp || clamp->exposed() == 0 ||
        detail::is_spelled_out(original, op.outputs[0], clamp->allowed, clamp->type))
      continue;
    ++fixed.clamps;
    const std::int32_t y = op.outputs[0];
    const graph::tensor like = m.tensors[static_cast<std::size_t>(y)];
    const auto intermediate = [&](const char* suffix) {
      graph::tensor t = like;
      t.name += suffix;
      return add_tensor(std::move(t));
    };
    std::int32_t from = intermediate("/unclamped");
    operations.back().outputs[0] = from;
    const bool upper =
        clamp->allowed.high<clamp->type.high, lower = clamp->allowed.low> clamp->type.low;
    const auto bound_by = [&](graph::operator_code code, std::int64_t bound, std::int32_t to) {
      graph::tensor t = like;
      t.name += "/bound";
      t.extents = {1};
      const std::int32_t index = add_tensor(std::move(t));
      constants.add(index, bound, like.type);
      graph::operation made;
      made.code = code;
      made.label = graph::name_of(code);
      made.version = 2;
      made.inputs = {from, index};
      made.outputs = {to};
      operations.push_back(std::move(made));
      from = to;
    };
    if (upper)
      bound_by(graph::operator_code::minimum, clamp->allowed.high,
               lower ? intermediate("/below") : y);
    if (lower) bound_by(graph::operator_code::maximum, clamp->allowed.low, y);
  }
  m.operations = std::move(operations);
  constants.finish(m);
  return fixed;
}

}  // namespace bittwin::analysis::inline v1
