// SPDX-License-Identifier: Apache-2.0
// From an accumulator to a code in one unit of a chip, where its order of offset, scale and saturation is not that of
// policy/stages.hpp. scale: the integer that multiplies; shift: to the right, >= 0.
#pragma once

#include <bittwin/policy/rounding.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/integers.hpp>
#include <bittwin/types/mutation.hpp>
#include <cstdint>
#include <string_view>

namespace bittwin::converter::inline v1 {

/// The two registers of a converter, and the offset in accumulator or code units, as the converter says.
struct settings {
  std::int32_t scale = 1;
  std::int32_t shift = 0;
  std::int32_t offset = 0;
};

/// sat8( sat17( half_away((acc - offset) * scale / 2^shift) ) ): the offset goes before the scale.
/// acc  any int32    scale  int16    shift  [0, 62]    offset  int32, in accumulator units
/// source  nvdla/hw cmod/hls/sdp/sdp_c.cpp, include/nvdla_int.h
struct nvdla_sdp {
  static constexpr std::string_view name = "nvdla-sdp";
  static constexpr std::int64_t apply(std::int64_t acc, const settings& s,
                                      code_range type) noexcept {
    const std::int64_t scaled = rounding::shift_right<rounding::half_away>(
        (acc - s.offset) * s.scale, BITTWIN_MUTABLE(s.shift, nvdla_shift, s.shift + 1));
    const std::int64_t in_17_bits = clamp_to<std::int64_t>(scaled, -(1 << 16), (1 << 16) - 1);
    return clamp_to(in_17_bits, type.low, type.high);
  }
};

/// sat8( R(acc * scale / 2^shift) + offset ).  offset  in codes
/// source  community register notes on the DPU's OUT_CVT: R = half_even, half_away where CVT_ROUND is set (inferred)
template <rounding::policy R> struct scale_then_offset {
  static constexpr std::string_view name = "scale-then-offset";
  static constexpr std::int64_t apply(std::int64_t acc, const settings& s,
                                      code_range type) noexcept {
    return clamp_to(rounding::shift_right<R>(acc * s.scale, s.shift) +
                        BITTWIN_MUTABLE(s.offset, converter_offset, 0),
                    type.low, type.high);
  }
};

/// clip_u8( (int16)( floor(acc * scale modulo 2^32 / 2^shift) ) ): the cast wraps before the clip.
/// source  PULP-NN pulp_nn_utils, pulp_nn_quant_u8, 32-bit variant
struct int16_before_clip {
  static constexpr std::string_view name = "int16-before-clip";
  static constexpr std::int64_t apply(std::int64_t acc, const settings& s,
                                      code_range type) noexcept {
    const auto product = wrap_cast<std::int32_t>(wrap_multiply(acc, s.scale));
    const std::int64_t shifted = product >> s.shift;
    const auto cast = BITTWIN_MUTABLE(wrap_cast<std::int16_t>(shifted), cast_before_clip_width,
                                      saturate_cast<std::int16_t>(shifted));
    return clamp_to<std::int64_t>(cast, type.low, type.high);
  }
  /// The largest product that neither 32 bits nor the cast wrap; nor its negation.
  static constexpr std::int64_t greatest_product(int shift) noexcept {
    return shift >= 16 ? highest<std::int32_t> : (std::int64_t{1} << (15 + shift)) - 1;
  }
};

/// clip_u8( floor( (acc * scale + offset) modulo 2^32 / 2^shift ) ): a folded batch normalisation.
/// offset  lambda, in scaled units
/// source  PULP-NN pulp_nn_utils, pulp_nn_bn_quant_u8, 32-bit variant
struct folded_normalisation {
  static constexpr std::string_view name = "folded-normalisation";
  static constexpr std::int64_t apply(std::int64_t acc, const settings& s,
                                      code_range type) noexcept {
    const std::int64_t exact = wrap_multiply(acc, s.scale) + s.offset;
    const auto sum = BITTWIN_MUTABLE(wrap_cast<std::int32_t>(exact), normalisation_width,
                                     saturate_cast<std::int32_t>(exact));
    return clamp_to<std::int64_t>(sum >> s.shift, type.low, type.high);
  }
  /// The largest product that 32 bits do not wrap, without an offset.
  static constexpr std::int64_t greatest_product(int) noexcept { return highest<std::int32_t>; }
};

/// ( sat16( floor((code - offset) * scale / 2^shift) ) + 1 modulo 2^16 ) / 2, floored; not yet saturated to the type.
/// scale  uint16    offset  the operand's zero point
/// source  Arm Ethos-N firmware/ple, Addition
struct half_of_int16 {
  static constexpr std::string_view name = "half-of-int16";
  static constexpr std::int64_t apply(std::int64_t code, const settings& s, code_range) noexcept {
    const std::int64_t product = (code - s.offset) * s.scale;
    const auto cut = saturate_cast<std::int16_t>(product >> s.shift);
    return BITTWIN_MUTABLE(wrap_cast<std::int16_t>(std::int64_t{cut} + 1), half_of_int16_width,
                           cut + 1) >>
           1;
  }
};

}  // namespace bittwin::converter::inline v1
