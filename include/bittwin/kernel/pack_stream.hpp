// SPDX-License-Identifier: Apache-2.0
// Packs what maps a stream of elements to codes: any function of a byte is its table; a requantization of int32 is a
// form with the rule's thresholds. Beyond the first and the last threshold codes do not change, so x saturates there
// and what the form must get right is a small interval.
#pragma once

#include <algorithm>
#include <bittwin/kernel/packing.hpp>
#include <bittwin/proof/one_form.hpp>
#include <bittwin/proof/thresholds.hpp>
#include <bittwin/simd/float_environment.hpp>
#include <bittwin/simd/kernels.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bittwin::inline v1 {

struct packed_stream {
  const simd::kernel_set* kernels = nullptr;
  std::vector<std::uint8_t> table;  ///< 256 bytes; empty: x is int32
  simd::channel_form form;
  simd::scale_stream scale;

  [[nodiscard]] bool packed() const noexcept { return kernels != nullptr; }
};

namespace detail {

[[nodiscard]] inline packed_stream packed_table_of(std::span<const std::uint8_t> codes) {
  packed_stream p;
  if (codes.size() != 256) return p;
  p.kernels = simd::kernels_of(simd::which_arch());
  if (p.kernels != nullptr) p.table.assign(codes.begin(), codes.end());
  return p;
}

[[nodiscard]] inline packed_stream packed_scale_of(const scale_request& q) {
  packed_stream p;
  const simd::kernel_set* const kernels = simd::kernels_of(simd::which_arch());
  if (kernels == nullptr || q.rule.multipliers.size() != 1 || q.monotone == nullptr) return p;
  const multiplier& m = q.rule.multipliers[0];
  const code_range x = range_of(element_type::int32);
  const code_range all{x.low - q.zero_in, x.high - q.zero_in};
  if (!q.monotone(all, m) || !(m.real > 0)) return p;
  const proof::thresholds rule = proof::thresholds_of(q.rule, 0, m.real, all);
  code_range reachable{0, 0};
  if (rule.count > 0)
    reachable = {std::max(all.low, rule.list[0].at - 1),
                 std::min(all.high, rule.list[rule.count - 1].at)};
  const std::int32_t shift = q.rule.type.low < 0 ? 0 : 128;
  simd::code_tile tile;
  tile.low = static_cast<std::int8_t>(std::max(q.rule.clamp.low, q.rule.type.low) - shift);
  tile.high = static_cast<std::int8_t>(std::min(q.rule.clamp.high, q.rule.type.high) - shift);
  tile.flip = static_cast<std::uint8_t>(shift);
  const proof::channel_claim claim{&rule, reachable, q.rule.zero_point, shift, m.real};
  if (!proof::prove_one(claim, tile, kernels->requantize, p.form)) return p;
  p.kernels = kernels;
  p.scale.low = static_cast<std::int32_t>(reachable.low + q.zero_in);
  p.scale.high = static_cast<std::int32_t>(reachable.high + q.zero_in);
  p.scale.centre = wrap_cast<std::int32_t>(q.zero_in + p.form.centre[0]);
  p.scale.lowest = tile.low, p.scale.highest = tile.high, p.scale.flip = tile.flip;
  return p;
}

inline void run_stream(const packed_stream& p, const void* x, std::uint8_t* codes,
                       std::int64_t count) noexcept {
  if (!p.table.empty())
    return p.kernels->lookup({p.table.data(), static_cast<const std::uint8_t*>(x), codes, count});
  const simd::float_environment environment;
  simd::scale_stream s = p.scale;
  s.x = static_cast<const std::int32_t*>(x);
  s.codes = codes;
  s.count = count;
  s.form = &p.form;
  p.kernels->scale(s);
}

}  // namespace detail

}  // namespace bittwin::inline v1
