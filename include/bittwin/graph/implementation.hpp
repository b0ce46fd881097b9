// SPDX-License-Identifier: Apache-2.0
// The compiled part of the graph component: the reader, 72 operators, the executor, the tables of the shipped targets
// and the packed kernels, whose headers only declare them so that a unit which uses them compiles in seconds. Without
// CMake exactly one source file of a program includes this; the CMake target bittwin::graph brings it.
#pragma once

#include <bittwin/graph/any_rules.hpp>
#include <bittwin/graph/builders.hpp>
#include <bittwin/graph/executor_functions.hpp>
#include <bittwin/graph/operator_options_functions.hpp>
#include <bittwin/graph/shipped_rules.hpp>
#include <bittwin/graph/tflite_reader.hpp>
#include <bittwin/graph/tflite_writer.hpp>
#include <bittwin/kernel/packed_kernels.hpp>
