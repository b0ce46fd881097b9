// SPDX-License-Identifier: Apache-2.0
// One way to read a file as a tensor: element type, layout, and what the numbers mean. Files say little of it, so all
// ways that fit are made, and those that give the same tensor are one.
#pragma once

#include <algorithm>
#include <bittwin/analysis/array.hpp>
#include <bittwin/analysis/import_file.hpp>
#include <bittwin/analysis/import_grid.hpp>
#include <bittwin/analysis/import_layout.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/reals.hpp>
#include <bittwin/graph/sha256.hpp>
#include <bittwin/types/sentence.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// codes    of the tensor's type
/// shifted  8-bit codes of the other signedness: 128 more or less
/// reals    on the model's grid, on one of the board's own, or on none
enum class number_meaning : std::uint8_t { codes, shifted, reals };

struct import_reading {
  std::int32_t tensor = 0;
  element_type type = element_type::int8;  ///< of the file; of text float64
  import_layout layout;
  number_meaning meaning = number_meaning::codes;
  std::string digest;  ///< equal ones give the same tensor
};

/// What a reading gives: the tensor, its grid, and what was left out.
struct read_tensor {
  array values;        ///< of the tensor's type, or float32 where the reals are on no grid
  quantization board;  ///< parameters of the board's own; none: the model's
  std::vector<double> reals;
  std::optional<code_grid> grid;  ///< of reals that became codes
  std::int64_t padding = 0;       ///< elements of the file that belong to no element of the tensor
  double padding_low = 0, padding_high = 0;

  [[nodiscard]] bool on_no_grid(const graph::tensor& t) const noexcept {
    return values.type == element_type::float32 && t.type != element_type::float32;
  }
};

namespace detail {

/// The tensor's elements in C order, and the range of those between them.
[[nodiscard]] inline std::vector<double> gather(const std::vector<double>& file,
                                                const import_layout& layout, const nhwc& of,
                                                read_tensor& to) {
  const placement p = *place(layout, of);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(of.elements()));
  std::vector<bool> used(file.size());
  for (std::int32_t n = 0; n < of.n; ++n)
    for (std::int32_t y = 0; y < of.h; ++y)
      for (std::int32_t x = 0; x < of.w; ++x)
        for (std::int32_t c = 0; c < of.c; ++c) {
          const auto at = static_cast<std::size_t>(p.at(n, y, x, c));
          values.push_back(file[at]);
          used[at] = true;
        }
  for (std::size_t i = 0; i < file.size(); ++i) {
    if (used[i]) continue;
    if (to.padding++ == 0) to.padding_low = to.padding_high = file[i];
    // A NaN stays: then the padding is not constant.
    if (!(file[i] >= to.padding_low)) to.padding_low = file[i];
    if (!(file[i] <= to.padding_high)) to.padding_high = file[i];
  }
  return values;
}

/// Values as elements of the type. Precondition: each is representable.
[[nodiscard]] inline array stored_as(element_type type, const shape& extents,
                                     const std::vector<double>& values) {
  array to{type, extents,
           std::vector<std::byte>(values.size() * static_cast<std::size_t>(bytes_of(type)))};
  with_element(type, [&]<class T>(T) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const T value = static_cast<T>(values[i]);
      std::memcpy(to.data.data() + i * sizeof(T), &value, sizeof(T));
    }
  });
  return to;
}

[[nodiscard]] inline std::vector<double> reals_of_codes(const graph::tensor& t,
                                                        const quantization& map,
                                                        const array& codes) {
  graph::tensor mapped;
  mapped.type = codes.type;
  mapped.extents = t.extents;
  if (is_integer(codes.type)) mapped.quantization = map;
  return graph::reals_of(mapped, codes.data);
}

[[nodiscard]] inline bool has_8_bit_codes(const graph::tensor& t) noexcept {
  return t.type == element_type::int8 || t.type == element_type::uint8;
}

/// Integers as codes of the tensor, moved by `by`.
[[nodiscard]] inline result<std::vector<double>> as_codes(const graph::tensor& t,
                                                          std::vector<double> values, double by) {
  const code_range codes = range_of(t.type);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] += by;
    if (!(values[i] >= static_cast<double>(codes.low) &&
          values[i] <= static_cast<double>(codes.high)) ||
        values[i] != std::round(values[i]))
      return error{error_code::bad_file,
                   sentence({"holds ", decimal(static_cast<float>(values[i] - by)), " at element ",
                             number(i), ", which is no code of ", name_of(t.type)})};
  }
  return values;
}

