// SPDX-License-Identifier: Apache-2.0
// One output element through two targets, stage by stage, and the stage where they part.
//   const auto e = explain(model, tensor, element, operands, reference, suspect);
//   e->parts_at: "rescaled" 12 against 11
#pragma once

#include <bittwin/analysis/stage.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// What one target makes of the element.
struct explained {
  std::string as;  ///< whose rules, as executor::ran_as says it
  std::vector<stage> stages;
};

struct explanation {
  std::size_t operation = 0;
  explained first, second;
  std::optional<std::size_t> parts_at;  ///< the first stage that differs
};

/// Bytes of a computed tensor, in the model's type.
using operand_function = std::function<result<std::vector<std::byte>>(std::int32_t tensor)>;

/// element  flat index into the tensor
/// errors   a tensor that no operator writes, an element outside it, an operator that a target refuses
[[nodiscard]] result<explanation> explain(const graph::model& m, std::int32_t tensor,
                                          std::int64_t element, const operand_function& operands,
                                          const graph::target_rules& first,
                                          const graph::target_rules& second);

}  // namespace bittwin::analysis::inline v1
