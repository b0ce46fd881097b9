// SPDX-License-Identifier: Apache-2.0
// Which layers a room can represent. A chip without per-channel scales, or with powers of two alone, refuses what it
// cannot hold instead of computing something near it.
//   struct conv2d : … { using layers = bittwin::layers<layer_is::int8, layer_is::per_tensor>; };
// A room without the alias represents all layers that its axes take.
#pragma once

#include <bittwin/policy/choice.hpp>
#include <bittwin/types/mutation.hpp>
#include <string_view>

namespace bittwin::inline v1 {

/// Layers for which all conditions hold.
template <class... Conditions> struct layers {
  /// The first condition that does not hold; empty: the layer is represented.
  static constexpr std::string_view lacks(const layer_facts& layer) noexcept {
    std::string_view lacking;
    const auto check = [&](bool holds, std::string_view name) {
      if (lacking.empty() && BITTWIN_MUTABLE(!holds, unrepresented_layer_runs, false))
        lacking = name;
    };
    (check(Conditions::holds(layer), Conditions::name), ...);
    return lacking;
  }
};

/// What a layer lacks to be represented by a room.
template <class Room> [[nodiscard]] constexpr std::string_view lacks(const layer_facts& layer) {
  if constexpr (requires { typename Room::layers; })
    return Room::layers::lacks(layer);
  else
    return {};
}

}  // namespace bittwin::inline v1

namespace bittwin::layer_is::inline v1 {

struct int8 {
  static constexpr std::string_view name = "int8 codes";
  static constexpr bool holds(const layer_facts& l) noexcept {
    return l.input == element_type::int8 && l.output == element_type::int8;
  }
};

struct int8_as_modelled {
  static constexpr std::string_view name = "int8 codes (its other kernels are not modelled)";
  static constexpr bool holds(const layer_facts& l) noexcept { return int8::holds(l); }
};

struct of_uint8 {
  static constexpr std::string_view name = "uint8 codes";
  static constexpr bool holds(const layer_facts& l) noexcept {
    return l.input == element_type::uint8 && l.output == element_type::uint8;
  }
};

struct of_8_bits {
  static constexpr std::string_view name = "8-bit codes";
  static constexpr bool holds(const layer_facts& l) noexcept {
    return int8::holds(l) || of_uint8::holds(l);
  }
};

struct per_tensor {
  static constexpr std::string_view name = "one scale a filter";
  static constexpr bool holds(const layer_facts& l) noexcept { return !l.per_channel; }
};

/// zero points of all activations are 0
struct symmetric {
  static constexpr std::string_view name = "zero points of 0";
  static constexpr bool holds(const layer_facts& l) noexcept { return l.symmetric; }
};

/// uint8 weights that are int8 ones with 128 added
struct of_signed_weights {
  static constexpr std::string_view name = "filter zero points of 128";
  static constexpr bool holds(const layer_facts& l) noexcept { return l.signed_weights; }
};

/// the filter holds int8 codes, whichever way it is written
struct of_int8_weights {
  static constexpr std::string_view name = "filter zero points of 128 where codes are uint8";
  static constexpr bool holds(const layer_facts& l) noexcept {
    return int8::holds(l) || of_signed_weights::holds(l);
  }
};

struct of_symmetric_weights {
  static constexpr std::string_view name = "filter zero points of 0";
  static constexpr bool holds(const layer_facts& l) noexcept { return l.symmetric_weights; }
};

/// every scale is a power of two
struct on_powers_of_two {
  static constexpr std::string_view name = "scales that are powers of two";
  static constexpr bool holds(const layer_facts& l) noexcept { return l.on_powers_of_two; }
};

/// the activation's bounds are those of the type: saturation alone implies them
struct clamped_by_its_type {
  static constexpr std::string_view name = "activations that the type's range implies";
  static constexpr bool holds(const layer_facts& l) noexcept { return !l.clamps_inside; }
};

/// no activation, or one bounded by 0 from below
struct of_relu_alone {
  static constexpr std::string_view name = "no activation, or RELU";
  static constexpr bool holds(const layer_facts& l) noexcept {
    return l.fused == activation::none || l.fused == activation::relu;
  }
};

struct of_equal_grids {
  static constexpr std::string_view name = "one scale and zero point for operands and result";
  static constexpr bool holds(const layer_facts& l) noexcept { return l.equal_quantization; }
};

/// input channels of a group pair up
struct of_even_depth {
  static constexpr std::string_view name = "an even number of input channels";
  static constexpr bool holds(const layer_facts& l) noexcept { return l.depth % 2 == 0; }
};

/// the only filters of a unit
struct of_1x1_or_3x3 {
  static constexpr std::string_view name = "filters of 1x1 or 3x3";
  static constexpr bool holds(const layer_facts& l) noexcept {
    return l.square && (l.taps == 1 || l.taps == 9);
  }
};

/// Pairs of products of the zero point and two weights stay within 16 bits: 128 (127 + 127) < 2^15. Where they do not, taps
/// in the padding count or are left out.
struct of_padding_within_pairs {
  static constexpr std::string_view name = "one tap, or an input zero point of at most 128";
  static constexpr bool holds(const layer_facts& l) noexcept {
    return l.taps == 1 || l.low_zero_point;
  }
};

/// windows of several taps where codes are int8
struct of_windows_or_uint8 {
  static constexpr std::string_view name = "windows of several taps, or uint8 codes";
  static constexpr bool holds(const layer_facts& l) noexcept {
    return l.taps > 1 || of_uint8::holds(l);
  }
};

/// int8 codes are not paired
struct of_even_depth_or_int8 {
  static constexpr std::string_view name = "an even number of input channels, or int8 codes";
  static constexpr bool holds(const layer_facts& l) noexcept {
    return int8::holds(l) || of_even_depth::holds(l);
  }
};

struct ungrouped {
  static constexpr std::string_view name = "one group";
  static constexpr bool holds(const layer_facts& l) noexcept { return l.groups == 1; }
};

}  // namespace bittwin::layer_is::inline v1
