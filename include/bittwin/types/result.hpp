// SPDX-License-Identifier: Apache-2.0
// What a function that can refuse returns: the value, or one sentence that says what, where and
// what to do.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace bittwin::inline v1 {

enum class error_code {
  bad_file,   ///< bytes that are not what they claim to be
  bad_shape,  ///< extents that contradict each other
  bad_scale,  ///< a scale that is zero, negative, NaN or infinite
  bad_zero_point,
  bad_option,   ///< an operator option outside its range
  unsupported,  ///< well formed, but outside what this version or target defines
  too_large,
};

struct error {
  error_code code = error_code::bad_file;
  std::string text;  ///< one sentence, without a trailing full stop
};

/// A value or an error. `if (!r) return r.error();` then `*r`.
template <class T> class [[nodiscard]] result {
 public:
  result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  result(bittwin::error failure) : state_(std::in_place_index<1>, std::move(failure)) {}

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] T& operator*() & noexcept { return *std::get_if<0>(&state_); }
  [[nodiscard]] const T& operator*() const& noexcept { return *std::get_if<0>(&state_); }
  [[nodiscard]] T&& operator*() && noexcept { return std::move(*std::get_if<0>(&state_)); }
  [[nodiscard]] T* operator->() noexcept { return std::get_if<0>(&state_); }
  [[nodiscard]] const T* operator->() const noexcept { return std::get_if<0>(&state_); }

  [[nodiscard]] const bittwin::error& error() const noexcept { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, bittwin::error> state_;
};

/// The result of a check: nothing, or an error.
using status = result<std::monostate>;

[[nodiscard]] inline status ok() { return std::monostate{}; }

}  // namespace bittwin::inline v1
