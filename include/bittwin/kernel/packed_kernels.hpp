// SPDX-License-Identifier: Apache-2.0
// The packed kernels, compiled: exactly one source file of a program includes this, or CMake does (bittwin::simd).
#pragma once

#include <atomic>
#include <bittwin/kernel/pack_conv2d.hpp>
#include <bittwin/kernel/pack_depthwise.hpp>
#include <bittwin/kernel/packed_layer.hpp>
#include <bittwin/kernel/packing.hpp>
#include <bittwin/kernel/run_packed.hpp>
#include <cstdint>
#include <utility>

namespace bittwin::inline v1 {

namespace detail {

struct shared_layer : packed_layer {
  explicit shared_layer(packed_layer p) : packed_layer(std::move(p)) {}
  mutable std::atomic<std::int64_t> owners{1};
};

[[nodiscard]] inline packed_pointer kept(packed_layer p) {
  return p.packed() ? packed_pointer(new shared_layer(std::move(p))) : packed_pointer();
}

}  // namespace detail

packed_pointer pack_conv2d(const packing_request& q) {
  return detail::kept(detail::packed_conv2d(q));
}
packed_pointer pack_depthwise(const packing_request& q) {
  return detail::kept(detail::packed_depthwise(q));
}

void share_packed(const packed_layer* p) noexcept {
  ++static_cast<const detail::shared_layer*>(p)->owners;
}
void release_packed(const packed_layer* p) noexcept {
  const auto* const owned = static_cast<const detail::shared_layer*>(p);
  if (--owned->owners == 0) delete owned;
}

bool run_packed(const packed_layer& p, const requantizer& rule, input_images x,
                output_images y) noexcept {
  if (!fits_packing(p, x)) return false;
  p.run(p, rule, x, y);
  return true;
}

simd::arch arch_of(const packed_layer& p) noexcept { return p.kernels->of; }

void require_packed_kernels() noexcept {}

}  // namespace bittwin::inline v1
