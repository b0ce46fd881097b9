// SPDX-License-Identifier: Apache-2.0
// What is wrong with a comparison before any operator is blamed: other inputs and how they were changed, outputs or
// samples in another order, a buffer that was never written, runs that differ among themselves.
#pragma once

#include <algorithm>
#include <bittwin/analysis/array.hpp>
#include <bittwin/analysis/output_faults.hpp>
#include <bittwin/analysis/recording.hpp>
#include <bittwin/analysis/rounding_span.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// Samples of codes without a shared shape: the elements of each.
struct sample_codes {
  std::vector<std::int64_t> all;
  std::size_t samples = 1;

  [[nodiscard]] std::size_t length() const { return all.size() / samples; }
  [[nodiscard]] bool same(std::size_t i, const sample_codes& other, std::size_t j) const {
    return std::equal(all.begin() + static_cast<std::ptrdiff_t>(i * length()),
                      all.begin() + static_cast<std::ptrdiff_t>((i + 1) * length()),
                      other.all.begin() + static_cast<std::ptrdiff_t>(j * length()),
                      other.all.begin() + static_cast<std::ptrdiff_t>((j + 1) * length()));
  }
};

[[nodiscard]] inline sample_codes sample_codes_of(const recording& r) {
  return {codes_of(r), std::max<std::size_t>(r.samples, 1)};
}

/// Doubles every pixel step of the normalisation: codes of (x - mean) * factor once more. Found as one line
/// b = slope * a + offset through all elements, within rounding.
[[nodiscard]] inline std::optional<std::string> find_line(const std::vector<std::int64_t>& a,
                                                          const std::vector<std::int64_t>& b,
                                                          code_range range) {
  double n = 0, sa = 0, sb = 0, saa = 0, sab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (b[i] == range.low || b[i] == range.high) continue;  // saturated
    const auto x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    n += 1, sa += x, sb += y, saa += x * x, sab += x * y;
  }
  const double spread = n * saa - sa * sa;
  if (n < 8 || spread <= 0) return std::nullopt;
  const double slope = (n * sab - sa * sb) / spread, offset = (sb - slope * sa) / n;
  if (std::fabs(slope) < 1e-3) return std::nullopt;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double line = std::clamp(slope * static_cast<double>(a[i]) + offset,
                                   static_cast<double>(range.low), static_cast<double>(range.high));
    if (std::fabs(static_cast<double>(b[i]) - line) > 1.01) return std::nullopt;
  }
  return "TEST is about " + std::to_string(slope) + " * REF + " + std::to_string(offset) +
         ", as where an input is normalised twice or not at all";
}

}  // namespace detail

/// How TEST's input follows from REF's, where that shows: " (...)"; else empty.
[[nodiscard]] inline std::string how_input_differs(const recording& reference,
                                                   const recording& test) {
  if (reference.values.type != test.values.type || !is_integer(test.values.type)) return {};
  const std::vector<std::int64_t> a = codes_of(reference), b = codes_of(test);
  const output_pair pair{a, b, reference.values.extents, reference.values.type};
  const auto text = [](std::string_view what) { return " (" + std::string(what) + ")"; };
  if (detail::maps_to(pair, [](std::int64_t c) { return c + 128; }) ||
      detail::maps_to(pair, [](std::int64_t c) { return c - 128; }))
    return text("TEST's codes are 128 apart: int8 against uint8");
  if (const auto fault = find_output_fault(pair))
    if (fault->code == "U8_AS_I8" || fault->code == "LAYOUT" || fault->code == "CHANNEL_ORDER")
      return text(fault->text);
  if (const auto line = detail::find_line(a, b, range_of(test.values.type))) return text(*line);
  return {};
}

/// Sample i of TEST is sample i - 1 or i + 1 of REF, of three or more that differ.
[[nodiscard]] inline std::optional<finding> find_sample_lag(const recording& reference,
                                                            const recording& test,
                                                            const std::string& label) {
  const auto a = detail::sample_codes_of(reference), b = detail::sample_codes_of(test);
  if (a.samples != b.samples || a.samples < 3 || a.all.size() != b.all.size()) return std::nullopt;
  for (const int lag : {1, -1}) {
    bool all = true;
    for (std::size_t i = 0; i < a.samples && all; ++i) {
      const auto from = static_cast<std::ptrdiff_t>(i) - lag;
      if (from < 0 || from >= static_cast<std::ptrdiff_t>(a.samples)) continue;
      const auto other = static_cast<std::size_t>(from);
      all = b.same(i, a, other) && !a.same(i, a, other);
    }
    if (all)
      return finding{"SAMPLE_LAG", label + " of each sample is that of the sample " +
                                       (lag > 0 ? "before" : "after") +
                                       " it: pair the samples again"};
  }
  return std::nullopt;
}

/// One value throughout, where REF has others.
[[nodiscard]] inline std::optional<finding> find_constant_buffer(const recording& reference,
                                                                 const recording& test,
                                                                 const std::string& label) {
  const std::vector<std::int64_t> a = codes_of(reference), b = codes_of(test);
  if (b.size() < 8 || !detail::is_constant(b) || detail::is_constant(a)) return std::nullopt;
  return finding{
      "CONSTANT_BUFFER",
      label + " is " + std::to_string(b[0]) +
          " in every element of TEST: the buffer was not written, or not the one that was read"};
}

/// Every sample of TEST is the same, where REF's inputs and results change from sample to sample.
[[nodiscard]] inline std::optional<finding> find_stale_buffer(const recording& reference,
                                                              const recording& test,
                                                              const std::string& label) {
  const auto a = detail::sample_codes_of(reference), b = detail::sample_codes_of(test);
  if (a.samples < 2 || a.samples != b.samples || b.all.size() < 8) return std::nullopt;
  bool changes = false;
  for (std::size_t i = 1; i < a.samples; ++i) {
    if (!b.same(i, b, 0)) return std::nullopt;
    changes = changes || !a.same(i, a, 0);
  }
  if (!changes || detail::is_constant(b.all)) return std::nullopt;
  return finding{"STALE_BUFFER", label +
                                     " is the same in every sample of TEST, and changes in REF: "
                                     "an older result was read"};
}

}  // namespace bittwin::analysis::inline v1
