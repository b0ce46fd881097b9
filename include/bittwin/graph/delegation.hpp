// SPDX-License-Identifier: Apache-2.0
// Which operators a delegating target takes and which it leaves to the kernels behind it, decided
// from the model alone. Each function gives its reason as a short text, empty where there is none.
#pragma once

#include <bittwin/graph/model.hpp>
#include <bittwin/graph/xnnpack_create.hpp>
#include <bittwin/targets/xnnpack.hpp>
#include <string_view>

namespace bittwin::graph::inline v1 {

/// Specialised for each target that declares `otherwise`.
///   leaves(model, operation)  why the delegate leaves one operator
///   abandons(model)           why it gives up on the whole model, after it took some of it
template <class Target> struct delegation;

template <> struct delegation<targets::xnnpack> {
  [[nodiscard]] static std::string_view leaves(const model& m, const operation& op) {
    return xnnpack_delegate::leaves({m, op});
  }
  [[nodiscard]] static std::string_view abandons(const model& m) {
    for (const operation& op : m.operations)
      if (xnnpack_delegate::leaves({m, op}).empty())
        if (const auto reason = xnnpack_delegate::cannot_create({m, op}); !reason.empty())
          return reason;
    return {};
  }
};

}  // namespace bittwin::graph::inline v1
