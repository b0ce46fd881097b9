// SPDX-License-Identifier: Apache-2.0
// Which of two detections with one score comes first, among the classes of one box and among boxes of
// different classes.
//   by_position     the earlier class, the earlier box
//   heap_and_merge  classes of one box as a heap selection leaves them; boxes of a later class before those
//                   of the classes before it
#pragma once

#include <string_view>

namespace bittwin::class_order::inline v1 {

/// source  TFLM micro/kernels/detection_postprocess.cc, sorts by score and position
struct by_position {
  static constexpr std::string_view name = "by-position";
  static constexpr bool is_stable = true;
};

/// source  tensorflow/lite/kernels/detection_postprocess.cc before 2023: std::partial_sort by score alone, in
///         libc++, and a merge with "not less than"
struct heap_and_merge {
  static constexpr std::string_view name = "heap-and-merge";
  static constexpr bool is_stable = false;
};

}  // namespace bittwin::class_order::inline v1
