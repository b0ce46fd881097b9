// SPDX-License-Identifier: Apache-2.0
// The kernels of one architecture, as functions: what prepare() chooses among.
#pragma once

#include <bittwin/simd/arch.hpp>
#include <bittwin/simd/avx2_depthwise.hpp>
#include <bittwin/simd/avx2_depthwise_line.hpp>
#include <bittwin/simd/avx2_dot_product.hpp>
#include <bittwin/simd/avx2_line.hpp>
#include <bittwin/simd/avx2_pairs.hpp>
#include <bittwin/simd/avx2_pool.hpp>
#include <bittwin/simd/avx2_requantize.hpp>
#include <bittwin/simd/avx2_streams.hpp>
#include <bittwin/simd/avx2_words.hpp>
#include <bittwin/simd/avx512_vnni_convolve.hpp>
#include <bittwin/simd/avx512_vnni_depthwise.hpp>
#include <bittwin/simd/avx512_vnni_depthwise_line.hpp>
#include <bittwin/simd/avx512_vnni_dot_product.hpp>
#include <bittwin/simd/avx512_vnni_line.hpp>
#include <bittwin/simd/avx512_vnni_pairs.hpp>
#include <bittwin/simd/avx512_vnni_pool.hpp>
#include <bittwin/simd/avx512_vnni_requantize.hpp>
#include <bittwin/simd/avx512_vnni_streams.hpp>
#include <bittwin/simd/avx512_vnni_words.hpp>
#include <bittwin/simd/byte_stream.hpp>
#include <bittwin/simd/channel_form.hpp>
#include <bittwin/simd/depthwise_line.hpp>
#include <bittwin/simd/pair_line.hpp>
#include <bittwin/simd/pool_tile.hpp>
#include <bittwin/simd/tile.hpp>
#include <bittwin/simd/word_codes.hpp>
#include <bittwin/simd/woven_line.hpp>

