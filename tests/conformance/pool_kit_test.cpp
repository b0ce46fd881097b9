// SPDX-License-Identifier: Apache-2.0
// The kit for pools against a pool written from the definition, and the same with one fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <bittwin/conformance/check_pool.hpp>
#include <bittwin/targets/all.hpp>

namespace {

using namespace bittwin;
using base = targets::tflite_reference;
using conformance::check_average_pool2d;
using conformance::check_max_pool2d;
using conformance::pool_case;
using conformance::pool_kind;
using conformance::pool_verdict;

struct healthy {
  static constexpr bool counts_padding = false, cuts = false, clamps = true, tail = true;
  static constexpr std::int64_t least = -1000;
};
struct padding_counted : healthy {
  static constexpr bool counts_padding = true;
};
struct quotients_cut : healthy {
  static constexpr bool cuts = true;
};
struct clamp_lost : healthy {
  static constexpr bool clamps = false;
};
struct tail_lost : healthy {
  static constexpr bool tail = false;
};
struct maximum_from_zero : healthy {
  static constexpr std::int64_t least = 0;
};

/// Half away from zero, by doubling.
std::int64_t rounded(std::int64_t sum, std::int64_t count) {
  return sum < 0 ? -((-2 * sum + count) / (2 * count)) : (2 * sum + count) / (2 * count);
}

/// Channels outermost, pixels backwards.
template <class Habit> struct pools {
  template <class T>
  void operator()(const pool_case& c, std::span<const T> x, std::span<T> y) const {
    const nhwc made = c.output();
    const window rows = place(c.padding, c.ih, c.kh, c.sh, 1),
                 columns = place(c.padding, c.iw, c.kw, c.sw, 1);
    const code_range clamp = activation_bounds::round_then_offset<rounding::half_away>::codes(
        c.fused, c.grid(), range_of(c.type));
    for (std::int32_t channel = 0; channel < made.c; ++channel)
      for (std::int64_t at = made.elements() / made.c - 1; at >= 0; --at) {
        const std::int64_t ox = at % made.w, oy = at / made.w % made.h, n = at / made.w / made.h;
        std::int64_t sum = 0, count = 0, largest = Habit::least;
        for (std::int64_t iy = oy * c.sh - rows.before; iy < oy * c.sh - rows.before + c.kh; ++iy)
          for (std::int64_t ix = ox * c.sw - columns.before; ix < ox * c.sw - columns.before + c.kw;
               ++ix) {
            const bool inside = iy >= 0 && ix >= 0 && iy < c.ih && ix < c.iw;
            if (!inside && !Habit::counts_padding) continue;
            ++count;
            if (!inside) continue;
            const std::int64_t code =
                x[static_cast<std::size_t>(((n * c.ih + iy) * c.iw + ix) * c.c + channel)];
            sum += code;
            largest = std::max(largest, code);
          }
        std::int64_t code = c.kind == pool_kind::max ? largest
                            : Habit::cuts            ? sum / count
                                                     : rounded(sum, count);
        if (Habit::clamps) code = std::clamp(code, clamp.low, clamp.high);
        if (!Habit::tail && channel >= made.c / 16 * 16 && made.c > 16) code = 0;
        y[static_cast<std::size_t>(at * made.c + channel)] = static_cast<T>(code);
      }
  }
};

void expect_found(const pool_verdict& v, std::int32_t most_channels = 1) {
  ASSERT_FALSE(v.passed);
  EXPECT_LE(v.smallest.output().h * v.smallest.output().w * v.smallest.n, 4) << v.text;
  EXPECT_LE(v.smallest.c, most_channels) << v.text;
  EXPECT_NE(v.text.find("case: "), std::string::npos);
  EXPECT_NE(v.text.find("seed="), std::string::npos);
}

TEST(pool_kit, finds_planted_faults_on_few_outputs) {
  expect_found(check_average_pool2d<base>(pools<padding_counted>{}));
  expect_found(check_average_pool2d<base>(pools<quotients_cut>{}));
  expect_found(check_average_pool2d<base>(pools<clamp_lost>{}));
  expect_found(check_average_pool2d<base>(pools<tail_lost>{}), 65);
  expect_found(check_max_pool2d<base>(pools<maximum_from_zero>{}));
  expect_found(check_max_pool2d<base>(pools<clamp_lost>{}));
  expect_found(check_max_pool2d<base>(pools<tail_lost>{}), 65);
}

TEST(pool_kit, never_accuses_pools_written_another_way) {
  const pool_verdict average = check_average_pool2d<base>(pools<healthy>{});
  EXPECT_TRUE(average.passed) << average.text;
  const pool_verdict largest = check_max_pool2d<base>(pools<healthy>{});
  EXPECT_TRUE(largest.passed) << largest.text;
}

}  // namespace
