// SPDX-License-Identifier: Apache-2.0
// The door to the packed kernels: what a checked layer tells them, and functions that a program compiles once, since
// they are the larger part. The CMake targets bittwin::simd and bittwin::graph bring them; without CMake one source
// file includes <bittwin/kernel/packed_kernels.hpp>. A program that has none of these runs the targets' own rules:
// the same integers, slower.
#pragma once

#include <bittwin/kernel/explanation.hpp>
#include <bittwin/proof/conditions.hpp>
#include <bittwin/reference/convolution.hpp>
#include <bittwin/requantize/requantizer.hpp>
#include <bittwin/simd/arch.hpp>
#include <bittwin/types/element_type.hpp>
#include <bittwin/types/parallel_for.hpp>
#include <bittwin/types/tensor_view.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace bittwin::inline v1 {

/// A layer as prepare() has checked it.
struct packing_request {
  convolution_geometry geometry;
  element_type type = element_type::int8;
  operand_zeros<std::int32_t> zero;
  std::span<const std::byte> weights;
  std::span<const std::int64_t> bias;  ///< empty: none
  const requantizer& rule;
  proof::summation summation;
  proof::monotone_function monotone = nullptr;
  proof::product_function product = nullptr;
};

/// Images of codes of one or two bytes, of either sign; steps in bytes.
template <class Byte> struct byte_images {
  Byte* data = nullptr;
  std::int64_t image = 0, row = 0, pixel = 0;

  template <class T>
  explicit byte_images(const nhwc_view<T>& v) noexcept
      : image(v.image_stride * size<T>),
        row(v.row_stride * size<T>),
        pixel(v.pixel_stride * size<T>) {
    static_assert(sizeof(T) <= 2);
    using as_void = std::conditional_t<std::is_const_v<T>, const void, void>;
    data = static_cast<Byte*>(static_cast<as_void*>(v.data));
  }
  [[nodiscard]] Byte* at(std::int64_t n, std::int64_t y, std::int64_t x) const noexcept {
    return data + n * image + y * row + x * pixel;
  }

 private:
  template <class T> static constexpr std::int64_t size = static_cast<std::int64_t>(sizeof(T));
};
using input_images = byte_images<const std::uint8_t>;
using output_images = byte_images<std::uint8_t>;

struct packed_layer;
struct packed_pairs;
struct packed_stream;
struct packed_pool;

/// Whether a function of the door is in the program. Asked by pointer: where its definition is in sight, compilers
/// warn of the question.
template <class F> [[nodiscard]] bool is_linked(F* door) noexcept { return door != nullptr; }

[[gnu::weak]] void share_packed(const packed_layer* p) noexcept;
[[gnu::weak]] void share_packed(const packed_pairs* p) noexcept;
[[gnu::weak]] void share_packed(const packed_stream* p) noexcept;
[[gnu::weak]] void share_packed(const packed_pool* p) noexcept;
[[gnu::weak]] void release_packed(const packed_layer* p) noexcept;
[[gnu::weak]] void release_packed(const packed_pairs* p) noexcept;
[[gnu::weak]] void release_packed(const packed_stream* p) noexcept;
[[gnu::weak]] void release_packed(const packed_pool* p) noexcept;

/// Shares what was packed between the copies of a kernel. (<memory> would be a fifth of a unit's compile time.)
template <class Packed> class packed_pointer {
 public:
  packed_pointer() = default;
  explicit packed_pointer(const Packed* owned) noexcept : p_(owned) {}
  packed_pointer(const packed_pointer& other) noexcept : p_(other.p_) {
    if (p_ != nullptr) share_packed(p_);
  }
  packed_pointer(packed_pointer&& other) noexcept : p_(std::exchange(other.p_, nullptr)) {}
  packed_pointer& operator=(packed_pointer other) noexcept {
    std::swap(p_, other.p_);
    return *this;
  }
  ~packed_pointer() {
    if (p_ != nullptr) release_packed(p_);
  }
  [[nodiscard]] explicit operator bool() const noexcept { return p_ != nullptr; }
  [[nodiscard]] const Packed& operator*() const noexcept { return *p_; }
  [[nodiscard]] const Packed* operator->() const noexcept { return p_; }

 private:
  const Packed* p_ = nullptr;
};

