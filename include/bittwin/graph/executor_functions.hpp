// SPDX-License-Identifier: Apache-2.0
// What the executor does before and between runs: checks memory, binds operators, places tensors.
#pragma once

#include <algorithm>
#include <bittwin/graph/arena_plan.hpp>
#include <bittwin/graph/build_node.hpp>
#include <bittwin/graph/delegated_rules.hpp>
#include <bittwin/graph/execution_order.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/reals.hpp>
#include <bittwin/kernel/packing.hpp>
#include <bittwin/types/expects.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::graph::inline v1 {

result<executor> executor::prepare(const model& m, const target_rules& rules, keep_tensors keep,
                                   std::size_t arena_limit) {
  require_packed_kernels();
  executor e(m, rules);
  // Before anything is allocated that a small file could make large.
  const arena_plan plan =
      plan_arena(m, keep, [&e](std::int32_t tensor) { return e.stored_bytes(tensor); });
  if (auto s = e.check_memory(plan, arena_limit); !s) return s.error();
  if (auto s = e.bind_nodes(); !s) return s.error();
  e.place_constants();
  e.place_computed(plan);
  return e;
}

/// The arena, and constants beyond what the file accounts for: many tensors may share one buffer,
/// and each becomes its own. A byte of the file holds at most two codes, each at most a double.
status executor::check_memory(const arena_plan& plan, std::size_t arena_limit) const {
  const auto exceeds = [&](std::string_view what, std::size_t bytes) {
    return error{error_code::too_large,
                 sentence({model_->name, ": takes ", what, " of ", std::to_string(bytes),
                           " bytes, above the limit of ", std::to_string(arena_limit),
                           "; raise the limit"})};
  };
  if (BITTWIN_MUTABLE(plan.plan.bytes > arena_limit, arena_limit, plan.plan.bytes >= arena_limit))
    return exceeds("an arena", plan.plan.bytes);
  std::size_t constants = 0;
  for (std::size_t i = 0; i < model_->tensors.size(); ++i)
    if (model_->tensors[i].is_constant()) constants += stored_bytes(static_cast<std::int32_t>(i));
  const std::size_t own = model_->storage ? 2 * sizeof(double) * model_->storage->size() : 0;
  if (constants > own && constants - own > arena_limit)
    return exceeds("copies of shared constants", constants - own);
  return ok();
}

/// All its outputs are empty.
[[nodiscard]] inline bool makes_nothing(const model& m, const operation& op) {
  return std::all_of(op.outputs.begin(), op.outputs.end(), [&](std::int32_t index) {
    return m.tensors[static_cast<std::size_t>(index)].extents.elements() == 0;
  });
}

/// Models put together in memory were not read, and so not checked.
[[nodiscard]] inline status check_order(const model& m) {
  execution_order order(m.tensors);
  for (const std::int32_t index : m.inputs)
    if (!m.tensors[static_cast<std::size_t>(index)].is_constant())
      if (status right = order.add_input(index); !right) return right;
  for (std::size_t k = 0; k < m.operations.size(); ++k)
    if (status right = order.add(m.operations[k],
                                 sentence({m.name, ": operator ", std::to_string(k), " ",
                                           m.operations[k].label}));
        !right)
      return right;
  return ok();
}

status executor::bind_nodes() {
  if (auto s = check_order(*model_); !s) return s;
  const std::string_view abandoned = abandoned_because(*model_, *rules_);
  for (std::size_t i = 0; i < model_->operations.size(); ++i) {
    const operation& op = model_->operations[i];
    delegated_rules chosen = rules_for(*model_, op, *rules_, abandoned);
    auto made = build_node({*model_, op, i, *chosen.rules});
    if (!made) return made.error();
    // However large a window: no elements, no work.
    if (makes_nothing(*model_, op)) made = node([](const workspace&) {});
    nodes_.push_back(std::move(*made));
    ran_as_.push_back(std::move(chosen.as));
  }
  return ok();
}

