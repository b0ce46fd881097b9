// SPDX-License-Identifier: Apache-2.0
// Binds one operator of a model to a target: the door to all builders, which implementation.hpp holds.
#pragma once

#include <bittwin/graph/node_context.hpp>

// The name is for the linker's message to whom forgot it.
namespace bittwin::graph::inline v1::inline in_graph_implementation_hpp {

/// errors  types, shapes, options and grids that the operator does not define under this target
[[nodiscard]] result<node> build_node(const node_context& c);

}  // namespace bittwin::graph::inline v1::inline in_graph_implementation_hpp
