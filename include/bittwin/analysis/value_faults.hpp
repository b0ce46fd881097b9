// SPDX-License-Identifier: Apache-2.0
// Faults that a result shows against the exact values of its operator, whatever its rule: codes that wrapped, a table
// with wrong entries.
#pragma once

#include <algorithm>
#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/part_run.hpp>
#include <bittwin/analysis/recording.hpp>
#include <bittwin/analysis/rounding_span.hpp>
#include <bittwin/policy/stages.hpp>
#include <bittwin/types/element_type.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// What a device made of operands, and what it should have made.
struct part_result {
  const graph::model& part;
  std::span<const recording> operands;
  const std::vector<std::int64_t>& expected;  ///< codes of all samples
  const std::vector<std::int64_t>& got;

  [[nodiscard]] const graph::tensor& output() const {
    return part.tensors[static_cast<std::size_t>(part.outputs.back())];
  }
};

/// Every element is right, the exact value rounded either way, or the low bits of one that lies beyond the type.
[[nodiscard]] inline std::optional<finding> find_wrapped(const part_result& r,
                                                         const graph::target_rules& real,
                                                         std::size_t arena_limit) {
  const auto exact = unbounded_codes(r.part, real, r.operands, arena_limit);
  if (!exact || exact->size() != r.got.size()) return std::nullopt;
  const code_range type = range_of(r.output().type);
  if (bytes_of(r.output().type) > 2) return std::nullopt;
  std::size_t wrapped = 0;
  for (std::size_t i = 0; i < r.got.size(); ++i) {
    if (r.got[i] == r.expected[i]) continue;
    const double value = (*exact)[i];
    if (!(std::fabs(value) < 0x1p40)) return std::nullopt;
    const auto down = static_cast<std::int64_t>(std::floor(value));
    const auto up = static_cast<std::int64_t>(std::ceil(value));
    if (clamp_to(down, type.low, type.high) == r.got[i] ||
        clamp_to(up, type.low, type.high) == r.got[i])
      continue;
    const auto wraps_to = [&](std::int64_t code) {
      return (code < type.low || code > type.high) &&
             narrowing::wrap::apply(code, type) == r.got[i];
    };
    if (!wraps_to(down) && !wraps_to(up)) return std::nullopt;
    ++wrapped;
  }
  if (wrapped == 0) return std::nullopt;
  return finding{"OUTPUT_WRAP",
                 std::to_string(wrapped) + " results beyond the type wrap instead of saturating"};
}

namespace detail {

/// Operators of one operand that devices do by a table of 256 results.
[[nodiscard]] inline bool is_table(const graph::operation& op) {
  using graph::operator_code;
  switch (op.code) {
    case operator_code::logistic:
    case operator_code::tanh:
    case operator_code::hard_swish:
    case operator_code::leaky_relu:
    case operator_code::elu:
    case operator_code::exp:
    case operator_code::sqrt:
    case operator_code::rsqrt: return true;
    default: return false;
  }
}

/// The target's result for every code of an 8-bit operand, from the lowest.
[[nodiscard]] inline std::vector<std::int64_t> table_of(const graph::model& part,
                                                        const graph::target_rules& target,
                                                        const recording& like,
                                                        std::size_t arena_limit) {
  const std::size_t elements = static_cast<std::size_t>(like.values.extents.elements());
  if (elements == 0) return {};
  const std::int64_t low = range_of(like.values.type).low;
  recording every{{like.values.type, like.values.extents, {}}, (256 + elements - 1) / elements};
  for (std::size_t i = 0; i < every.samples * elements; ++i)
    every.values.data.push_back(
        static_cast<std::byte>((low + static_cast<std::int64_t>(i % 256)) & 0xFF));
  const auto made = run_part(part, target, std::span(&every, 1), arena_limit);
  if (!made) return {};
  std::vector<std::int64_t> table = codes_of(*made);
  if (table.size() < 256) return {};
  table.resize(256);
  return table;
}

}  // namespace detail

/// Every result is a function of its operand's code alone, and each wrong one was seen twice or more.
[[nodiscard]] inline std::optional<finding> find_table(const part_result& r,
                                                       const graph::target_rules& target,
                                                       std::size_t arena_limit) {
  if (r.part.operations.size() != 1 || !detail::is_table(r.part.operations[0]) ||
      r.operands.size() != 1 || bytes_of(r.operands[0].values.type) != 1)
    return std::nullopt;
  const std::vector<std::int64_t> x = codes_of(r.operands[0]);
  if (x.size() != r.got.size()) return std::nullopt;
  std::map<std::int64_t, std::int64_t> seen;
  std::map<std::int64_t, std::size_t> wrong;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (seen.emplace(x[i], r.got[i]).first->second != r.got[i]) return std::nullopt;
    if (r.got[i] != r.expected[i]) ++wrong[x[i]];
  }
  const bool repeated =
      std::all_of(wrong.begin(), wrong.end(), [](const auto& entry) { return entry.second > 1; });
  if (wrong.empty() || !repeated) return std::nullopt;
  const std::vector<std::int64_t> table =
      detail::table_of(r.part, target, r.operands[0], arena_limit);
  const std::int64_t low = range_of(r.operands[0].values.type).low;
  const auto is_read_by = [&](auto index) {
    return !table.empty() && std::all_of(seen.begin(), seen.end(), [&](const auto& entry) {
      return table[static_cast<std::size_t>(index(entry.first - low) & 0xFF)] == entry.second;
    });
  };
  if (is_read_by([](std::int64_t i) { return i ^ 0x80; }))
    return finding{"TABLE", "the table is indexed with codes of the other signedness"};
  for (const int step : {1, -1})
    if (is_read_by([&](std::int64_t i) { return i + step; }))
      return finding{"TABLE", std::string("the table is read one entry ") +
                                  (step > 0 ? "further on" : "before")};
  std::string text = std::to_string(wrong.size()) + " of " + std::to_string(seen.size()) +
                     " entries of its table that were read are wrong:";
  for (const auto& [code, count] : wrong)
    if (text.size() < 120)
      text += " code " + std::to_string(code) + " gives " + std::to_string(seen[code]) + ",";
  text.back() = '.';
  return finding{"TABLE", text};
}

}  // namespace bittwin::analysis::inline v1
