// SPDX-License-Identifier: Apache-2.0
// What a comparison of two dumps finds: preflight findings, and a verdict for each segment of
// operators.
#pragma once

#include <bittwin/analysis/difference.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// exact            the same in every element
/// rounding         explained by the choice of a rounding rule
/// inherited        differs only because its inputs do: the operators alone give what TEST holds
/// reparameterized  other scales or zero points; not a fault
/// named            a fault that has a name
/// context          right alone, wrong in the graph
/// undetermined     differs, and nothing here explains it
/// not_observed     not recorded on both sides, or of different shapes
enum class verdict : std::uint8_t {
  exact,
  rounding,
  inherited,
  reparameterized,
  named,
  context,
  undetermined,
  not_observed
};

[[nodiscard]] constexpr std::string_view name_of(verdict v) noexcept {
  switch (v) {
    case verdict::exact: return "EXACT";
    case verdict::rounding: return "ROUNDING";
    case verdict::inherited: return "INHERITED";
    case verdict::reparameterized: return "REPARAMETERIZED";
    case verdict::named: return "NAMED";
    case verdict::context: return "CONTEXT";
    case verdict::undetermined: return "UNDETERMINED";
    case verdict::not_observed: return "NOT_OBSERVED";
  }
  return "?";
}

/// Differs, and neither its inputs nor other parameters are the reason.
[[nodiscard]] constexpr bool is_unexplained(verdict v) noexcept {
  return v == verdict::named || v == verdict::context || v == verdict::undetermined;
}

/// A code that is documented, and what was seen.
struct finding {
  std::string code;  ///< "INPUT_DIFFERS"
  std::string text;
};

/// How far a difference of rounding goes.
/// observed  elements that differ from what the target makes
/// as        the target whose rules give every element; empty: none gives all of them
/// most      elements in which the rules of one of the targets that were asked differ from the target's
struct rounding_share {
  std::int64_t observed = 0, most = 0;
  std::string as = {};
};

/// The operators between recorded tensors that make one recorded tensor.
struct segment {
  std::vector<std::int32_t> ops;  ///< in execution order; empty where no model or manifest says
  std::string label;              ///< of the last operator: "CONV_2D"
  std::int32_t tensor = 0;
  std::string name;                ///< of the tensor
  std::vector<std::int32_t> from;  ///< recorded tensors that these operators read
  analysis::verdict verdict = verdict::not_observed;
  difference metrics;                        ///< TEST against REF
  std::optional<difference> one_step;        ///< TEST against these operators run on TEST's inputs
  std::optional<std::int64_t> out_of_range;  ///< codes of TEST outside the fused activation
  std::vector<finding> signature;            ///< faults, each of which alone gives TEST
  std::optional<rounding_share> rounding;    ///< of the verdict ROUNDING
};

struct comparison {
  std::vector<finding> preflight;
  std::vector<std::string> assumptions;
  std::vector<segment> segments;  ///< in execution order

  /// The first unexplained segment, or null.
  [[nodiscard]] const segment* first() const noexcept {
    for (const segment& s : segments)
      if (is_unexplained(s.verdict)) return &s;
    return nullptr;
  }
};

}  // namespace bittwin::analysis::inline v1
