// SPDX-License-Identifier: Apache-2.0
// What a board would give without its first fault: the faulty tensor is what the operators make of the board's own
// operands, and whatever reads it is replayed; all else stays as the board recorded it.
#pragma once

#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/dump_comparison.hpp>
#include <bittwin/types/result.hpp>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// before, after  elements that differ from REF in TEST, and in the replay; before is absent where TEST lacks the tensor
struct repaired_tensor {
  std::int32_t tensor = 0;
  std::int64_t elements = 0;
  std::optional<std::int64_t> before;
  std::int64_t after = 0;
};

/// fault      what was taken away, at `at`
/// tensors    those from `at` on that REF recorded, in execution order, and among them `outputs` of the model
/// remainder  segments behind it that have a fault of their own, so that a replay says too much good of them
struct repair {
  finding fault;
  std::int32_t at = 0;
  std::vector<repaired_tensor> tensors, outputs;
  std::vector<std::int32_t> remainder;  ///< their tensors

  /// Differing elements that are gone, of tensors that both sides recorded.
  [[nodiscard]] std::int64_t removed() const noexcept {
    std::int64_t sum = 0;
    for (const repaired_tensor& t : tensors)
      if (t.before) sum += *t.before - t.after;
    return sum;
  }
  [[nodiscard]] bool regains_outputs() const noexcept {
    for (const repaired_tensor& t : outputs)
      if (t.after != 0) return false;
    return !outputs.empty();
  }
};

/// Clamps, padding and layout: what a replay without them puts right for certain.
[[nodiscard]] constexpr bool is_repairable(std::string_view code) noexcept {
  return code == "UPPER_CLAMP_MISSING" || code == "LOWER_CLAMP_MISSING" ||
         code == "CLAMP_LITERAL" || code == "PAD_WITH_ZERO" || code == "SAME_WRONG_SIDE" ||
         code == "LAYOUT" || code == "CHANNEL_ORDER";
}

/// found  what compare_dumps said of the same dumps with the same settings
/// errors  no model or target; nothing is faulty; the first fault is not one, of a kind that a replay puts right;
///         TEST has parameters of its own; unreadable files
[[nodiscard]] result<repair> repair_first(const dump& reference, const dump& test,
                                          const comparison& found,
                                          const comparison_settings& settings);

}  // namespace bittwin::analysis::inline v1
