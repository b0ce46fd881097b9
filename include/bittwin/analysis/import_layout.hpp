// SPDX-License-Identifier: Apache-2.0
// How a vendor lays out a tensor: the place of element (n, y, x, c) in a file, in elements.
//   nhwc      n plane + y row + x C' + c                                C' = C rounded up to c
//   nchw      (n C' + c) plane + y row + x                              C' = C rounded up to c
//   nc1hwc2   (n C1 + c / C2) plane + y row + x C2 + c % C2             C1 = ceil(C / C2), C2 = c
//   row, plane: strides; where none is given, without a gap
// As text, in the words of --layout:  "nchw", "nhwc:c=16", "nc1hwc2:c=32,row=512"
#pragma once

#include <algorithm>
#include <array>
#include <bittwin/types/result.hpp>
#include <bittwin/types/sentence.hpp>
#include <bittwin/types/shape.hpp>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

enum class element_order : std::uint8_t { nhwc, nchw, nc1hwc2 };

[[nodiscard]] constexpr std::string_view name_of(element_order order) noexcept {
  constexpr std::array<std::string_view, 3> names{"nhwc", "nchw", "nc1hwc2"};
  return names[static_cast<std::size_t>(order)];
}

/// 0 stands for what is not given: channels as they are, rows and planes without a gap.
struct import_layout {
  element_order order = element_order::nhwc;
  std::int64_t block = 0;  ///< channels are rounded up to it; of nc1hwc2: C2
  std::int64_t row = 0;    ///< elements from row to row
  std::int64_t plane = 0;  ///< elements from plane to plane; of nhwc: from image to image

  [[nodiscard]] bool dense() const noexcept { return block == 0 && row == 0 && plane == 0; }
  friend bool operator==(const import_layout&, const import_layout&) = default;
};

[[nodiscard]] inline std::string to_string(const import_layout& of) {
  std::string text(name_of(of.order));
  const std::array<std::pair<std::string_view, std::int64_t>, 3> parts{
      {{"c", of.block}, {"row", of.row}, {"plane", of.plane}}};
  char before = ':';
  for (const auto& [key, value] : parts) {
    if (value == 0) continue;
    text += sentence({std::string_view(&before, 1), key, "=", number(value)});
    before = ',';
  }
  return text;
}

/// errors  another order, another key, a number outside [1, 2^31]
[[nodiscard]] inline result<import_layout> parse_layout(std::string_view text) {
  const error refused{
      error_code::bad_option,
      sentence({"--layout ", text,
                " is not a layout; give nhwc, nchw or nc1hwc2, with :c=16, :row=512 or "
                ":c=16,row=512,plane=4096 behind it, in elements"})};
  const std::size_t colon = text.find(':');
  const std::string_view order = text.substr(0, colon);
  import_layout layout;
  if (order == "nchw")
    layout.order = element_order::nchw;
  else if (order == "nc1hwc2")
    layout.order = element_order::nc1hwc2;
  else if (order != "nhwc")
    return refused;
  if (colon == std::string_view::npos) return layout;
  for (std::string_view rest = text.substr(colon + 1);;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) return refused;
    const std::string_view key = part.substr(0, equals), digits = part.substr(equals + 1);
    std::int64_t* const to = key == "c"       ? &layout.block
                             : key == "row"   ? &layout.row
                             : key == "plane" ? &layout.plane
                                              : nullptr;
    std::int64_t value = 0;
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (to == nullptr || failure != std::errc() || end != digits.data() + digits.size() ||
        value < 1 || value > std::int64_t{1} << 31)
      return refused;
    *to = value;
    if (comma == std::string_view::npos) return layout;
    rest = rest.substr(comma + 1);
  }
}

/// A tensor of rank 1 to 4 as batch, rows, columns, channels; of a higher rank as one row of elements.
[[nodiscard]] inline nhwc nhwc_of(const shape& extents) noexcept {
  switch (extents.rank()) {
    case 0: return {};
    case 1: return {1, 1, 1, extents[0]};
    case 2: return {extents[0], 1, 1, extents[1]};
    case 3: return {extents[0], 1, extents[1], extents[2]};
    case 4: return {extents[0], extents[1], extents[2], extents[3]};
    default: return {1, 1, 1, static_cast<std::int32_t>(extents.elements() & INT32_MAX)};
  }
}

/// Strides of one layout of one tensor, in elements.
struct placement {
  std::int64_t n = 0, y = 0, x = 0, block = 1,
               outer = 0;     ///< outer: from block to block of channels
  std::int64_t elements = 0;  ///< of the file, gaps included

  [[nodiscard]] std::int64_t at(std::int64_t in, std::int64_t iy, std::int64_t ix,
                                std::int64_t ic) const noexcept {
    return in * n + iy * y + ix * x + ic / block * outer + ic % block;
  }
};

namespace detail {

/// a * b, or nothing where it passes 2^40: no file of this kind is that long.
[[nodiscard]] constexpr std::optional<std::int64_t> bounded_product(std::int64_t a,
                                                                    std::int64_t b) noexcept {
  constexpr std::int64_t limit = std::int64_t{1} << 40;
  if (a != 0 && b > limit / a) return std::nullopt;
  return a * b;
}

[[nodiscard]] constexpr std::int64_t round_up(std::int64_t value, std::int64_t to) noexcept {
  return (value + to - 1) / to * to;
}

}  // namespace detail

