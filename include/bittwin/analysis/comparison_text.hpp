// SPDX-License-Identifier: Apache-2.0
// A comparison in words, as the tool prints it and the page shows it.
#pragma once

#include <bittwin/analysis/comparison.hpp>
#include <string>
#include <string_view>

namespace bittwin::analysis::inline v1 {

/// What a verdict means, in one clause.
[[nodiscard]] std::string_view meaning_of(verdict v) noexcept;

/// "operator 5 CONV_2D", "operators 3 to 5 CONV_2D"; "tensor" where no model or manifest says
[[nodiscard]] std::string operators_of(const segment& s);

/// "312 of 8000 differ, by at most 2 codes, SQNR 40.1 dB; alone on TEST's inputs: 12 of 8000"
[[nodiscard]] std::string measures_of(const segment& s);

/// "9 EXACT, 3 ROUNDING", in the order in which verdicts first occur
[[nodiscard]] std::string summary_of(const comparison& c);

/// The outcome in one sentence, without a trailing full stop: the first segment that nothing excuses, else what
/// preflight found, else the verdicts.
[[nodiscard]] std::string sentence_of(const comparison& c);

}  // namespace bittwin::analysis::inline v1
