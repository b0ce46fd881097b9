// SPDX-License-Identifier: Apache-2.0
// The demo's network: a stem, five inverted residual blocks of which those that keep their channels add what they were
// given, a head, the mean, and classes.
#pragma once

#include <bittwin/graph/model.hpp>
#include <bittwin/types/result.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "images.hpp"

namespace bittwin::demo {

/// Filters OHWI (depthwise HWC) and biases of one layer.
struct trained_layer {
  std::vector<float> filter, bias;
};

struct interval {
  double low = 0, high = 0;
};
/// Of activations by name.
using ranges = std::map<std::string, interval>;

/// In the order of the file that train.py writes. errors: another length
[[nodiscard]] result<std::vector<trained_layer>> read_weights(const std::string& path);

/// float32, its batch normalisation folded. With separate activations an activation is an operator of its own, behind
/// a tensor "sums of ...".
[[nodiscard]] graph::model float_network(const std::vector<trained_layer>& weights,
                                         bool separate_activations = false);

/// int8: weights symmetric, a scale per channel; activations on the 256 codes of their ranges.
[[nodiscard]] graph::model int8_network(const std::vector<trained_layer>& weights,
                                        const ranges& seen);

}  // namespace bittwin::demo
