// SPDX-License-Identifier: Apache-2.0
// What changed between two releases, in words and as a page.
#pragma once

#include <bittwin/analysis/comparison_page.hpp>
#include <bittwin/analysis/drift.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/page.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/types/result.hpp>
#include <string>
#include <string_view>

namespace bittwin::analysis::inline v1 {

/// One clause on what the change is.
[[nodiscard]] std::string_view meaning_of(change c) noexcept;

/// "126 of 2304 differ; NAMED UPPER_CLAMP_MISSING -> EXACT as xnnpack and 3 more"
[[nodiscard]] std::string measures_of(const drifted_segment& s);

/// "7 FIXED, 17 INHERITED", in the order in which changes first occur
[[nodiscard]] std::string summary_of(const drift& d);

/// One layer for each segment, with the pictures of its tensor in both releases.
/// height  sqrt(mean d^2) of B against A in steps of the scale; of floats without one |d| / |A|
/// errors  files of the dumps that are unreadable or contradict their manifest
[[nodiscard]] result<page> page_of(const drift& d, const dump& a, const dump& b,
                                   const graph::model& m,
                                   const comparison_words& words = {"bittwin drift", "A", "B", ""});

}  // namespace bittwin::analysis::inline v1