/// Null where a proof fails, or where the machine has nothing but the reference.
[[gnu::weak]] packed_pointer<packed_layer> pack_conv2d(const packing_request& q);
[[gnu::weak]] packed_pointer<packed_layer> pack_depthwise(const packing_request& q);
/// False: these images do not lie as the packing expects, and nothing was done.
[[gnu::weak]] bool run_packed(const packed_layer& p, const requantizer& rule, input_images x,
                              output_images y, const parallel_for& parallel) noexcept;
[[gnu::weak]] simd::arch arch_of(const packed_layer& p) noexcept;

/// A function of two 8-bit codes as the target's rule has it, all of it.
struct pair_request {
  static constexpr std::size_t all = 65536;

  element_type type = element_type::int8;  ///< of both operands and the result
  std::span<const std::uint8_t> codes;     ///< [256 a + b], of stored bytes
  double slope_a = 0,
         slope_b = 0;  ///< about: output codes per code of an operand; only speed depends on them
  std::int32_t zero_a = 0, zero_b = 0, zero = 0;  ///< of operands and result
};

/// Null where the machine has nothing but the reference. Of these functions all are exact: a table stands in for a
/// proof that fails.
[[gnu::weak]] packed_pointer<packed_pairs> pack_pairs(const pair_request& q);
/// Element by element; `codes` may be an operand.
[[gnu::weak]] void run_packed(const packed_pairs& p, const std::uint8_t* a, const std::uint8_t* b,
                              std::uint8_t* codes, std::int64_t count,
                              const parallel_for& parallel) noexcept;
[[gnu::weak]] simd::arch arch_of(const packed_pairs& p) noexcept;

/// A function of one 8-bit code, all of it: [stored byte]. Null where the machine has nothing but the reference.
[[gnu::weak]] packed_pointer<packed_stream> pack_table(std::span<const std::uint8_t> codes);
/// int32 to codes of 8 bits: the code of x is that of the accumulator x - zero_in. Null where no proof holds.
struct scale_request {
  const requantizer& rule;  ///< of one multiplier
  std::int64_t zero_in = 0;
  proof::monotone_function monotone = nullptr;
};
[[gnu::weak]] packed_pointer<packed_stream> pack_scale(const scale_request& q);
/// x  bytes, or int32 of what pack_scale packed
[[gnu::weak]] void run_packed(const packed_stream& p, const void* x, std::uint8_t* codes,
                              std::int64_t count, const parallel_for& parallel) noexcept;
[[gnu::weak]] simd::arch arch_of(const packed_stream& p) noexcept;

/// The code of a window with a sum of `count` codes, clamped and narrowed.
struct window_rule {
  const void* self = nullptr;
  std::int64_t (*code_of)(const void* self, std::int64_t sum,
                          std::int64_t count) noexcept = nullptr;
};
/// Windows of 8-bit codes, channel by channel: averages by a rule, or the largest.
struct pool_request {
  convolution_geometry geometry;
  element_type type = element_type::int8;
  bool largest = false;
  code_range clamp;  ///< of codes; the rule of a sum has it too
  window_rule rule;  ///< of a sum
  bool counts_padding = false;
  std::int32_t padding = 0;  ///< the code that stands there, where it counts
  /// About: the code of a sum is ratio (sum / count - zero_in) + zero; only speed depends on them.
  double ratio = 1;
  std::int32_t zero_in = 0, zero = 0;
};
[[gnu::weak]] packed_pointer<packed_pool> pack_pool(const pool_request& q);
[[gnu::weak]] void run_packed(const packed_pool& p, const window_rule& rule, input_images x,
                              output_images y, const parallel_for& parallel) noexcept;
[[gnu::weak]] simd::arch arch_of(const packed_pool& p) noexcept;

/// What was proved of it, and which forms run.
[[gnu::weak]] explanation explain(const packed_layer& p);
[[gnu::weak]] explanation explain(const packed_pairs& p);
[[gnu::weak]] explanation explain(const packed_stream& p);
[[gnu::weak]] explanation explain(const packed_pool& p);

/// Scalar where nothing is packed: the target's own rule runs.
template <class Packed> [[nodiscard]] simd::arch arch_of(const packed_pointer<Packed>& p) noexcept {
  return p ? arch_of(*p) : simd::arch::scalar;
}

/// Of a kernel that has `units` channels (or is one unit as a whole).
template <class Packed>
[[nodiscard]] explanation explain(const packed_pointer<Packed>& p, std::int64_t units = 1) {
  if (p) return explain(*p);
  explanation e;
  e.add("the target's own rule", units);
  return e;
}

/// Called by what must not be linked without the kernels.
void require_packed_kernels() noexcept;

}  // namespace bittwin::inline v1
