// SPDX-License-Identifier: Apache-2.0
// Which detection comes first where boxes of two classes have one score: that of the earlier class, or that of
// the later one. Each class is suppressed apart and merged into those before it.
#pragma once

#include <string_view>

namespace bittwin::class_order::inline v1 {

/// source  TFLM micro/kernels/detection_postprocess.cc, a sort by score and position
struct earlier_first {
  static constexpr std::string_view name = "earlier-first";
  static constexpr bool later_is_first = false;
};

/// source  tensorflow/lite/kernels/detection_postprocess.cc, a merge with "not less than"
struct later_first {
  static constexpr std::string_view name = "later-first";
  static constexpr bool later_is_first = true;
};

}  // namespace bittwin::class_order::inline v1
