// SPDX-License-Identifier: Apache-2.0
// How a layer with windows is divided: into boxes of images, rows and channels, whose outputs do not overlap. By
// rows, since parts then write memory of their own; by channels, too, where rows are few.
#pragma once

#include <bittwin/reference/convolution.hpp>
#include <bittwin/types/parallel_for.hpp>
#include <bittwin/types/tensor_view.hpp>
#include <cstdint>

namespace bittwin::inline v1 {

/// Some outputs of a layer, in all columns.
struct output_box {
  std::int32_t first_image = 0, end_image = 0;
  std::int32_t first_row = 0, end_row = 0;
  std::int32_t first_channel = 0, end_channel = 0;
};

/// The outputs of a layer in units that are not divided: rows and channels that a kernel makes together.
class output_boxes {
 public:
  /// rows      of a unit    channels  of a unit; all of them: not divided
  constexpr output_boxes(const convolution_geometry& g, std::int32_t rows,
                         std::int32_t channels) noexcept
      : rows_(g.rows.output),
        channels_(g.output_channels),
        unit_rows_(rows),
        unit_channels_(channels),
        images_(g.batch),
        row_units_((std::int64_t{rows_} + rows - 1) / rows),
        channel_units_((std::int64_t{channels_} + channels - 1) / channels) {}

  /// use(box) for each box of the layer, by parts. nanoseconds  about, of all of it
  template <class Use>
  void each(const parallel_for& parallel, std::int64_t nanoseconds, const Use& use) const noexcept {
    const std::int64_t rows = images_ * row_units_;
    const std::int32_t parts = parallel.parts_for(nanoseconds, rows * channel_units_);
    // With so many rows a part, one row more or less does not count.
    constexpr std::int64_t many = 8;
    const std::int64_t channel_units = rows >= many * parts ? 1 : channel_units_;
    parallel(parts, [&](std::int32_t part) noexcept {
      each_of(share_of(rows * channel_units, part, parts), channel_units, use);
    });
  }

 private:
  /// Units lie as [image, unit of channels, unit of rows]; what is whole and side by side is one box.
  template <class Use>
  void each_of(share s, std::int64_t channel_units, const Use& use) const noexcept {
    const std::int64_t unit_channels = channel_units == 1 ? channels_ : unit_channels_;
    const std::int64_t of_image = channel_units * row_units_;
    while (s.begin < s.end) {
      const std::int64_t image = s.begin / of_image, left = s.end - s.begin;
      const std::int64_t channel = s.begin % of_image / row_units_, row = s.begin % row_units_;
      std::int64_t images = 1, across = 1, down = least(left, row_units_ - row);
      if (channel == 0 && row == 0 && left >= of_image)
        images = left / of_image, across = channel_units;
      else if (row == 0 && left >= row_units_)
        across = least(left / row_units_, channel_units - channel);
      const auto extent = [](std::int64_t n) { return static_cast<std::int32_t>(n); };
      use(output_box{extent(image), extent(image + images), extent(row * unit_rows_),
                     extent(least((row + down) * unit_rows_, rows_)),
                     extent(channel * unit_channels),
                     extent(least((channel + across) * unit_channels, channels_))});
      s.begin += images * across * down;
    }
  }
  [[nodiscard]] static constexpr std::int64_t least(std::int64_t a, std::int64_t b) noexcept {
    return a < b ? a : b;
  }

  std::int32_t rows_, channels_, unit_rows_, unit_channels_;
  std::int64_t images_, row_units_, channel_units_;
};

/// The layer that makes the images and rows of a box: the same windows, from a later one on.
[[nodiscard]] constexpr convolution_geometry rows_of(convolution_geometry g,
                                                     const output_box& box) noexcept {
  g.batch = box.end_image - box.first_image;
  g.rows.before -= box.first_row * g.rows.stride;
  g.rows.output = box.end_row - box.first_row;
  return g;
}

/// A tensor from an image and a row on.
template <class T>
[[nodiscard]] constexpr nhwc_view<T> from_row(nhwc_view<T> v, std::int32_t image,
                                              std::int32_t row = 0) noexcept {
  v.data += image * v.image_stride + row * v.row_stride;
  return v;
}

}  // namespace bittwin::inline v1
