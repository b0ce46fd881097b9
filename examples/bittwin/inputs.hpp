// SPDX-License-Identifier: Apache-2.0
// What a model is run on, as --input and --seed say.
#pragma once

#include <bittwin/analysis/array.hpp>
#include <bittwin/graph/model.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace bittwin::cli {

/// The arrays under the paths of --input, checked against the model's inputs; none for no paths.
[[nodiscard]] std::vector<analysis::array> read_inputs(const graph::model& m,
                                                       const std::vector<std::string>& paths);
/// Random ones over each whole type.
[[nodiscard]] std::vector<analysis::array> sample_inputs(const graph::model& m, std::uint64_t seed);

}  // namespace bittwin::cli
