// SPDX-License-Identifier: Apache-2.0
// What a function that can refuse returns: the value, or one sentence that says what, where and what to do.
#pragma once

#include <optional>
#include <string>
#include <utility>

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
  result(T value) : value_(std::move(value)) {}
  result(bittwin::error failure) : error_(std::move(failure)) {}

  [[nodiscard]] bool has_value() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return value_.has_value(); }

  [[nodiscard]] T& operator*() & noexcept { return *value_; }
  [[nodiscard]] const T& operator*() const& noexcept { return *value_; }
  [[nodiscard]] T&& operator*() && noexcept { return *std::move(value_); }
  [[nodiscard]] T* operator->() noexcept { return &*value_; }
  [[nodiscard]] const T* operator->() const noexcept { return &*value_; }

  /// Precondition: there is no value.
  [[nodiscard]] const bittwin::error& error() const noexcept { return error_; }

 private:
  std::optional<T> value_;
  bittwin::error error_;
};

/// The value of a check that has none.
struct nothing {};

/// The result of a check: nothing, or an error.
using status = result<nothing>;

[[nodiscard]] inline status ok() { return nothing{}; }

}  // namespace bittwin::inline v1
