// SPDX-License-Identifier: Apache-2.0
// The tables of all shipped targets; part of implementation.hpp.
#pragma once

#include <bittwin/graph/target_rules.hpp>
#include <bittwin/targets/all.hpp>
#include <bittwin/types/expects.hpp>
#include <string_view>
#include <vector>

namespace bittwin::graph::inline v1 {

namespace detail {

template <class... Targets>
[[nodiscard]] const target_rules* find_rules(std::string_view name,
                                             targets::list<Targets...>) noexcept {
  const target_rules* found = nullptr;
  ((Targets::name == name ? void(found = &make_shared_rules<Targets>()) : void()), ...);
  return found;
}

template <class... Targets>
[[nodiscard]] std::vector<const target_rules*> rules_of_each(targets::list<Targets...>) {
  return {&make_shared_rules<Targets>()...};
}

}  // namespace detail

inline namespace in_graph_implementation_hpp {

const target_rules* find_shipped_rules(std::string_view name) noexcept {
  return detail::find_rules(name, targets::all{});
}

const target_rules& shipped_rules(std::string_view name) noexcept {
  const target_rules* found = find_shipped_rules(name);
  BITTWIN_EXPECTS(found != nullptr);
  return *found;
}

const std::vector<const target_rules*>& all_shipped_rules() {
  static const auto all = detail::rules_of_each(targets::all{});
  return all;
}

}  // namespace in_graph_implementation_hpp

}  // namespace bittwin::graph::inline v1
