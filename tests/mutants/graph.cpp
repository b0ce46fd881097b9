// SPDX-License-Identifier: Apache-2.0
// The compiled part of the graph component with its mutable expressions: bittwin::graph has none. Without the packed
// kernels, which would run in the place of the mutated rules (tests/parity compares the two). And how dumps are read
// and written, which the tests of models need.
#include <bittwin/analysis/dump_functions.hpp>
#include <bittwin/analysis/dump_writer_functions.hpp>
#include <bittwin/analysis/manifest_functions.hpp>
#include <bittwin/analysis/npy_functions.hpp>
#include <bittwin/graph/any_rules.hpp>
#include <bittwin/graph/builders.hpp>
#include <bittwin/graph/executor_functions.hpp>
#include <bittwin/graph/operator_options_functions.hpp>
#include <bittwin/graph/shipped_rules.hpp>
#include <bittwin/graph/tflite_reader.hpp>
#include <bittwin/graph/tflite_writer.hpp>

void bittwin::require_packed_kernels() noexcept {}
