// SPDX-License-Identifier: Apache-2.0
// Binds one operator of a model to a target: the door to all builders.
#pragma once

#include <bittwin/graph/compiled.hpp>
#include <bittwin/graph/node_context.hpp>

namespace bittwin::graph::inline v1 {

/// errors  types, shapes, options and grids that the operator does not define under this target
[[nodiscard]] BITTWIN_GRAPH_FUNCTION result<node> build_node(const node_context& c);

}  // namespace bittwin::graph::inline v1

#if BITTWIN_GRAPH_DEFINED
#include <bittwin/graph/builders.hpp>
#endif
