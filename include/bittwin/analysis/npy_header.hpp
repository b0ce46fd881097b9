// SPDX-License-Identifier: Apache-2.0
// The header of a .npy file: a Python dictionary of which exactly one form is legal.
//   {'descr': '<f4', 'fortran_order': False, 'shape': (1, 49, 10, 1), }
#pragma once

#include <bittwin/types/result.hpp>
#include <bittwin/types/shape.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bittwin::analysis::inline v1 {

struct npy_header {
  std::string descr;
  bool fortran_order = false;
  shape extents;  ///< at most 2^31 elements

  /// errors  a key missing, twice or unknown; anything that is not that dictionary
  [[nodiscard]] static result<npy_header> parse(std::string_view text);
};

namespace detail {

class npy_header_parser {
 public:
  explicit npy_header_parser(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool parse(npy_header& header) {
    bool descr = false, order = false, extents = false;
    if (!take('{')) return false;
    while (!take('}')) {
      std::string key;
      if (!string(key) || !take(':')) return false;
      bool& seen = key == "descr" ? descr : key == "fortran_order" ? order : extents;
      if (seen) return false;
      seen = true;
      if (key == "descr"           ? !string(header.descr)
          : key == "fortran_order" ? !boolean(header.fortran_order)
                                   : key != "shape" || !tuple(header.extents))
        return false;
      if (!take(',') && !peek('}')) return false;
    }
    skip_space();
    return descr && order && extents && rest_.empty();
  }

 private:
  void skip_space() noexcept {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
  }
  [[nodiscard]] bool peek(char c) noexcept {
    skip_space();
    return !rest_.empty() && rest_[0] == c;
  }
  bool take(char c) noexcept {
    if (!peek(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] bool string(std::string& value) {
    const char quote = peek('"') ? '"' : '\'';
    if (!take(quote)) return false;
    const std::size_t end = rest_.find(quote);
    // A type of a few letters; what is longer is a structured type or not a header.
    if (end == std::string_view::npos || end > 16) return false;
    value = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return value.find_first_not_of(
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
               "<>|=_") == std::string::npos;
  }
  [[nodiscard]] bool boolean(bool& value) noexcept {
    skip_space();
    value = rest_.starts_with("True");
    if (!value && !rest_.starts_with("False")) return false;
    rest_.remove_prefix(value ? 4 : 5);
    return true;
  }
  [[nodiscard]] bool tuple(shape& extents) noexcept {
    if (!take('(')) return false;
    while (!take(')')) {
      std::int32_t extent = 0;
      if (extents.rank() == shape::max_rank || !integer(extent)) return false;
      extents.push_back(extent);
      if (!take(',')) return take(')') && extents.rank() > 1;
    }
    return true;
  }
  [[nodiscard]] bool integer(std::int32_t& value) noexcept {
    skip_space();
    std::int64_t sum = 0;
    std::size_t digits = 0;
    for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; ++digits) {
      sum = sum * 10 + (rest_[digits] - '0');
      if (sum > INT32_MAX) return false;
    }
    rest_.remove_prefix(digits);
    value = static_cast<std::int32_t>(sum);
    return digits > 0;
  }

  std::string_view rest_;
};

}  // namespace detail

inline result<npy_header> npy_header::parse(std::string_view text) {
  npy_header header;
  if (!detail::npy_header_parser(text).parse(header))
    return error{error_code::bad_file,
                 "has a header that is not {'descr', 'fortran_order', 'shape'} of a plain type and "
                 "at most 8 extents; save the array with numpy.save"};
  std::int64_t elements = 1;
  for (const std::int32_t extent : header.extents.extents()) {
    elements *= extent;
    // At each axis, so that the product stays inside 62 bits.
    if (elements > std::int64_t{1} << 31)
      return error{error_code::too_large, "has more than 2^31 elements; split the array"};
  }
  return header;
}

}  // namespace bittwin::analysis::inline v1
