// SPDX-License-Identifier: Apache-2.0
// A strided view of activations, NHWC. Channels are contiguous; rows, pixels and images may have
// gaps.
#pragma once

#include <bittwin/types/shape.hpp>
#include <cstdint>

namespace bittwin::inline v1 {

/// data     first element; any alignment that T has
/// extents  [n, h, w, c]
/// strides  in elements, between images, rows and pixels
template <class T> struct nhwc_view {
  T* data = nullptr;
  nhwc extents;
  std::int64_t image_stride = 0;
  std::int64_t row_stride = 0;
  std::int64_t pixel_stride = 0;

  constexpr nhwc_view() = default;

  /// Dense: no gaps.
  constexpr nhwc_view(T* first, nhwc shape) noexcept
      : data(first),
        extents(shape),
        image_stride(std::int64_t{shape.h} * shape.w * shape.c),
        row_stride(std::int64_t{shape.w} * shape.c),
        pixel_stride(shape.c) {}

  constexpr nhwc_view(T* first, nhwc shape, std::int64_t image, std::int64_t row,
                      std::int64_t pixel) noexcept
      : data(first), extents(shape), image_stride(image), row_stride(row), pixel_stride(pixel) {}

  [[nodiscard]] constexpr T& operator()(std::int32_t n, std::int32_t y, std::int32_t x,
                                        std::int32_t c) const noexcept {
    return data[n * image_stride + y * row_stride + x * pixel_stride + c];
  }
};

}  // namespace bittwin::inline v1
