// SPDX-License-Identifier: Apache-2.0
// One tensor as several samples recorded it, and the measures between two such recordings.
#pragma once

#include <bittwin/analysis/array.hpp>
#include <bittwin/analysis/difference.hpp>
#include <bittwin/graph/reals.hpp>
#include <bittwin/types/quantization.hpp>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// Samples lie one behind the other.
struct recording {
  array values;  ///< extents of one sample; data of all
  std::size_t samples = 0;

  void append(const array_view& sample) {
    values.type = sample.type;
    values.extents = sample.extents;
    values.data.insert(values.data.end(), sample.data.begin(), sample.data.end());
    ++samples;
  }

  /// With samples as the outermost extent; merged into the first one where the rank is full.
  [[nodiscard]] array_view all() const {
    shape extents;
    if (samples == 1) return values;
    if (values.extents.rank() < shape::max_rank)
      extents.push_back(static_cast<std::int32_t>(samples));
    for (const std::int32_t extent : values.extents.extents()) extents.push_back(extent);
    if (values.extents.rank() == shape::max_rank) extents[0] *= static_cast<std::int32_t>(samples);
    return {values.type, extents, values.data};
  }
  /// The map of all(): the channel axis moves with the extents.
  [[nodiscard]] quantization map_of_all(quantization map) const {
    if (samples > 1 && values.extents.rank() < shape::max_rank) ++map.axis;
    return map;
  }
};

namespace detail {

/// The same recording in reals.
[[nodiscard]] inline array reals_of(const recording& from, const quantization& map) {
  const array_view all = from.all();
  graph::tensor t;
  t.type = all.type;
  t.extents = all.extents;
  // Floats are reals already, whatever parameters a manifest gives them.
  if (is_integer(all.type)) t.quantization = from.map_of_all(map);
  const std::vector<double> reals = graph::reals_of(t, all.data);
  array to{element_type::float64, all.extents,
           std::vector<std::byte>(reals.size() * sizeof(double))};
  if (!reals.empty()) std::memcpy(to.data.data(), reals.data(), to.data.size());
  return to;
}

}  // namespace detail

/// Codes are compared where both sides have the same ones; else reals, in which nothing is equal by
/// chance.
struct measured {
  difference metrics;
  bool on_reals = false;
};

/// Whether an element of one side and the same element of the other stand for the same real.
[[nodiscard]] inline bool share_codes(const recording& reference, const quantization& reference_map,
                                      const recording& test, const quantization& test_map) {
  return reference.values.type == test.values.type &&
         (!reference_map.present() || !test_map.present() || reference_map == test_map);
}

/// Precondition: equal extents and numbers of samples.
[[nodiscard]] inline measured measure(const recording& reference, const quantization& reference_map,
                                      const recording& test, const quantization& test_map) {
  const quantization& map = reference_map.present() ? reference_map : test_map;
  if (share_codes(reference, reference_map, test, test_map))
    return {compare(reference.all(), test.all(), reference.map_of_all(map)), false};
  const array a = detail::reals_of(reference, reference_map);
  const array b = detail::reals_of(test, test_map);
  return {compare(a, b, map.per_channel() ? quantization{} : map), true};
}

}  // namespace bittwin::analysis::inline v1