std::size_t executor::stored_bytes(std::int32_t tensor) const {
  return static_cast<std::size_t>(
             model_->tensors[static_cast<std::size_t>(tensor)].extents.elements()) *
         static_cast<std::size_t>(bytes_of(stored_type(*model_, tensor, *rules_)));
}

executor::aligned_bytes executor::allocate(std::size_t bytes) {
  auto* p = static_cast<std::byte*>(
      ::operator new (std::max<std::size_t>(bytes, 1), std::align_val_t{memory_plan::alignment}));
  std::memset(p, 0, bytes);
  return aligned_bytes(p);
}

/// Constants keep their bytes in the file where alignment allows, and become reals under a target
/// on reals.
void executor::place_constants() {
  for (std::size_t i = 0; i < model_->tensors.size(); ++i) {
    const tensor& t = model_->tensors[i];
    if (!t.is_constant()) continue;
    constants_.push_back(allocate(stored_bytes(static_cast<std::int32_t>(i))));
    workspace_.bind(static_cast<std::int32_t>(i),
                    {constants_.back().get(), stored_bytes(static_cast<std::int32_t>(i))},
                    stored_type(*model_, static_cast<std::int32_t>(i), *rules_));
    set_value(static_cast<std::int32_t>(i), stored_constant(t));
  }
}

void executor::reset_variables() {
  for (std::size_t i = 0; i < model_->tensors.size(); ++i) {
    const tensor& t = model_->tensors[i];
    const auto bytes = workspace_.bytes(static_cast<std::int32_t>(i));
    if (!t.variable || t.is_constant() || bytes.empty()) continue;
    const bool is_code = t.type == element_type::int8 && !rules_->is_real;
    std::memset(
        bytes.data(),
        is_code ? BITTWIN_MUTABLE(static_cast<int>(t.quantization.zero_point()), variable_code, 0)
                : 0,
        bytes.size());
  }
}

void executor::place_computed(const arena_plan& plan) {
  arena_bytes_ = plan.plan.bytes;
  arena_ = allocate(arena_bytes_);
  for (std::size_t i = 0; i < plan.tensors.size(); ++i)
    workspace_.bind(plan.tensors[i], {arena_.get() + plan.plan.offsets[i], plan.lifetimes[i].bytes},
                    stored_type(*model_, plan.tensors[i], *rules_));
  reset_variables();
}

void executor::set_value(std::int32_t tensor, std::span<const std::byte> bytes) {
  const graph::tensor& t = model_->tensors[static_cast<std::size_t>(tensor)];
  const auto to = workspace_.bytes(tensor);
  if (stored_type(*model_, tensor, *rules_) != t.type) {
    const std::vector<double> reals = reals_of(t, bytes);
    BITTWIN_EXPECTS(reals.size() * sizeof(double) == to.size());
    if (!reals.empty()) std::memcpy(to.data(), reals.data(), to.size());
  } else {
    BITTWIN_EXPECTS(bytes.size() == to.size());
    if (!to.empty()) std::memcpy(to.data(), bytes.data(), to.size());
  }
}

status executor::set_input(std::size_t number, std::span<const std::byte> bytes) {
  if (BITTWIN_MUTABLE(number >= model_->inputs.size(), input_number,
                      number > model_->inputs.size()))
    return error{error_code::bad_option, model_->name + ": there is no input " +
                                             std::to_string(number) + "; the model has " +
                                             std::to_string(model_->inputs.size())};
  const std::int32_t index = model_->inputs[number];
  const tensor& t = model_->tensors[static_cast<std::size_t>(index)];
  const auto expected =
      static_cast<std::size_t>(t.extents.elements()) * static_cast<std::size_t>(bytes_of(t.type));
  if (BITTWIN_MUTABLE(bytes.size() != expected, input_length, bytes.size() > expected))
    return error{error_code::bad_shape, model_->name + ": input " + std::to_string(number) +
                                            " takes " + std::to_string(expected) + " bytes, not " +
                                            std::to_string(bytes.size())};
  if (!t.is_constant()) set_value(index, bytes);
  return ok();
}

}  // namespace bittwin::graph::inline v1
