// SPDX-License-Identifier: Apache-2.0
// The compiled part of the graph component, as a program without CMake includes it.
#include <bittwin/graph/implementation.hpp>
