// SPDX-License-Identifier: Apache-2.0
// Writes a model as a .tflite file that the reader reads back as the same model, and that other runtimes load. What the
// model does not hold (metadata, signatures, names of subgraphs) is not written.
#pragma once

#include <bittwin/graph/model.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <filesystem>
#include <vector>

// The name is for the linker's message to whom forgot it.
namespace bittwin::graph::inline v1::inline in_graph_implementation_hpp {

/// The bytes of the file. Precondition: what readers guarantee of a model (indices in range,
/// lengths of constants, values of options).
/// errors  operators that this version does not know; more than 2 GiB
[[nodiscard]] result<std::vector<std::byte>> write_tflite(const model& m);

[[nodiscard]] status write_tflite_file(const std::filesystem::path& path, const model& m);

}  // namespace bittwin::graph::inline v1::inline in_graph_implementation_hpp
