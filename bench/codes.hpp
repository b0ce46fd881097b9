// SPDX-License-Identifier: Apache-2.0
// Tensors that begin at a line of the cache, as those of runtimes do; else every load of 64 bytes would touch two, by
// the accident of where an allocator put them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace bench {

template <class T> struct line_allocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  line_allocator() = default;
  template <class U> line_allocator(const line_allocator<U>&) noexcept {}

  [[nodiscard]] T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), line));
  }
  void deallocate(T* at, std::size_t) noexcept { ::operator delete(at, line); }
  friend bool operator==(line_allocator, line_allocator) noexcept { return true; }
};

template <class T> using tensor = std::vector<T, line_allocator<T>>;
using codes = tensor<std::int8_t>;

}  // namespace bench
