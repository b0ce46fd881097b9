// SPDX-License-Identifier: Apache-2.0
// Which tensor of a model another framework means by a name, as a table of two columns; and a dump read under it.
//   conv1_relu,3
//   "block2/add, fused",model/add/Add
#pragma once

#include <bittwin/analysis/dump.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// One line: a name of the dump, and the model's tensor by its name or number.
struct tensor_alias {
  std::string name, tensor;
  std::size_t line = 0;  ///< from 1
};

struct tensor_names {
  std::string file;  ///< how sentences call it
  std::vector<tensor_alias> all;

  /// Fields may stand in double quotes, which are doubled inside; empty lines and those that begin with # say nothing.
  /// errors  a line of another number of columns, an open quote, a name given twice
  [[nodiscard]] static result<tensor_names> parse(std::string_view csv, const std::string& file);
  [[nodiscard]] static result<tensor_names> read(const std::filesystem::path& file);
};

/// A tensor that the table may name.
struct named_tensor {
  std::string name;
  std::int32_t index = 0;
};

/// The tensors of a folder that the table names, under the model's numbers: NAME.npy, or what its manifest calls NAME.
/// known   the model's tensors, else those of the other dump's manifest
/// errors  a name that the folder does not hold, or that two of its tensors have; a tensor that is not known, or by a
///         name that two have, or named twice; files that cannot be read
[[nodiscard]] result<dump> open_dump(const std::filesystem::path& folder, const tensor_names& names,
                                     std::span<const named_tensor> known);

}  // namespace bittwin::analysis::inline v1
