// SPDX-License-Identifier: Apache-2.0
// Targets by name.
#include "targets.hpp"

#include <bittwin/graph/printable_name.hpp>
#include <bittwin/targets/all.hpp>
#include <string>

#include "verb.hpp"

namespace bittwin::cli {
namespace {

template <class... Targets>
std::vector<const graph::target_rules*> rules_of_all(targets::list<Targets...>) {
  return {&graph::rules_of<Targets>()...};
}

}  // namespace

const std::vector<const graph::target_rules*>& shipped_targets() {
  static const auto all = rules_of_all(targets::all{});
  return all;
}

const graph::target_rules& target_named(std::string_view name) {
  std::string known;
  for (const graph::target_rules* rules : shipped_targets()) {
    if (rules->name == name) return *rules;
    known += (known.empty() ? "" : ", ") + std::string(rules->name);
  }
  throw refusal("there is no target " + graph::printable_name(name) + "; there are " + known);
}

}  // namespace bittwin::cli
