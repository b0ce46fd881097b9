// SPDX-License-Identifier: Apache-2.0
// What a page draws of a tensor: counts in bins, never elements, so that a million elements take no more room than a
// thousand.
//   bin of a value v       floor((v - low) / width); the last bin holds the highest value too
//   bin of a difference d  sign(d) ceil(|d| / width); bin 0 holds the equal elements and nothing else
#pragma once

#include <bittwin/analysis/array.hpp>
#include <bittwin/analysis/recording.hpp>
#include <bittwin/types/quantization.hpp>
#include <cstdint>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// Bins of one width. Of codes, low and width are integers.
struct binning {
  double low = 0;
  double width = 1;
  int bins = 0;  ///< 0: there was no finite value
};

/// Values are doubles: codes where both sides have the same ones, else reals. Elements of which a side is no finite
/// number are counted in `skipped` and nowhere else.
struct tensor_picture {
  static constexpr int most_values = 256;    ///< bins of a histogram of values
  static constexpr int most_cells = 48;      ///< bins along a side of the scatter
  static constexpr int most_steps = 32;      ///< bins of differences on either side of 0
  static constexpr int most_channels = 512;  ///< beyond, neighbours share a bar

  struct side {
    double low = 0, high = 0;  ///< of finite values
    std::vector<std::int64_t> counts;
  };

  bool codes = false;  ///< the unit of all values here; else reals
  bool pair = false;   ///< of REF and TEST; else of one recording, `reference`
  std::int64_t elements = 0, skipped = 0;

  binning values;
  side reference, test;

  binning cells;
  std::vector<std::int64_t> scatter;  ///< [bin of TEST][bin of REF]

  double step_width = 1;
  std::vector<std::int64_t> steps;  ///< of TEST - REF; bin 0 at [most_steps]

  std::int64_t channel_group = 1;  ///< channels (along the innermost axis) that share a bar
  std::vector<std::int64_t> channel_mismatches;
  std::vector<double> channel_largest;  ///< |TEST - REF|
  std::vector<double> channel_low,
      channel_high;  ///< of a lone recording; low > high: no finite value
};

/// Precondition: equal extents and numbers of samples. A map may be absent: codes are reals.
[[nodiscard]] tensor_picture picture_of(const recording& reference,
                                        const quantization& reference_map, const recording& test,
                                        const quantization& test_map);

/// Of one recording: in codes, or in reals where its elements are.
[[nodiscard]] tensor_picture picture_of(const array_view& values);

}  // namespace bittwin::analysis::inline v1
