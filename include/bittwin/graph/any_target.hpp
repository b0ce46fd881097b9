// SPDX-License-Identifier: Apache-2.0
// A target as a value, put together at run time from a description (targets/description.hpp): what a JSON file says,
// or what describe<T>() says of a type. The integers are those of the type with the same description.
//   const auto npu = any_target::from(described);      result<any_target>: every value found, or one sentence
//   executor::prepare(model, npu->rules());
#pragma once

#include <bittwin/graph/target_rules.hpp>
#include <bittwin/targets/description.hpp>
#include <bittwin/types/result.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::graph::inline v1 {

struct any_rule;

/// Sets what one value of an axis decides.
using fill_function = void (*)(any_rule&);
using condition_function = bool (*)(const layer_facts&) noexcept;

/// Alternatives of one axis, tried in order; the last one has no condition.
struct any_axis {
  struct alternative {
    condition_function holds = nullptr;  ///< null: always
    fill_function fill = nullptr;
  };
  std::string name;
  std::vector<alternative> alternatives;
};

/// A condition that layers of a room must meet, by its name.
struct layer_condition {
  std::string_view name;
  condition_function holds = nullptr;
};

struct any_room {
  std::string name;
  std::vector<any_axis> axes;
  std::vector<layer_condition> layers;
};

inline namespace in_graph_implementation_hpp {

/// Descriptions of targets::all and of targets::templates, in their order.
[[nodiscard]] const std::vector<target_description>& shipped_descriptions();
[[nodiscard]] const std::vector<target_description>& template_descriptions();

/// Lives at one place: rules() points into it. Copies share it.
class any_target {
 public:
  /// errors  a room, an axis or a value that this version does not know: what and where, and what there is
  [[nodiscard]] static result<any_target> from(const target_description& described);

  [[nodiscard]] const target_description& description() const noexcept { return state_->described; }
  [[nodiscard]] const target_rules& rules() const noexcept { return state_->rules; }

 private:
  struct state {
    target_description described;
    std::vector<std::unique_ptr<any_room>> rooms;
    std::vector<open_room> open;
    target_rules rules;
  };
  explicit any_target(std::shared_ptr<const state> made) noexcept : state_(std::move(made)) {}

  std::shared_ptr<const state> state_;
};

/// The values that an axis has in this version, as descriptions write them; empty: no such axis.
[[nodiscard]] std::vector<std::string> values_of_axis(std::string_view axis);

}  // namespace in_graph_implementation_hpp

/// What stands in for the unknown, for a template: each unknown axis, and each room that is missing, becomes `base`'s.
/// assumed  one line each: "conv2d.rescale as tflite-reference: q31-two-step<...>"
struct assumption {
  target_description described;
  std::vector<std::string> assumed;
};
[[nodiscard]] inline assumption assume(const target_description& target,
                                       const target_description& base) {
  assumption made{target, {}};
  for (room_description& room : made.described.rooms) {
    const room_description* from = find_room(base, room.room);
    if (from == nullptr) continue;
    for (axis_description& axis : room.axes) {
      if (axis.value != "unknown") continue;
      for (const axis_description& known : from->axes)
        if (known.axis == axis.axis)
          axis = {axis.axis, known.value, confidence::assumed, "as " + base.name};
      made.assumed.push_back(room.room + "." + axis.axis + " as " + base.name + ": " + axis.value);
    }
  }
  for (const room_description& room : base.rooms) {
    if (find_room(target, room.room) != nullptr) continue;
    made.described.rooms.push_back(room);
    for (axis_description& axis : made.described.rooms.back().axes) {
      axis.level = confidence::assumed;
      axis.source = "as " + base.name;
    }
    made.assumed.push_back(room.room + " as " + base.name);
  }
  return made;
}

}  // namespace bittwin::graph::inline v1
