// SPDX-License-Identifier: Apache-2.0
// Header-only by default. A program with many translation units may compile the two large functions of this
// component, build_node and read_tflite, once: the CMake function bittwin_compile_graph(<name>) makes a library
// whose users are compiled with BITTWIN_GRAPH_COMPILED and see declarations only.
#pragma once

// BITTWIN_GRAPH_FUNCTION stands before these two functions; BITTWIN_GRAPH_DEFINED where their bodies are wanted.
#ifdef BITTWIN_GRAPH_COMPILED
#define BITTWIN_GRAPH_FUNCTION
#ifdef BITTWIN_GRAPH_COMPILES
#define BITTWIN_GRAPH_DEFINED 1
#else
#define BITTWIN_GRAPH_DEFINED 0
#endif
#else
#define BITTWIN_GRAPH_FUNCTION inline
#define BITTWIN_GRAPH_DEFINED 1
#endif
