// SPDX-License-Identifier: Apache-2.0
// How many drawn images a model classifies rightly.
#pragma once

#include <bittwin/graph/executor.hpp>
#include <cstdint>
#include <vector>

#include "../demo_model/images.hpp"

namespace bittwin::cli {

/// The elements of a drawn image as a model's input tensor has them: codes, or reals in float32.
[[nodiscard]] std::vector<std::byte> input_of(const graph::model& m,
                                              const demo::labelled_image& image);

/// Images whose largest output is that of their label; the first one where several are largest.
/// m  its input [1, 32, 32, 3] in int8 or float32, its output one element for each class
[[nodiscard]] std::int64_t images_right(const graph::model& m, const graph::target_rules& target,
                                        const std::vector<demo::labelled_image>& images);

}  // namespace bittwin::cli
