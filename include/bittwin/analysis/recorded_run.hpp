// SPDX-License-Identifier: Apache-2.0
// What a target makes of the inputs that a dump recorded, as a dump: the right side of a comparison with a board.
#pragma once

#include <bittwin/analysis/dump.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <string>

namespace bittwin::analysis::inline v1 {

/// Every sample of `recorded`, each as a first run; of the tensors those that `recorded` holds, and the model's inputs
/// and outputs.
/// name    of the dump that is made, in sentences
/// errors  an input of the model that was not recorded, or of another type or shape; what the target refuses
[[nodiscard]] result<dump> run_recorded(const graph::model& m, const graph::target_rules& target,
                                        const dump& recorded, std::size_t arena_limit,
                                        std::string name);

}  // namespace bittwin::analysis::inline v1
