// SPDX-License-Identifier: Apache-2.0
// What a prepared kernel says of itself: what runs, what was proved that it may, and by which forms codes are made.
//   kernel.explain().shares   {"float32 two-sided", 48 channels}, {"float64", 16}
#pragma once

#include <bittwin/simd/arch.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bittwin::inline v1 {

struct explanation {
  struct share {
    std::string_view form;
    std::int64_t units = 0;
  };

  simd::arch on = simd::arch::scalar;
  std::string_view proved;    ///< empty where the target's own rule runs
  std::vector<share> shares;  ///< channels by form; one unit where there are no channels

  void add(std::string_view form, std::int64_t units) {
    for (share& s : shares)
      if (s.form == form) return void(s.units += units);
    shares.push_back({form, units});
  }
};

}  // namespace bittwin::inline v1
