// SPDX-License-Identifier: Apache-2.0
// From the bytes of a .tflite file to a checked model: the door to the reader, which implementation.hpp holds.
#pragma once

#include <bittwin/graph/file.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/types/result.hpp>
#include <filesystem>
#include <string>

// The name is for the linker's message to whom forgot it.
namespace bittwin::graph::inline v1::inline in_graph_implementation_hpp {

/// name  how sentences call the file, without directories
[[nodiscard]] result<model> read_tflite(file_bytes bytes, std::string name);

[[nodiscard]] result<model> read_tflite_file(const std::filesystem::path& path);

}  // namespace bittwin::graph::inline v1::inline in_graph_implementation_hpp
