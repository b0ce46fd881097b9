// SPDX-License-Identifier: Apache-2.0
// Targets as JSON: a base, and the axes that differ.
//   {"schema": 1, "name": "my-npu", "base": "tflite-reference",
//    "rooms": {"conv2d": {"rescale": "q31-one-step<half-even>"}, "softmax": null}}
// A room that is null is one that the target lacks. Without a base every room states all of its axes. What
// to_json(description) writes is read back as the same description.
#pragma once

#include <bittwin/graph/any_target.hpp>
#include <bittwin/targets/description.hpp>
#include <bittwin/types/result.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace bittwin::analysis::inline v1 {

/// Shipped or template; null where there is none of that name.
[[nodiscard]] const target_description* find_description(std::string_view name);

/// The whole of a description, axis by axis, with where each is from.
[[nodiscard]] nlohmann::ordered_json to_json(const target_description& d);

/// file  the name that sentences give
[[nodiscard]] result<target_description> parse_target(std::string_view text, std::string file);

/// A target of a file, ready to run.
[[nodiscard]] result<graph::any_target> make_target(const target_description& described,
                                                    const std::string& file);

}  // namespace bittwin::analysis::inline v1
