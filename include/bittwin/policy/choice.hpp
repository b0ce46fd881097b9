// SPDX-License-Identifier: Apache-2.0
// An axis whose value depends on the layer:  when<Condition, Then, Otherwise>.
// A runtime may use one rule for int8 and another for uint8, or one for ungrouped and another for
// grouped convolutions. The choice sits inside the axis, so replacing the axis replaces all of it.
#pragma once

#include <bittwin/types/activation.hpp>
#include <bittwin/types/element_type.hpp>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace bittwin::inline v1 {

/// What the conditions may ask of a layer.
struct layer_facts {
  element_type input = element_type::int8;
  element_type output = element_type::int8;
  element_type bias = element_type::int32;  ///< int64: an int16 layer meant to be summed in 64 bits
  bool has_bias = true;
  bool per_channel = false;            ///< more than one filter scale
  std::int32_t groups = 1;             ///< input channels / filter input channels
  std::int32_t taps = 1;               ///< filter rows * columns
  bool square = true;                  ///< as many of each
  std::int32_t depth = 2;              ///< input channels of a group
  bool equal_quantization = false;     ///< input and output share scale and zero point
  bool one_to_one = false;             ///< each group has one input and one output channel
  bool over_rows_and_columns = false;  ///< a reduction over axes written as 1 and 2 of a 4-D tensor
  bool keeps_dims = false;             ///< reduced axes stay as extents of 1
  bool power_of_two_scales = false;    ///< int16 operands of ADD or SUB, see layer_is
  // What a room may be unable to represent; see policy/layers.hpp.
  bool symmetric = true;          ///< zero points of activations are 0
  bool symmetric_weights = true;  ///< the filter's is 0
  bool signed_weights = true;     ///< uint8: the filter's is 128
  bool on_powers_of_two = true;   ///< every scale is a power of two
  bool low_zero_point = true;     ///< uint8: the input's is at most 128
  activation fused = activation::none;
  bool clamps_inside = false;  ///< the fused activation bounds codes that the type has
};

template <class Condition, class Then, class Otherwise> struct when {
  using condition = Condition;
  using then = Then;
  using otherwise = Otherwise;
};

/// Calls f(std::type_identity<Value>) with the value that holds for this layer.
template <class Axis> struct chosen {
  template <class F> static constexpr auto visit(const layer_facts&, F&& f) {
    return f(std::type_identity<Axis>{});
  }
};

template <class Condition, class Then, class Otherwise>
struct chosen<when<Condition, Then, Otherwise>> {
  template <class F> static constexpr auto visit(const layer_facts& facts, F&& f) {
    return Condition::holds(facts) ? chosen<Then>::visit(facts, f)
                                   : chosen<Otherwise>::visit(facts, f);
  }
};

template <class Axis, class F> constexpr auto choose(const layer_facts& facts, F&& f) {
  return chosen<Axis>::visit(facts, f);
}

/// Wraps every value that an axis can take: Fault<Axis>, or the same inside a `when`.
template <template <class> class Fault, class Axis> struct wrapped { using type = Fault<Axis>; };

template <template <class> class Fault, class Condition, class Then, class Otherwise>
struct wrapped<Fault, when<Condition, Then, Otherwise>> {
  using type = when<Condition, typename wrapped<Fault, Then>::type,
                    typename wrapped<Fault, Otherwise>::type>;
};

template <template <class> class Fault, class Axis>
using with_fault = typename wrapped<Fault, Axis>::type;

/// Whether Check<V>::value holds for every value an axis can take.
template <template <class> class Check, class Axis>
struct every_choice : std::bool_constant<Check<Axis>::value> {};

template <template <class> class Check, class Condition, class Then, class Otherwise>
struct every_choice<Check, when<Condition, Then, Otherwise>>
    : std::bool_constant<every_choice<Check, Then>::value &&
                         every_choice<Check, Otherwise>::value> {};

}  // namespace bittwin::inline v1

namespace bittwin::layer_is::inline v1 {

struct uint8 {
  static constexpr std::string_view name = "uint8";
  static constexpr bool holds(const layer_facts& l) noexcept {
    return l.input == element_type::uint8;
  }
};

struct int16 {
  static constexpr std::string_view name = "int16";
  static constexpr bool holds(const layer_facts& l) noexcept {
    return l.input == element_type::int16;
  }
};

/// int16 operands and a result whose scales are powers of two, and the file asks for that rule
struct of_power_of_two_scales {
  static constexpr std::string_view name = "power-of-two scales";
  static constexpr bool holds(const layer_facts& l) noexcept { return l.power_of_two_scales; }
};

/// int32 and int64 elements: numbers, not codes
struct of_numbers {
  static constexpr std::string_view name = "numbers";
  static constexpr bool holds(const layer_facts& l) noexcept {
    return l.input == element_type::int32 || l.input == element_type::int64;
  }
};

/// int16 activations whose sums have 64 bits
struct summed_in_64_bits {
  static constexpr std::string_view name = "64-bit sums";
  static constexpr bool holds(const layer_facts& l) noexcept {
    return l.bias == element_type::int64;
  }
};

struct without_bias {
  static constexpr std::string_view name = "no bias";
  static constexpr bool holds(const layer_facts& l) noexcept { return !l.has_bias; }
};

struct per_channel {
  static constexpr std::string_view name = "per channel";
  static constexpr bool holds(const layer_facts& l) noexcept { return l.per_channel; }
};

struct grouped {
  static constexpr std::string_view name = "grouped";
  static constexpr bool holds(const layer_facts& l) noexcept { return l.groups > 1; }
};

/// a window of 9 or of 25 taps
struct of_9_or_25_taps {
  static constexpr std::string_view name = "9 or 25 taps";
  static constexpr bool holds(const layer_facts& l) noexcept { return l.taps == 9 || l.taps == 25; }
};

/// each group has one input and one output channel
struct one_to_one {
  static constexpr std::string_view name = "one channel a group";
  static constexpr bool holds(const layer_facts& l) noexcept { return l.one_to_one; }
};

struct equally_quantized {
  static constexpr std::string_view name = "equal quantization";
  static constexpr bool holds(const layer_facts& l) noexcept { return l.equal_quantization; }
};

/// over the rows and columns of a 4-D tensor, the axes written from the front, extents kept
struct spatial_and_kept {
  static constexpr std::string_view name = "axes {1,2} of 4-D, kept";
  static constexpr bool holds(const layer_facts& l) noexcept {
    return l.over_rows_and_columns && l.keeps_dims;
  }
};

template <class First, class Second> struct both {
  static constexpr std::string_view name = "both";
  using first = First;
  using second = Second;
  static constexpr bool holds(const layer_facts& l) noexcept {
    return First::holds(l) && Second::holds(l);
  }
};

template <class First, class Second> struct either {
  static constexpr std::string_view name = "either";
  using first = First;
  using second = Second;
  static constexpr bool holds(const layer_facts& l) noexcept {
    return First::holds(l) || Second::holds(l);
  }
};

template <class Condition> struct not_ {
  static constexpr std::string_view name = "not";
  using first = Condition;
  static constexpr bool holds(const layer_facts& l) noexcept { return !Condition::holds(l); }
};

}  // namespace bittwin::layer_is::inline v1
