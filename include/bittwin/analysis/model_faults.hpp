// SPDX-License-Identifier: Apache-2.0
// All faults that are changes of the model.
#pragma once

#include <bittwin/analysis/clamp_faults.hpp>
#include <bittwin/analysis/fault.hpp>
#include <bittwin/analysis/layer_faults.hpp>
#include <bittwin/analysis/scale_faults.hpp>
#include <utility>

namespace bittwin::analysis::inline v1 {

[[nodiscard]] inline const fault_list& model_faults() {
  static const fault_list all = [] {
    fault_list list;
    for (fault_list part : {clamp_faults(), scale_faults(), layer_faults()})
      for (fault& f : part) list.push_back(std::move(f));
    return list;
  }();
  return all;
}

}  // namespace bittwin::analysis::inline v1
