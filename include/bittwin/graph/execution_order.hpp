// SPDX-License-Identifier: Apache-2.0
// Follows a list of operators in execution order: nothing is read before it exists, nothing written
// twice.
#pragma once

#include <bittwin/graph/model.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bittwin::graph::inline v1 {

/// Precondition of all members: tensor indices in range.
class execution_order {
 public:
  explicit execution_order(const std::vector<tensor>& tensors)
      : tensors_(tensors), ready_(tensors.size()) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      ready_[i] = tensors[i].is_constant() || tensors[i].variable || vacant(i);
  }

  [[nodiscard]] status add_input(std::int32_t index) {
    const auto i = static_cast<std::size_t>(index);
    if (tensors_[i].is_constant())
      return error{error_code::bad_file,
                   name_of(index) + " is a model input and has constant data; export it again"};
    if (ready_[i] && !vacant(i) && !tensors_[i].variable)
      return error{error_code::bad_file,
                   name_of(index) + " is listed twice as a model input; export it again"};
    ready_[i] = true;
    return ok();
  }

  /// label  of the operator, as sentences name it
  [[nodiscard]] status add(const operation& op, const std::string& label) {
    for (const std::int32_t index : op.inputs)
      if (index != no_tensor &&
          BITTWIN_MUTABLE(!ready_[static_cast<std::size_t>(index)], read_before_written, false))
        return error{error_code::bad_file,
                     label + " reads " + name_of(index) +
                         ", which nothing has produced yet; operators must be in execution order"};
    for (const std::int32_t index : op.outputs) {
      const auto i = static_cast<std::size_t>(index);
      if (BITTWIN_MUTABLE(ready_[i] && !vacant(i), written_twice, false))
        return error{error_code::bad_file,
                     label + " writes " + name_of(index) +
                         ", which is constant, an input or already produced; export it again"};
      ready_[i] = true;
    }
    return ok();
  }

  [[nodiscard]] status check_output(std::int32_t index) const {
    if (ready_[static_cast<std::size_t>(index)]) return ok();
    return error{error_code::bad_file, name_of(index) +
                                           " is a model output that no operator produces; export "
                                           "the model again"};
  }

 private:
  /// No operator has to produce what has no elements.
  [[nodiscard]] bool vacant(std::size_t i) const { return tensors_[i].extents.elements() == 0; }
  [[nodiscard]] std::string name_of(std::int32_t index) const {
    return "tensor " + std::to_string(index) + " " +
           printable_name(tensors_[static_cast<std::size_t>(index)].name);
  }

  const std::vector<tensor>& tensors_;
  std::vector<bool> ready_;
};

}  // namespace bittwin::graph::inline v1