namespace bittwin::simd::inline v1 {

/// A block of channels is 4, 2 or 1 vectors of 16.
inline constexpr int block_sizes[] = {4, 2, 1};

struct kernel_set {
  arch of = arch::scalar;
  int weight_bytes = 1;  ///< of a packed weight
  /// [0: 4 vectors, 1: 2, 2: 1][pixels - 1]; one that makes more pixels than asked repeats the last.
  accumulate_function accumulate[3][tile_pixels] = {};
  /// [by vectors][6 pixels at once or 5]; null where sums and codes are made one after the other.
  convolve_function convolve[3][2] = {};
  int woven_bytes = 0;  ///< that one step of `weave` makes
  weave_function weave = nullptr;
  convolve_function convolve_line[3] = {};  ///< the same for windows of a line, by vectors
  byte_sums_function sum_bytes = nullptr;   ///< where weights are bytes
  depthwise_function depthwise = nullptr;
  /// Of line_windows; null where sums and codes are made one after the other.
  depthwise_line_function depthwise_lines[line_window_count] = {};
  requantize_function requantize = nullptr;
  pair_function pairs = nullptr;
  scale_function scale = nullptr;
  lookup_function lookup = nullptr;
  pool_function sums = nullptr, largest = nullptr;
  /// Of int16 codes, as `accumulate`; null where the reference runs.
  accumulate_function accumulate_words[3][tile_pixels] = {};
  word_function requantize_words = nullptr;
  wide_word_function requantize_wide_words = nullptr;
};

/// Null for scalar: the reference runs.
[[nodiscard]] inline const kernel_set* kernels_of(arch a) noexcept {
#if defined(__x86_64__) && defined(__GNUC__)
  static constexpr kernel_set avx512_vnni_set = {
      arch::avx512_vnni,
      1,
      {{&avx512_vnni::accumulate<4, 1>, &avx512_vnni::accumulate<4, 5>,
        &avx512_vnni::accumulate<4, 5>, &avx512_vnni::accumulate<4, 5>,
        &avx512_vnni::accumulate<4, 5>, &avx512_vnni::accumulate<4, 6>},
       {&avx512_vnni::accumulate<2, 1>, &avx512_vnni::accumulate<2, 6>,
        &avx512_vnni::accumulate<2, 6>, &avx512_vnni::accumulate<2, 6>,
        &avx512_vnni::accumulate<2, 6>, &avx512_vnni::accumulate<2, 6>},
       {&avx512_vnni::accumulate<1, 1>, &avx512_vnni::accumulate<1, 6>,
        &avx512_vnni::accumulate<1, 6>, &avx512_vnni::accumulate<1, 6>,
        &avx512_vnni::accumulate<1, 6>, &avx512_vnni::accumulate<1, 6>}},
      {{&avx512_vnni::convolve<4, 6>, &avx512_vnni::convolve<4, 5>},
       {&avx512_vnni::convolve<2, 6>, &avx512_vnni::convolve<2, 5>},
       {&avx512_vnni::convolve<1, 6>, &avx512_vnni::convolve<1, 5>}},
      64,
      &avx512_vnni::weave,
      {&avx512_vnni::convolve_line_4, &avx512_vnni::convolve_line<2, 6>,
       &avx512_vnni::convolve_line<1, 8>},
      &avx512_vnni::sum_bytes,
      &avx512_vnni::depthwise,
      {&avx512_vnni::depthwise_lines<line_windows[0]>,
       &avx512_vnni::depthwise_lines<line_windows[1]>,
       &avx512_vnni::depthwise_lines<line_windows[2]>},
      &avx512_vnni::requantize,
      &avx512_vnni::pairs,
      &avx512_vnni::scale,
      &avx512_vnni::lookup,
      &avx512_vnni::sums,
      &avx512_vnni::largest,
      {{&avx512_vnni::accumulate<4, 1, true>, &avx512_vnni::accumulate<4, 5, true>,
        &avx512_vnni::accumulate<4, 5, true>, &avx512_vnni::accumulate<4, 5, true>,
        &avx512_vnni::accumulate<4, 5, true>, &avx512_vnni::accumulate<4, 6, true>},
       {&avx512_vnni::accumulate<2, 1, true>, &avx512_vnni::accumulate<2, 6, true>,
        &avx512_vnni::accumulate<2, 6, true>, &avx512_vnni::accumulate<2, 6, true>,
        &avx512_vnni::accumulate<2, 6, true>, &avx512_vnni::accumulate<2, 6, true>},
       {&avx512_vnni::accumulate<1, 1, true>, &avx512_vnni::accumulate<1, 6, true>,
        &avx512_vnni::accumulate<1, 6, true>, &avx512_vnni::accumulate<1, 6, true>,
        &avx512_vnni::accumulate<1, 6, true>, &avx512_vnni::accumulate<1, 6, true>}},
      &avx512_vnni::requantize_words,
      &avx512_vnni::requantize_wide_words};
  static constexpr accumulate_function one = &avx2::accumulate<1>, six = &avx2::accumulate<6>;
  static constexpr accumulate_function one_of_words = &avx2::accumulate_words<1>,
                                       six_of_words = &avx2::accumulate_words<6>;
  static constexpr kernel_set avx2_set = {
      arch::avx2,
      2,
      {{one, six, six, six, six, six},
       {one, six, six, six, six, six},
       {one, six, six, six, six, six}},
      {},
      32,
      &avx2::weave,
      {},
      nullptr,
      &avx2::depthwise,
      {&avx2::depthwise_lines<in_words(line_windows[0])>,
       &avx2::depthwise_lines<in_words(line_windows[1])>,
       &avx2::depthwise_lines<in_words(line_windows[2])>},
      &avx2::requantize,
      &avx2::pairs,
      &avx2::scale,
      &avx2::lookup,
      &avx2::sums,
      &avx2::largest,
      {{one_of_words, six_of_words, six_of_words, six_of_words, six_of_words, six_of_words},
       {one_of_words, six_of_words, six_of_words, six_of_words, six_of_words, six_of_words},
       {one_of_words, six_of_words, six_of_words, six_of_words, six_of_words, six_of_words}},
      &avx2::requantize_words,
      &avx2::requantize_wide_words};
  if (a == arch::avx2) return &avx2_set;
  if (a == arch::avx512_vnni) return &avx512_vnni_set;
#endif
  static_cast<void>(a);
  return nullptr;
}

}  // namespace bittwin::simd::inline v1
