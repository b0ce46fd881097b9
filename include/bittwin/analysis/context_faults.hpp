// SPDX-License-Identifier: Apache-2.0
// Operators that are right alone and wrong in the graph: what they read or wrote was not where it belongs. Decided by
// exact replays on what a board recorded elsewhere, or by bytes that another tensor holds.
#pragma once

#include <algorithm>
#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/dump_pair.hpp>
#include <bittwin/analysis/model_edit.hpp>
#include <bittwin/analysis/output_faults.hpp>
#include <bittwin/analysis/part_run.hpp>
#include <bittwin/analysis/recording.hpp>
#include <bittwin/analysis/rounding_span.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// The operators of a segment, the operands that TEST recorded, in the order of the segment's `from`, and TEST's result.
struct segment_result {
  const segment& of;
  const graph::model& part;
  const std::vector<recording>& operands;
  const recording& expected;
  const recording& got;
};

namespace detail {

class context_search {
 public:
  /// least  differing elements that are no coincidence
  static constexpr std::int64_t least = 8;

  context_search(const segment_result& r, const dump_pair& dumps, const graph::model& m,
                 const graph::target_rules& target, std::size_t arena_limit)
      : r_(r), dumps_(dumps), model_(m), target_(target), arena_limit_(arena_limit) {}

  [[nodiscard]] std::optional<finding> find() const {
    if (!same_form(r_.expected, r_.got) ||
        mismatches(codes_of(r_.expected), codes_of(r_.got)) < least)
      return std::nullopt;
    if (auto f = find_readers()) return f;
    if (auto f = find_older_operand()) return f;
    if (auto f = find_other_operand()) return f;
    return find_other_bytes();
  }

 private:
  [[nodiscard]] std::optional<recording> read(const dump& from, std::int32_t index) const {
    recording r;
    for (std::size_t sample = 0; sample < dumps_.samples(); ++sample) {
      if (!from.has(index, sample)) return std::nullopt;
      const result<array> a = from.read(index, sample);
      if (!a) return std::nullopt;
      r.append(*a);
    }
    return r;
  }
  [[nodiscard]] std::optional<recording> run_with(std::size_t n, recording operand) const {
    std::vector<recording> operands = r_.operands;
    operands[n] = std::move(operand);
    return run_part(r_.part, target_, operands, arena_limit_);
  }
  [[nodiscard]] static bool same_form(const recording& a, const recording& b) {
    return a.values.type == b.values.type && a.values.extents == b.values.extents &&
           a.samples == b.samples;
  }
  [[nodiscard]] static std::span<const std::byte> sample_of(const recording& r, std::size_t i) {
    const std::size_t bytes = r.values.data.size() / r.samples;
    return std::span(r.values.data).subspan(i * bytes, bytes);
  }

  /// What reads the tensor made its results of the right values: they were overwritten before they were recorded.
  [[nodiscard]] std::optional<finding> find_readers() const {
    const std::int32_t index = r_.of.tensor;
    std::string readers;
    for (std::size_t k = 0; k < model_.operations.size(); ++k) {
      const graph::operation& op = model_.operations[k];
      if (std::find(op.inputs.begin(), op.inputs.end(), index) == op.inputs.end()) continue;
      const std::int32_t ops[] = {static_cast<std::int32_t>(k)};
      const std::int32_t to[] = {op.outputs[0]};
      std::vector<std::int32_t> from;
      std::vector<recording> right, recorded;
      for (const std::int32_t input : op.inputs) {
        if (input == graph::no_tensor ||
            model_.tensors[static_cast<std::size_t>(input)].is_constant() ||
            std::find(from.begin(), from.end(), input) != from.end())
          continue;
        auto operand = read(dumps_.test(), input);
        if (!operand) return std::nullopt;
        from.push_back(input);
        right.push_back(input == index ? r_.expected : *operand);
        recorded.push_back(std::move(*operand));
      }
      const auto made = read(dumps_.test(), op.outputs[0]);
      if (!made) continue;
      const graph::model part = part_of(model_, ops, from, to);
      const auto of_right = run_part(part, target_, right, arena_limit_);
      const auto of_recorded = run_part(part, target_, recorded, arena_limit_);
      if (!of_right || !of_recorded || of_right->values.data != made->values.data)
        return std::nullopt;
      if (mismatches(codes_of(*of_recorded), codes_of(*made)) < least) return std::nullopt;
      readers += (readers.empty() ? "operator " : ", operator ") + std::to_string(k);
    }
    if (readers.empty()) return std::nullopt;
    return finding{"STALE_BUFFER", readers + " read the right values here: " + dumps_.label(index) +
                                       " was overwritten before it was recorded"};
  }

