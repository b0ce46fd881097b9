// SPDX-License-Identifier: Apache-2.0
// Writes tensors as vendors do: orders of elements, gaps, types and file names. A second derivation, by index formulas;
// nothing of the importer takes part.
#pragma once

#include <bittwin/analysis/npy.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace bittwin::test {

/// c: channels are rounded up to it, of "nc1hwc2" its C2; row, plane: strides in elements; 0: without a gap.
struct vendor_layout {
  std::string order = "nhwc";
  int c = 0, row = 0, plane = 0;
};

struct vendor_extents {
  int n = 1, h = 1, w = 1, c = 1;
};

struct vendor_elements {
  std::vector<double> values;
  std::vector<std::int32_t> shape;  ///< as an array would say; empty with strides
};

/// values in NHWC order; gaps hold `gap`.
inline vendor_elements laid_out(const std::vector<double>& values, vendor_extents e,
                                vendor_layout l, double gap) {
  const int unit = l.c == 0 ? 1 : l.c;
  const int blocks = (e.c + unit - 1) / unit, padded = blocks * unit;
  vendor_elements to;
  const auto size = [&](long elements) {
    to.values.assign(static_cast<std::size_t>(elements), gap);
  };
  const auto put = [&](long at, int n, int y, int x, int c) {
    to.values[static_cast<std::size_t>(at)] =
        values[static_cast<std::size_t>(((long{n} * e.h + y) * e.w + x) * e.c + c)];
  };
  const auto each = [&](auto&& place) {
    for (int n = 0; n < e.n; ++n)
      for (int y = 0; y < e.h; ++y)
        for (int x = 0; x < e.w; ++x)
          for (int c = 0; c < e.c; ++c) put(place(n, y, x, c), n, y, x, c);
  };
  if (l.order == "nhwc") {
    const long row = l.row != 0 ? l.row : long{e.w} * padded;
    const long image = l.plane != 0 ? l.plane : e.h * row;
    size(e.n * image);
    each([&](int n, int y, int x, int c) { return n * image + y * row + long{x} * padded + c; });
    if (l.row == 0 && l.plane == 0) to.shape = {e.n, e.h, e.w, padded};
  } else if (l.order == "nchw") {
    const long row = l.row != 0 ? l.row : e.w;
    const long plane = l.plane != 0 ? l.plane : e.h * row;
    size(long{e.n} * padded * plane);
    each([&](int n, int y, int x, int c) { return (long{n} * padded + c) * plane + y * row + x; });
    if (l.row == 0 && l.plane == 0) to.shape = {e.n, padded, e.h, e.w};
  } else {
    size(long{e.n} * blocks * e.h * e.w * unit);
    each([&](int n, int y, int x, int c) {
      return (((long{n} * blocks + c / unit) * e.h + y) * e.w + x) * unit + c % unit;
    });
    to.shape = {e.n, blocks, e.h, e.w, unit};
  }
  return to;
}

/// IEEE binary16, ties to even, of a finite value inside its range.
inline std::uint16_t half_of(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::abs(value);
  int exponent = 0;
  // magnitude = f * 2^exponent, f in [0.5, 1); zero has no exponent of its own.
  if (magnitude > 0) std::frexp(magnitude, &exponent);
  exponent = magnitude > 0 ? std::max(exponent - 1, -14) : -14;
  const auto fraction = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // A fraction of 2^11 carries into the exponent by itself; below 2^10 it is subnormal.
  return static_cast<std::uint16_t>(sign + fraction + (exponent + 14) * 1024);
}

/// dtype: i8 u8 i16 i32 f16 f32 f64. Little endian.
inline std::vector<std::byte> encoded(const std::vector<double>& values, const std::string& dtype) {
  std::vector<std::byte> bytes;
  const auto put = [&](auto value) {
    const auto* const first = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
  };
  for (const double v : values) {
    if (dtype == "i8") put(static_cast<std::int8_t>(v));
    if (dtype == "u8") put(static_cast<std::uint8_t>(v));
    if (dtype == "i16") put(static_cast<std::int16_t>(v));
    if (dtype == "i32") put(static_cast<std::int32_t>(v));
    if (dtype == "f16") put(half_of(v));
    if (dtype == "f32") put(static_cast<float>(v));
    if (dtype == "f64") put(v);
  }
  return bytes;
}

inline element_type type_of(const std::string& dtype) {
  using enum element_type;
  return dtype == "i8"    ? int8
         : dtype == "u8"  ? uint8
         : dtype == "i16" ? int16
         : dtype == "i32" ? int32
         : dtype == "f16" ? float16
         : dtype == "f32" ? float32
                          : float64;
}

inline void write_bytes(const std::filesystem::path& path, const std::vector<std::byte>& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

/// kind: bin (no header), npy (shape where there is one), flat (npy of one extent), txt, csv.
inline void write_vendor_file(const std::filesystem::path& without_extension,
                              const vendor_elements& e, const std::string& dtype,
                              const std::string& kind) {
  std::filesystem::path path = without_extension;
  if (kind == "txt" || kind == "csv") {
    path += "." + kind;
    std::ofstream file(path);
    for (std::size_t i = 0; i < e.values.size(); ++i) {
      char text[40];
      std::snprintf(text, sizeof text, "%.9g", e.values[i]);
      file << text << (i % 7 == 6 ? "\n" : kind == "txt" ? " " : ", ");
    }
    return;
  }
  const std::vector<std::byte> bytes = encoded(e.values, dtype);
  path += kind == "bin" ? ".bin" : ".npy";
  if (kind == "bin") return write_bytes(path, bytes);
  shape said{static_cast<std::int32_t>(e.values.size())};
  if (kind == "npy" && !e.shape.empty()) said = shape(std::span<const std::int32_t>(e.shape));
  write_bytes(path, analysis::npy_bytes({type_of(dtype), said, bytes}));
}

}  // namespace bittwin::test
