// SPDX-License-Identifier: Apache-2.0
// How well each axis of each room of a target is known. Never inherited: a target that derives from
// another starts with every axis assumed.
#pragma once

#include <cstdint>
#include <string_view>

namespace bittwin::inline v1 {

enum class confidence : std::uint8_t {
  documented,      ///< a normative document says so
  published_code,  ///< the open code of the thing itself, or its own outputs recomputed without a
                   ///< difference
  inferred,        ///< from a vendor's compiler, a report or a measurement, named in the source
  assumed,         ///< taken over from the base target, unchecked
  unknown,         ///< nobody outside knows
};

[[nodiscard]] constexpr std::string_view name_of(confidence level) noexcept {
  switch (level) {
    case confidence::documented: return "documented";
    case confidence::published_code: return "published_code";
    case confidence::inferred: return "inferred";
    case confidence::assumed: return "assumed";
    case confidence::unknown: return "unknown";
  }
  return "?";
}

struct provenance_record {
  confidence level = confidence::assumed;
  std::string_view source;
};

/// What a reader wants to know of a target in a line each.
struct target_notes {
  std::string_view formula{};       ///< from an accumulator to a code
  std::string_view known_faults{};  ///< what is known to differ from what is modelled, or to be wrong
  std::string_view to_measure{};    ///< what nobody outside knows
};

/// Specialise for a target; never inherited.
template <class Target> inline constexpr target_notes notes{};

/// Specialise for a target, or for one room or axis of it.
template <class Target, class Room, class Axis> inline constexpr provenance_record provenance{};

}  // namespace bittwin::inline v1