/// Reals on the model's grid, else on their own, else as they are.
inline void place_reals(const graph::tensor& t, const std::vector<double>& reals, double relative,
                        read_tensor& to) {
  const code_range codes = range_of(t.type);
  const quantization& model = t.quantization;
  const auto codes_on = [&](const code_grid& grid) {
    std::vector<double> values;
    values.reserve(reals.size());
    for (const double real : reals)
      values.push_back(std::round(real / grid.scale) + static_cast<double>(grid.zero_point));
    to.grid = grid;
    to.values = stored_as(t.type, t.extents, values);
  };
  const auto scale = static_cast<double>(model.scale());
  const std::int64_t zero = model.zero_point();
  const auto own = on_grid(reals, scale, zero, codes, relative);
  if (own && own->zero_point == zero) return codes_on(*own);
  if (const auto other = estimate_grid(reals, codes, zero, relative)) {
    to.board = {{static_cast<float>(other->scale)}, {other->zero_point}, 0};
    return codes_on(*other);
  }
  to.values = stored_as(element_type::float32, t.extents, reals);
}

}  // namespace detail

/// file     `numbers` are numbers_of(file, how.type)
/// errors   why the file cannot be read so, to be put behind its name
[[nodiscard]] inline result<read_tensor> read_as(const import_file& file,
                                                 const std::vector<double>& numbers,
                                                 const graph::tensor& t,
                                                 const import_reading& how) {
  read_tensor to;
  const std::vector<double> values = detail::gather(numbers, how.layout, nhwc_of(t.extents), to);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]) ||
        std::abs(values[i]) > double{std::numeric_limits<float>::max()})
      return error{
          error_code::bad_file,
          sentence({"holds ", std::isnan(values[i]) ? "NaN" : "an infinity", " at element ",
                    number(i), " read as ", name_of(how.type), ", ", to_string(how.layout)})};
  const bool integers = is_integer(t.type);
  if (how.meaning != number_meaning::reals) {
    const double by = how.meaning == number_meaning::codes ? 0
                      : t.type == element_type::int8       ? -128
                                                           : 128;
    const result<std::vector<double>> codes = detail::as_codes(t, values, by);
    if (!codes) return codes.error();
    to.values = detail::stored_as(t.type, t.extents, *codes);
  } else if (integers) {
    detail::place_reals(t, values, rounding_of(file, how.type), to);
  } else {
    to.values = detail::stored_as(t.type, t.extents, values);
  }
  to.reals = detail::reals_of_codes(t, to.board.present() ? to.board : t.quantization, to.values);
  return to;
}

struct readings_of_file {
  std::vector<import_reading> fit;
  std::string why_not;  ///< of the last one that did not fit
};

/// Every reading of `file` as tensor `index`, those that give the same tensor once.
/// layouts     the only ones to try; empty: all that are known
/// said_shape  whether the shape of a .npy file is believed; where layouts are given, it never is
[[nodiscard]] inline readings_of_file readings_of(const import_file& file, const graph::model& m,
                                                  std::int32_t index,
                                                  const std::vector<import_layout>& layouts,
                                                  bool said_shape) {
  const graph::tensor& t = m.tensors[static_cast<std::size_t>(index)];
  const nhwc of = nhwc_of(t.extents);
  const bool integers = is_integer(t.type), halves = t.type == element_type::float16;
  readings_of_file found;
  std::vector<std::int64_t> said;
  if (file.extents && said_shape)
    for (const std::int32_t extent : file.extents->extents())
      if (extent != 1) said.push_back(extent);
  for (const element_type type : types_of(file, t.type)) {
    const bool text = file.kind == import_file::format::text;
    // Codes for a tensor of floats would need a grid that nobody says.
    if (!integers && is_integer(type)) continue;
    const std::vector<import_layout> fit =
        halves ? std::vector<import_layout>{}
               : layouts_that_fit(of, elements_of(file, type), layouts);
    std::vector<double> numbers;
    for (const import_layout& layout : fit) {
      // A list of elements says nothing; layouts that the user names are believed.
      if (said.size() > 1 && layouts.empty() && said != extents_said(layout, of)) continue;
      if (numbers.empty()) numbers = numbers_of(file, type);
      for (const number_meaning meaning :
           {number_meaning::codes, number_meaning::shifted, number_meaning::reals}) {
        if (meaning == number_meaning::codes && !integers) continue;
        // Bytes of the tensor's own type are its codes.
        if (meaning == number_meaning::shifted &&
            (!detail::has_8_bit_codes(t) || (type == t.type && !text)))
          continue;
        if (meaning == number_meaning::reals &&
            (is_integer(type) ||
             (integers && (!t.quantization.present() || t.quantization.per_channel()))))
          continue;
        import_reading how{index, type, layout, meaning, {}};
        const result<read_tensor> read = read_as(file, numbers, t, how);
        if (!read) {
          found.why_not = read.error().text;
          continue;
        }
        how.digest = graph::sha256_hex(read->values.data) + std::string(name_of(read->values.type));
        for (const float scale : read->board.scales) how.digest += decimal(scale);
        for (const std::int64_t zero : read->board.zero_points) how.digest += "z" + number(zero);
        const bool known =
            std::any_of(found.fit.begin(), found.fit.end(),
                        [&](const import_reading& other) { return other.digest == how.digest; });
        if (!known) found.fit.push_back(std::move(how));
      }
    }
  }
  return found;
}

}  // namespace bittwin::analysis::inline v1
