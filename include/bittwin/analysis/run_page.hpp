// SPDX-License-Identifier: Apache-2.0
// The page of one run: what each operator made, gathered while it runs.
#pragma once

#include <bittwin/analysis/array.hpp>
#include <bittwin/analysis/page.hpp>
#include <bittwin/graph/model.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// add() each tensor behind the operator that makes it, then finish(). The model must outlive it.
class run_page {
 public:
  /// target   as the page names it
  /// assumed  what was put in for axes that nobody knows
  run_page(const graph::model& m, std::string_view target, const std::vector<std::string>& assumed);

  /// A layer, with the histogram of what `index` holds.
  ///   height  share of the elements at an end of the allowed codes: of the activation's, else of the type's
  /// ran_as  the rules that the operator ran under
  /// Precondition: `op` and `index` are of the model.
  void add(std::size_t op, std::int32_t index, const array_view& made, std::string_view ran_as);

  [[nodiscard]] const page& finish();

 private:
  const graph::model& model_;
  page page_;
};

}  // namespace bittwin::analysis::inline v1