/// Nothing where rows or planes are shorter than what they hold.
[[nodiscard]] inline std::optional<placement> place(const import_layout& layout,
                                                    const nhwc& of) noexcept {
  const bool by_channel = layout.order == element_order::nchw;
  const std::int64_t up_to = layout.block == 0 ? 1 : layout.block;
  const std::int64_t channels = detail::round_up(of.c, up_to);
  placement p;
  p.block = by_channel                               ? 1
            : layout.order == element_order::nc1hwc2 ? up_to
                                                     : std::max<std::int64_t>(channels, 1);
  p.x = p.block;
  const auto least_row = detail::bounded_product(of.w, p.x);
  if (!least_row || (layout.row != 0 && layout.row < *least_row)) return std::nullopt;
  p.y = layout.row != 0 ? layout.row : *least_row;
  const auto least_plane = detail::bounded_product(of.h, p.y);
  if (!least_plane || (layout.plane != 0 && layout.plane < *least_plane)) return std::nullopt;
  p.outer = layout.plane != 0 ? layout.plane : *least_plane;
  const auto image = detail::bounded_product(channels / p.block, p.outer);
  if (!image) return std::nullopt;
  p.n = *image;
  const auto all = detail::bounded_product(of.n, p.n);
  if (!all) return std::nullopt;
  p.elements = *all;
  return p;
}

/// The extents that a file of this layout may say, ones left out; empty: a layout with planes, which no shape says.
[[nodiscard]] inline std::vector<std::int64_t> extents_said(const import_layout& layout,
                                                            const nhwc& of) {
  if (layout.plane != 0) return {};
  const auto p = place(layout, of);
  if (!p) return {};
  const std::int64_t blocks = p->outer == 0 ? 1 : p->n / p->outer;
  std::vector<std::int64_t> said;
  const auto say = [&](std::int64_t extent) {
    if (extent != 1) said.push_back(extent);
  };
  say(of.n);
  if (layout.order != element_order::nhwc) say(blocks);
  say(of.h);
  if (p->y % p->x == 0) {
    say(p->y / p->x);
    if (layout.order != element_order::nchw) say(p->x);
  } else {
    say(p->y);
  }
  return said;
}

/// Layouts that vendors are known to use: channels rounded up to 4, 8, 16, 32, 64; rows and planes to a power of two
/// from 4 to 512. Only those that lay `of` out in `elements`, the plainest first.
[[nodiscard]] inline std::vector<import_layout> layouts_that_fit(const nhwc& of,
                                                                 std::int64_t elements) {
  std::vector<import_layout> fit;
  const auto add = [&](const import_layout& layout) {
    const auto p = place(layout, of);
    if (p && p->elements == elements && std::find(fit.begin(), fit.end(), layout) == fit.end())
      fit.push_back(layout);
  };
  constexpr std::array<std::int64_t, 5> blocks{4, 8, 16, 32, 64};
  for (const element_order order : {element_order::nhwc, element_order::nchw}) add({order});
  for (const std::int64_t c : blocks) {
    if (of.c % c != 0) {
      add({element_order::nhwc, c});
      add({element_order::nchw, c});
    }
    add({element_order::nc1hwc2, c});
  }
  for (const element_order order : {element_order::nhwc, element_order::nchw}) {
    const std::int64_t width =
        std::int64_t{of.w} * (order == element_order::nhwc ? std::int64_t{of.c} : 1);
    for (std::int64_t row_unit = 1; row_unit <= 512; row_unit *= 2) {
      const std::int64_t row = detail::round_up(width, row_unit);
      const auto rows = detail::bounded_product(of.h, row);
      if (!rows) continue;
      for (std::int64_t plane_unit = 1; plane_unit <= 512; plane_unit *= 2) {
        const std::int64_t plane = detail::round_up(*rows, plane_unit);
        add({order, 0, row == width ? 0 : row, plane == *rows ? 0 : plane});
      }
    }
  }
  return fit;
}

/// Those of them that one of `asked` allows; a stride or block that is asked for is taken as it is.
[[nodiscard]] inline std::vector<import_layout> layouts_that_fit(
    const nhwc& of, std::int64_t elements, const std::vector<import_layout>& asked) {
  const std::vector<import_layout> known = layouts_that_fit(of, elements);
  if (asked.empty()) return known;
  std::vector<import_layout> fit;
  const auto add = [&](const import_layout& layout) {
    const auto p = place(layout, of);
    if (p && p->elements == elements && std::find(fit.begin(), fit.end(), layout) == fit.end())
      fit.push_back(layout);
  };
  for (const import_layout& wish : asked) {
    if (!wish.dense() && (wish.order != element_order::nc1hwc2 || wish.block != 0)) {
      add(wish);
      continue;
    }
    for (const import_layout& layout : known)
      if (layout.order == wish.order) add(layout);
    for (const std::int64_t c : {4, 8, 16, 32, 64})
      if (wish.order == element_order::nc1hwc2) add({wish.order, c, wish.row, wish.plane});
  }
  return fit;
}

}  // namespace bittwin::analysis::inline v1
