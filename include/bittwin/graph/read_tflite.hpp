// SPDX-License-Identifier: Apache-2.0
// From the bytes of a .tflite file to a checked model: the door to the reader.
#pragma once

#include <bittwin/graph/compiled.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/types/result.hpp>
#include <filesystem>
#include <string>

namespace bittwin::graph::inline v1 {

/// name  how sentences call the file, without directories
[[nodiscard]] BITTWIN_GRAPH_FUNCTION result<model> read_tflite(file_bytes bytes, std::string name);

[[nodiscard]] BITTWIN_GRAPH_FUNCTION result<model> read_tflite_file(
    const std::filesystem::path& path);

}  // namespace bittwin::graph::inline v1

#if BITTWIN_GRAPH_DEFINED
#include <bittwin/graph/tflite_reader.hpp>
#endif