  /// Every sample but the first is what the operator makes of the sample before.
  [[nodiscard]] std::optional<finding> find_older_operand() const {
    if (r_.got.samples < 2) return std::nullopt;
    for (std::size_t n = 0; n < r_.operands.size(); ++n) {
      const recording& now = r_.operands[n];
      recording before{{now.values.type, now.values.extents, {}}, 0};
      for (std::size_t i = 0; i < now.samples; ++i)
        before.append({now.values.type, now.values.extents, sample_of(now, i == 0 ? 0 : i - 1)});
      const auto made = run_with(n, std::move(before));
      if (!made || !same_form(*made, r_.got)) continue;
      bool all = true;
      std::int64_t changed = 0;
      for (std::size_t i = 1; i < r_.got.samples && all; ++i) {
        const auto seen = sample_of(r_.got, i), older = sample_of(*made, i),
                   right = sample_of(r_.expected, i);
        all = std::equal(seen.begin(), seen.end(), older.begin(), older.end());
        for (std::size_t b = 0; b < seen.size(); ++b) changed += seen[b] != right[b] ? 1 : 0;
      }
      if (all && changed >= least)
        return finding{"STALE_BUFFER",
                       "each sample is what the operator makes of " + dumps_.label(r_.of.from[n]) +
                           " of the sample before: it was read before it was written"};
    }
    return std::nullopt;
  }

  /// The operator on another tensor of the same form, or on what REF has in the operand.
  [[nodiscard]] std::optional<finding> find_other_operand() const {
    for (std::size_t n = 0; n < r_.operands.size(); ++n) {
      const std::int32_t own = r_.of.from[n];
      for (const std::int32_t index : dumps_.test().indices()) {
        if (index == own || index == r_.of.tensor) continue;
        auto other = read(dumps_.test(), index);
        if (!other || !same_form(*other, r_.operands[n])) continue;
        const auto made = run_with(n, std::move(*other));
        if (made && made->values.data == r_.got.values.data)
          return finding{"STALE_BUFFER", "the result is what the operator makes of " +
                                             dumps_.label(index) + " in the place of " +
                                             dumps_.label(own)};
      }
    }
    return std::nullopt;
  }

  /// One run of bytes is wrong, and stands in another tensor as it is.
  [[nodiscard]] std::optional<finding> find_other_bytes() const {
    const auto got = sample_of(r_.got, 0), right = sample_of(r_.expected, 0);
    const auto differs = std::mismatch(got.begin(), got.end(), right.begin(), right.end());
    if (differs.first == got.end()) return std::nullopt;
    const auto first = static_cast<std::size_t>(differs.first - got.begin());
    std::size_t last = got.size();
    while (last > first && got[last - 1] == right[last - 1]) --last;
    const auto run = got.subspan(first, last - first);
    if (run.size() < 2 * static_cast<std::size_t>(least) ||
        std::all_of(run.begin(), run.end(), [&](std::byte b) { return b == run[0]; }))
      return std::nullopt;
    for (const std::int32_t index : dumps_.test().indices()) {
      if (index == r_.of.tensor) continue;
      const auto other = read(dumps_.test(), index);
      if (!other) continue;
      const auto bytes = sample_of(*other, 0);
      const auto at = std::search(bytes.begin(), bytes.end(), run.begin(), run.end());
      if (at == bytes.end()) continue;
      return finding{"STALE_BUFFER", "bytes " + std::to_string(first) + " to " +
                                         std::to_string(last - 1) + " are those of " +
                                         dumps_.label(index) + " from byte " +
                                         std::to_string(at - bytes.begin()) +
                                         " on: the two share memory while both are needed"};
    }
    return std::nullopt;
  }

  const segment_result& r_;
  const dump_pair& dumps_;
  const graph::model& model_;
  const graph::target_rules& target_;
  std::size_t arena_limit_;
};

}  // namespace detail

/// What was read or overwritten, where the operators are right alone. m  the model on the board's parameters
[[nodiscard]] inline std::optional<finding> find_context(const segment_result& r,
                                                         const dump_pair& dumps,
                                                         const graph::model& m,
                                                         const graph::target_rules& target,
                                                         std::size_t arena_limit) {
  return detail::context_search(r, dumps, m, target, arena_limit).find();
}

}  // namespace bittwin::analysis::inline v1
