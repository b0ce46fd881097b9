// SPDX-License-Identifier: Apache-2.0
// The contents of every tensor during a run, as bytes, as codes of any width, or as reals.
#pragma once

#include <bittwin/graph/model.hpp>
#include <bittwin/graph/reals.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/expects.hpp>
#include <bittwin/types/parallel_for.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

namespace bittwin::graph::inline v1 {

namespace detail {

template <class To, class From> void widen(std::span<const std::byte> bytes, std::vector<To>& out) {
  out.resize(bytes.size() / sizeof(From));
  for (std::size_t i = 0; i < out.size(); ++i) {
    From element;
    std::memcpy(&element, bytes.data() + i * sizeof(From), sizeof(From));
    out[i] = static_cast<To>(element);
  }
}

template <class To, class From>
void narrow(std::span<const From> values, std::span<std::byte> out) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto element = static_cast<To>(values[i]);
    std::memcpy(out.data() + i * sizeof(To), &element, sizeof(To));
  }
}

}  // namespace detail

class workspace {
 public:
  /// The model must outlive the workspace.
  explicit workspace(const model& m) : model_(&m), slots_(m.tensors.size()) {}

  void bind(std::int32_t tensor, std::span<std::byte> bytes, element_type type) {
    slots_[static_cast<std::size_t>(tensor)] = {bytes, type};
  }
  [[nodiscard]] std::span<std::byte> bytes(std::int32_t tensor) const noexcept {
    return slots_[static_cast<std::size_t>(tensor)].bytes;
  }
  [[nodiscard]] element_type type(std::int32_t tensor) const noexcept {
    return slots_[static_cast<std::size_t>(tensor)].type;
  }
  template <class T> [[nodiscard]] std::span<const T> in(std::int32_t tensor) const noexcept {
    const auto b = bytes(tensor);
    return {static_cast<const T*>(static_cast<const void*>(b.data())), b.size() / sizeof(T)};
  }
  template <class T> [[nodiscard]] std::span<T> out(std::int32_t tensor) const noexcept {
    const auto b = bytes(tensor);
    return {static_cast<T*>(static_cast<void*>(b.data())), b.size() / sizeof(T)};
  }

  /// The elements of an integer tensor, whatever its width: one implementation serves all of them.
  [[nodiscard, gnu::noinline]] std::vector<std::int64_t> codes(std::int32_t tensor) const {
    std::vector<std::int64_t> out;
    const auto b = bytes(tensor);
    switch (type(tensor)) {
      case element_type::int4:
      case element_type::int8: detail::widen<std::int64_t, std::int8_t>(b, out); break;
      case element_type::boolean:
      case element_type::uint8: detail::widen<std::int64_t, std::uint8_t>(b, out); break;
      case element_type::int16: detail::widen<std::int64_t, std::int16_t>(b, out); break;
      case element_type::int32: detail::widen<std::int64_t, std::int32_t>(b, out); break;
      case element_type::int64: detail::widen<std::int64_t, std::int64_t>(b, out); break;
      default: BITTWIN_EXPECTS(false);
    }
    return out;
  }
  [[gnu::noinline]] void store_codes(std::int32_t tensor,
                                     std::span<const std::int64_t> values) const {
    const auto b = bytes(tensor);
    check_room(tensor, values.size());
    switch (type(tensor)) {
      case element_type::int4:
      case element_type::int8: detail::narrow<std::int8_t>(values, b); break;
      case element_type::boolean:
      case element_type::uint8: detail::narrow<std::uint8_t>(values, b); break;
      case element_type::int16: detail::narrow<std::int16_t>(values, b); break;
      case element_type::int32: detail::narrow<std::int32_t>(values, b); break;
      case element_type::int64: detail::narrow<std::int64_t>(values, b); break;
      default: BITTWIN_EXPECTS(false);
    }
  }

  /// The elements of a tensor as reals; codes, such as the weights of a float layer, are dequantized.
  /// Operators compute in float64 and round once, when they store.
  [[nodiscard, gnu::noinline]] std::vector<double> reals(std::int32_t tensor) const {
    std::vector<double> out;
    if (type(tensor) == element_type::float32)
      detail::widen<double, float>(bytes(tensor), out);
    else if (type(tensor) == element_type::float64)
      detail::widen<double, double>(bytes(tensor), out);
    else
      out = reals_of(model_->tensors[static_cast<std::size_t>(tensor)], bytes(tensor));
    return out;
  }
  [[gnu::noinline]] void store_reals(std::int32_t tensor, std::span<const double> values) const {
    check_room(tensor, values.size());
    if (type(tensor) == element_type::float32)
      detail::narrow<float>(values, bytes(tensor));
    else
      detail::narrow<double>(values, bytes(tensor));
  }

  /// Threads that operators may use.
  [[nodiscard]] const parallel_for& parallel() const noexcept { return parallel_; }
  void use(const parallel_for& parallel) noexcept { parallel_ = parallel; }

 private:
  /// Always on: a builder that forgot a type must not become a write past a tensor's end.
  void check_room(std::int32_t tensor, std::size_t elements) const {
    if (elements * static_cast<std::size_t>(bytes_of(type(tensor))) != bytes(tensor).size())
      std::abort();
  }

  struct slot {
    std::span<std::byte> bytes;
    element_type type = element_type::int8;
  };
  const model* model_;
  std::vector<slot> slots_;
  parallel_for parallel_;
};

}  // namespace bittwin::graph::inline v1
