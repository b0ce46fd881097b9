// SPDX-License-Identifier: Apache-2.0
// The page of a comparison of two dumps: of a reference and a board, of a board's two runs, of two releases of a
// toolchain.
#pragma once

#include <bittwin/analysis/comparison.hpp>
#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/page.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/types/result.hpp>
#include <string>

namespace bittwin::analysis::inline v1 {

/// What the page calls itself and the two sides. An empty sentence: that of the comparison (sentence_of).
struct comparison_words {
  std::string title = "bittwin compare";
  std::string reference = "REF", test = "TEST";
  std::string sentence;
};

/// One layer for each segment, with the pictures of its tensor on both sides, which are read once more.
///   height  sqrt(mean d^2) in steps of the scale; of floats without one |d| / |REF|
/// m       the model that was compared with, or null: then no bounds of activations are drawn
/// errors  files of the dumps that are unreadable or contradict their manifest
[[nodiscard]] result<page> page_of(const comparison& c, const dump& reference, const dump& test,
                                   const graph::model* m, const comparison_words& words = {});

}  // namespace bittwin::analysis::inline v1
