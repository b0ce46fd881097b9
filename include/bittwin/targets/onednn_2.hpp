// SPDX-License-Identifier: Apache-2.0
// Convolutions of oneDNN 2.6.3 (Debian 12), whose caller hands over one float32 scale a channel and a bias in the sum's
// units: found by comparing with the library, which tests/originals repeats on a million codes and more. Scales are
// float32(si sw / so) as its callers form them; the zero point is added before the rounding. With VNNI sums are exact. With
// AVX2 alone u8 sources saturate pairs of products at 16 bits and leave out taps in the padding (so layers where that shows
// are refused), s8 sources halve their weights, and depthwise u8 sums are exact. Sources
//   libdnnl2 2.6.3-1 (brgconv, jit_int8, jit_uni_int8); uxlfoundation/oneDNN doc/advanced_topics/int8_computations.md.
#pragma once

#include <bittwin/policy/accumulator_halved.hpp>
#include <bittwin/targets/library_arithmetic.hpp>

namespace bittwin::arithmetic::inline v1 {

struct onednn_2_dot_product : plain_operands, clamp_then_offset, type_bounds {
  using layers = bittwin::layers<layer_is::of_8_bits, layer_is::of_int8_weights,
                                 layer_is::ungrouped, layer_is::clamped_by_its_type>;
  using accumulator = bittwin::accumulator::wrapping<std::int32_t>;
  using scale_product = bittwin::scale_product::in_float32;
  using multiplier = multipliers::float32;
  using rescale = bittwin::rescale::float32_then_offset<half_even>;
};

struct onednn_2_depthwise : onednn_2_dot_product {
  using layers = bittwin::layers<layer_is::of_8_bits, layer_is::of_int8_weights,
                                 layer_is::clamped_by_its_type>;
};

struct onednn_2_pairs : onednn_2_dot_product {
  using layers = bittwin::layers<layer_is::of_8_bits, layer_is::of_int8_weights,
                                 layer_is::ungrouped, layer_is::of_even_depth_or_int8,
                                 layer_is::of_padding_within_pairs, layer_is::clamped_by_its_type>;
  using accumulator = when<layer_is::uint8, bittwin::accumulator::uint8_saturating_pairs,
                           bittwin::accumulator::halved_weights>;
};

struct onednn_2_halved_depthwise : onednn_2_dot_product {
  using layers = bittwin::layers<layer_is::of_8_bits, layer_is::of_int8_weights,
                                 layer_is::of_windows_or_uint8, layer_is::clamped_by_its_type>;
  using accumulator = when<layer_is::uint8, bittwin::accumulator::wrapping<std::int32_t>,
                           bittwin::accumulator::halved_weights>;
};

}  // namespace bittwin::arithmetic::inline v1

namespace bittwin::targets::inline v1 {

struct onednn_2_vnni {
  static constexpr std::string_view name = "onednn-2-vnni";
  static constexpr std::string_view version = "2.6.3, output scales";

  struct conv2d : arithmetic::onednn_2_dot_product {};
  struct depthwise_conv2d : arithmetic::onednn_2_depthwise {};
};

struct onednn_2_avx2 {
  static constexpr std::string_view name = "onednn-2-avx2";
  static constexpr std::string_view version = "2.6.3, output scales, before VNNI";

  struct conv2d : arithmetic::onednn_2_pairs {};
  struct depthwise_conv2d : arithmetic::onednn_2_halved_depthwise {};
};

}  // namespace bittwin::targets::inline v1

namespace bittwin::inline v1 {

template <>
inline constexpr target_notes notes<targets::onednn_2_vnni>{
    .formula = "sat( half_even(float32(acc) float32(si sw / so) + zo) )",
    .to_measure = "sums beyond 2^24; eltwise post-ops; groups; inner products"};
template <>
inline constexpr target_notes notes<targets::onednn_2_avx2>{
    .formula =
        "as onednn-2-vnni; u8: acc of pairs at 16 bits, s8: acc = 2 sum (x - zx) half_even(w / 2) "
        "+ b",
    .known_faults =
        "PAIR_SATURATION; s8 depthwise of 1x1 with a source zero point: its codes are far off",
    .to_measure = "sums beyond 2^24; eltwise post-ops; groups; inner products"};

template <arithmetic::one_of<targets::onednn_2_vnni, targets::onednn_2_avx2> T, class Room,
          class Axis>
inline constexpr provenance_record provenance<T, Room, Axis>{
    confidence::published_code, "libdnnl2 2.6.3-1, compared in tests/originals"};
template <arithmetic::one_of<targets::onednn_2_vnni, targets::onednn_2_avx2> T, class Room>
inline constexpr provenance_record provenance<T, Room, axis::scale_product>{confidence::inferred,
                                                                            "the caller's scale"};
template <arithmetic::one_of<targets::onednn_2_vnni, targets::onednn_2_avx2> T, class Room,
          arithmetic::operand_axis Axis>
inline constexpr provenance_record provenance<T, Room, Axis> = arithmetic::operator_definition;

}  // namespace bittwin::inline v1
