// SPDX-License-Identifier: Apache-2.0
// Devices for the kit to judge: healthy ones, and faulty ones that differ from tflite-reference in one axis of one
// room or in one habit of memory.
#pragma once

#include <bittwin/conformance/check.hpp>
#include <bittwin/targets/all.hpp>
#include <string_view>

namespace twins {

using namespace bittwin;
using conformance::layer_case;
using conformance::layer_data;
using base = targets::tflite_reference;

/// A user's kernel that happens to have the arithmetic of Target.
template <class Target> struct kernel_of {
  template <class T>
  void operator()(const layer_case& c, const layer_data<T>& d, std::span<const T> x,
                  std::span<T> y) const {
    const auto kernel = conformance::prepare_case<Target>(c, d);
    if (kernel) (*kernel)(x, y);
  }
};

template <class Room> struct upper_dropped : Room {
  using activation_bounds =
      with_fault<bittwin::activation_bounds::upper_dropped, typename Room::activation_bounds>;
};
template <class Room> struct lower_dropped : Room {
  using activation_bounds =
      with_fault<bittwin::activation_bounds::lower_dropped, typename Room::activation_bounds>;
};
template <class Room> struct literal_bounds : Room {
  using activation_bounds = bittwin::activation_bounds::literal_bounds;
};
template <class Room> struct first_scale : Room {
  using scale_channel = bittwin::scale_channel::first;
};
template <class Room> struct reversed_scales : Room {
  using scale_channel = bittwin::scale_channel::reversed;
};
template <class Room> struct padded_with_zero : Room {
  using padding = bittwin::padding::code_zero;
};
template <class Room> struct padded_on_the_wrong_side : Room {
  using placement = bittwin::placement::odd_cell_before;
};
template <class Room> struct dilation_ignored : Room {
  using placement = bittwin::placement::dilation_ignored;
};
/// half-up where the rule is half-away
template <class Room> struct ties_up : Room {
  using rescale = bittwin::rescale::q31_two_step<rounding::half_up, rounding::half_up>;
};
template <class Room> struct rounded_once : Room {
  using rescale = bittwin::rescale::q31_one_step<rounding::half_up>;
};
template <class Room> struct truncated : Room {
  using rescale = bittwin::rescale::q31_two_step<rounding::half_up, rounding::toward_zero>;
};
template <class Room> struct pairs_saturate : Room {
  using accumulator = bittwin::accumulator::int16_saturating_pairs;
};
template <class Room> struct narrow_accumulator : Room {
  using accumulator = bittwin::accumulator::wrapping<std::int16_t>;
};
template <class Room> struct weight_zero_ignored : Room {
  using weight_zero_point = bittwin::weight_zero_point::ignored;
};
template <class Room> struct multiple_major : Room {
  using channel_order = bittwin::channel_order::multiple_major;
};
template <class Room> struct output_wraps : Room {
  using stages = bittwin::stages::offset_only;
  using narrowing = bittwin::narrowing::wrap;
};
template <class Room> struct clamped_before_offset : Room {
  using stages = bittwin::stages::type_clamp_then_offset;
};

/// A target that is the base but for one fault in each of its dot products.
template <template <class> class Fault> struct faulty : base {
  static constexpr std::string_view name = "faulty";
  struct conv2d : Fault<base::conv2d> {};
  struct depthwise_conv2d : Fault<base::depthwise_conv2d> {};
  struct fully_connected : Fault<base::fully_connected> {};
};

/// Writes zeros to the channels past the last multiple of 16.
struct tail_lanes_lost {
  template <class T>
  void operator()(const layer_case& c, const layer_data<T>& d, std::span<const T> x,
                  std::span<T> y) const {
    kernel_of<base>{}(c, d, x, y);
    const auto channels = static_cast<std::size_t>(c.output_channels());
    if (channels > 16)
      for (std::size_t i = 0; i < y.size(); ++i)
        if (i % channels >= channels / 16 * 16) y[i] = 0;
  }
};

/// Loads 16 bytes at a time, the last load reaches past the tensor.
struct reads_past_the_end {
  template <class T>
  void operator()(const layer_case& c, const layer_data<T>& d, std::span<const T> x,
                  std::span<T> y) const {
    kernel_of<base>{}(c, d, x, y);
    const volatile T* const first = x.data();
    T unused{};
    for (std::size_t i = 0; i < (x.size() + 15) / 16 * 16; ++i) unused = first[i];
    (void)unused;
  }
};

/// Writes one element too many.
struct writes_past_the_end {
  template <class T>
  void operator()(const layer_case& c, const layer_data<T>& d, std::span<const T> x,
                  std::span<T> y) const {
    kernel_of<base>{}(c, d, x, y);
    volatile T* const first = y.data();
    first[y.size()] = 0;
  }
};

/// Adds to what an earlier call left behind.
struct keeps_state {
  template <class T>
  void operator()(const layer_case& c, const layer_data<T>& d, std::span<const T> x,
                  std::span<T> y) {
    kernel_of<base>{}(c, d, x, y);
    const T first = y[0];
    if (called) y[0] = static_cast<T>(y[0] ^ last);
    last = static_cast<int>(first) & 1;
    called = !called;
  }
  bool called = false;
  int last = 0;
};

/// Leaves elements that it takes for padding as they were.
struct output_not_written {
  template <class T>
  void operator()(const layer_case& c, const layer_data<T>& d, std::span<const T> x,
                  std::span<T> y) const {
    const T before = y[y.size() - 1];
    kernel_of<base>{}(c, d, x, y);
    if (y.size() % 2 == 1 && y.size() > 1) y[y.size() - 1] = before;
  }
};

}  // namespace twins
