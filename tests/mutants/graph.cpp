// SPDX-License-Identifier: Apache-2.0
// The compiled part of the graph component with its mutable expressions: bittwin::graph has none.
#include <bittwin/graph/implementation.hpp>
