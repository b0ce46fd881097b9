// SPDX-License-Identifier: Apache-2.0
// The packed kernels, compiled: exactly one source file of a program includes this, or CMake does (bittwin::simd).
#pragma once

#include <algorithm>
#include <atomic>
#include <bittwin/kernel/output_box.hpp>
#include <bittwin/kernel/pack_conv2d.hpp>
#include <bittwin/kernel/pack_depthwise.hpp>
#include <bittwin/kernel/pack_pairs.hpp>
#include <bittwin/kernel/pack_pool.hpp>
#include <bittwin/kernel/pack_stream.hpp>
#include <bittwin/kernel/packed_layer.hpp>
#include <bittwin/kernel/packing.hpp>
#include <bittwin/kernel/run_packed.hpp>
#include <bittwin/types/parallel_for.hpp>
#include <cstdint>
#include <span>
#include <utility>

namespace bittwin::inline v1 {

namespace detail {

template <class Packed> struct shared_packing : Packed {
  explicit shared_packing(Packed p) : Packed(std::move(p)) {}
  mutable std::atomic<std::int64_t> owners{1};
};

template <class Packed> [[nodiscard]] packed_pointer<Packed> kept(Packed p) {
  return p.packed() ? packed_pointer<Packed>(new shared_packing<Packed>(std::move(p)))
                    : packed_pointer<Packed>();
}
template <class Packed> void share(const Packed* p) noexcept {
  ++static_cast<const shared_packing<Packed>*>(p)->owners;
}
template <class Packed> void release(const Packed* p) noexcept {
  const auto* const owned = static_cast<const shared_packing<Packed>*>(p);
  if (--owned->owners == 0) delete owned;
}

}  // namespace detail

void share_packed(const packed_layer* p) noexcept { detail::share(p); }
void share_packed(const packed_pairs* p) noexcept { detail::share(p); }
void share_packed(const packed_stream* p) noexcept { detail::share(p); }
void share_packed(const packed_pool* p) noexcept { detail::share(p); }
void release_packed(const packed_layer* p) noexcept { detail::release(p); }
void release_packed(const packed_pairs* p) noexcept { detail::release(p); }
void release_packed(const packed_stream* p) noexcept { detail::release(p); }
void release_packed(const packed_pool* p) noexcept { detail::release(p); }

packed_pointer<packed_layer> pack_conv2d(const packing_request& q) {
  return detail::kept(detail::packed_conv2d(q));
}
packed_pointer<packed_layer> pack_depthwise(const packing_request& q) {
  return detail::kept(detail::packed_depthwise(q));
}
bool run_packed(const packed_layer& p, const requantizer& rule, input_images x, output_images y,
                const parallel_for& parallel) noexcept {
  if (!fits_packing(p, x)) return false;
  const convolution_geometry& g = p.geometry;
  const std::int64_t depth = g.groups == 1 ? g.input_channels : 1;
  constexpr std::int64_t products = 200, codes = 16;  // about, a nanosecond
  const std::int64_t outputs = g.output().elements();
  output_boxes(g, p.output_rows, simd::block_sizes[0] * simd::lanes)
      .each(parallel, outputs * g.taps() * depth / products + outputs / codes,
            [&](const output_box& box) noexcept { p.run(p, rule, x, y, box); });
  return true;
}

simd::arch arch_of(const packed_layer& p) noexcept { return p.kernels->of; }

packed_pointer<packed_pairs> pack_pairs(const pair_request& q) {
  return detail::kept(detail::packed_pairs_of(q));
}
void run_packed(const packed_pairs& p, const std::uint8_t* a, const std::uint8_t* b,
                std::uint8_t* codes, std::int64_t count, const parallel_for& parallel) noexcept {
  over_elements(parallel, count, p.is_line ? count / 16 : count,
                [&](std::int64_t first, std::int64_t elements) noexcept {
                  detail::run_pairs(p, {a + first, b + first, codes + first, elements});
                });
}
simd::arch arch_of(const packed_pairs& p) noexcept { return p.kernels->of; }

packed_pointer<packed_stream> pack_table(std::span<const std::uint8_t> codes) {
  return detail::kept(detail::packed_table_of(codes));
}
packed_pointer<packed_stream> pack_scale(const scale_request& q) {
  return detail::kept(detail::packed_scale_of(q));
}
void run_packed(const packed_stream& p, const void* x, std::uint8_t* codes, std::int64_t count,
                const parallel_for& parallel) noexcept {
  const std::int64_t width = p.table.empty() ? 4 : 1;
  over_elements(parallel, count, count / 16,
                [&](std::int64_t first, std::int64_t elements) noexcept {
                  detail::run_stream(p, static_cast<const std::uint8_t*>(x) + first * width,
                                     codes + first, elements);
                });
}
simd::arch arch_of(const packed_stream& p) noexcept { return p.kernels->of; }

packed_pointer<packed_pool> pack_pool(const pool_request& q) {
  return detail::kept(detail::packed_pool_of(q));
}
void run_packed(const packed_pool& p, const window_rule& rule, input_images x, output_images y,
                const parallel_for& parallel) noexcept {
  const convolution_geometry& g = p.geometry;
  output_boxes(g, 1, g.output_channels)
      .each(parallel, g.output().elements() * (g.taps() + 2) / 16,
            [&](const output_box& box) noexcept { detail::run_pool(p, rule, x, y, box); });
}
simd::arch arch_of(const packed_pool& p) noexcept { return p.kernels->of; }

explanation explain(const packed_layer& p) {
  explanation e{p.kernels->of, "no accumulator overflows; every threshold", {}};
  for (std::int32_t channel = 0; channel < p.geometry.output_channels; channel += simd::lanes) {
    const simd::form_kind kind = p.forms.data()[channel / simd::lanes].kind;
    e.add(kind == simd::form_kind::scalar ? "the target's own rule" : simd::name_of(kind),
          std::min(p.geometry.output_channels - channel, simd::lanes));
  }
  return e;
}
explanation explain(const packed_pairs& p) {
  const bool one = p.line.below == 0 && p.line.above == 0;
  return {p.kernels->of,
          "every pair of codes",
          {{!p.is_line ? "table"
            : one      ? "line"
                       : "two-sided line",
            1}}};
}
explanation explain(const packed_stream& p) {
  if (!p.table.empty()) return {p.kernels->of, "every code", {{"table", 1}}};
  return {p.kernels->of, "every threshold", {{simd::name_of(p.form.kind), 1}}};
}
explanation explain(const packed_pool& p) {
  if (p.largest) return {p.kernels->of, "nothing is rounded", {{"largest", 1}}};
  explanation e{p.kernels->of, "every sum", {}};
  for (const packed_pool::window_codes& w : p.codes)
    e.add(w.forms[0].kind != simd::form_kind::scalar ? simd::name_of(w.forms[0].kind)
          : w.table.empty()                          ? "the target's own rule"
                                                     : "table",
          1);
  return e;
}

void require_packed_kernels() noexcept {}

}  // namespace bittwin::inline v1
