// SPDX-License-Identifier: Apache-2.0
// manifest.json of a dump: what each recorded tensor is, in words that need no model file.
#pragma once

#include <bittwin/graph/model.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/quantization.hpp>
#include <bittwin/types/result.hpp>
#include <bittwin/types/shape.hpp>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::analysis::inline v1 {

struct manifest_tensor {
  std::int32_t index = 0;  ///< in the model file
  std::string name;
  std::string file;  ///< inside the folder of a sample
  shape extents;
  element_type type = element_type::int8;
  bittwin::quantization quantization;
  std::optional<std::int32_t> op_index;  ///< the operator that writes it; absent for an input
  std::string op;
};

struct manifest {
  std::string model;         ///< file name
  std::string sha256;        ///< of the model file
  std::string tool_version;  ///< of the program that wrote the dump; proves nothing
  std::string target;        ///< as that program says; proves nothing
  std::vector<manifest_tensor> tensors;
};

/// "t007.npy": at least three digits.
[[nodiscard]] inline std::string dump_file_name(std::int32_t index) {
  char text[32];
  std::snprintf(text, sizeof text, "t%03d.npy", static_cast<int>(index));
  return text;
}

/// "s0007": the folder of a sample; at least four digits.
[[nodiscard]] inline std::string sample_folder_name(std::size_t n) {
  char text[32];
  std::snprintf(text, sizeof text, "s%04zu", n);
  return text;
}

/// The type that name_of() calls so.
[[nodiscard]] inline std::optional<element_type> element_type_named(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(element_type::boolean); ++i)
    if (name_of(static_cast<element_type>(i)) == name) return static_cast<element_type>(i);
  return std::nullopt;
}

/// The entry of tensor `index` of a model. Precondition: the index is in range.
[[nodiscard]] manifest_tensor describe(const graph::model& from, std::int32_t index);

[[nodiscard]] std::string to_json(const manifest& from);

/// name  how sentences call the file
[[nodiscard]] result<manifest> parse_manifest(std::string_view text, const std::string& name);

}  // namespace bittwin::analysis::inline v1
