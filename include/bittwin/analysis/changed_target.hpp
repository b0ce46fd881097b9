// SPDX-License-Identifier: Apache-2.0
// A target as it would be with one thing done otherwise: each rule is the target's own, then changed.
//   const changed_target faulty(rules_of<tflite_reference>(), {.requantize = &clamp_before_zero_point});
//   executor::prepare(model, faulty.rules());
#pragma once

#include <bittwin/graph/any_target.hpp>
#include <bittwin/graph/target_rules.hpp>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace bittwin::analysis::inline v1 {

/// Whose loops a dot product runs.
enum class layer_kind : std::uint8_t { conv2d, depthwise_conv2d, fully_connected };

/// What is done otherwise, rule by rule; null: nothing. `requantize` finds a rule without `apply`: it may change the
/// steps, or give an `apply` of its own.
struct rule_change {
  void (*layer)(dot_product_rule&, layer_kind) = nullptr;
  void (*requantize)(requantize_rule&) = nullptr;
  void (*sum)(addition_rule&) = nullptr;
  void (*pool)(pool_rule&) = nullptr;
};

namespace detail {

struct changed_room : graph::any_room {
  const graph::target_rules* base = nullptr;
  rule_change change;
};

inline void change_rule(const rule_change& c, requantize_rule& r) {
  if (c.requantize == nullptr || r.steps.rescale == nullptr) return;
  r.apply = nullptr;
  c.requantize(r);
}
inline void change_rule(const rule_change& c, requantize_room& r) {
  change_rule(c, r.rule);
  r.monotone = nullptr;
  r.packs = false;
}
inline void change_rule(const rule_change& c, activation_rule& r) {
  change_rule(c, r.requantize);
  r.packs = false;
}
inline void change_rule(const rule_change& c, addition_rule& r) {
  if (c.sum == nullptr || r.prepare == nullptr) return;
  c.sum(r);
  r.slopes = nullptr;
  r.packs = false;
}
inline void change_rule(const rule_change& c, pool_rule& r) {
  if (c.pool == nullptr || r.divide == nullptr) return;
  c.pool(r);
  r.packs = false;
}

template <auto Entry> auto changed_rule(const graph::any_room& room, const layer_facts& layer) {
  using rules = graph::target_rules;
  const auto& own = static_cast<const changed_room&>(room);
  auto rule = (own.base->*Entry)(layer);
  if constexpr (std::is_same_v<decltype(rule), dot_product_rule>) {
    if constexpr (Entry != &rules::transpose_conv) {
      if (own.change.layer != nullptr) {
        own.change.layer(rule, Entry == &rules::conv2d             ? layer_kind::conv2d
                               : Entry == &rules::depthwise_conv2d ? layer_kind::depthwise_conv2d
                                                                   : layer_kind::fully_connected);
        rule.summation = {};  // no packed kernel sums like this
        rule.known_bits = 0;
      }
    }
    if (own.change.requantize != nullptr) {
      change_rule(own.change, rule.requantize);
      rule.monotone = nullptr;
    }
  } else {
    change_rule(own.change, rule);
  }
  return rule;
}

}  // namespace detail

class changed_target {
 public:
  /// The base must outlive it.
  changed_target(const graph::target_rules& base, const rule_change& change)
      : room_(std::make_unique<detail::changed_room>()), rules_(base) {
    room_->base = &base;
    room_->change = change;
    using t = graph::target_rules;
    const auto put = [&]<auto Entry>() {
      if (!(base.*Entry == nullptr)) rules_.*Entry = {&detail::changed_rule<Entry>, room_.get()};
    };
    put.template operator()<&t::conv2d>();
    put.template operator()<&t::depthwise_conv2d>();
    put.template operator()<&t::fully_connected>();
    put.template operator()<&t::transpose_conv>();
    put.template operator()<&t::mul>();
    put.template operator()<&t::requantize>();
    put.template operator()<&t::relu>();
    put.template operator()<&t::relu6>();
    put.template operator()<&t::relu_n1_to_1>();
    put.template operator()<&t::add>();
    put.template operator()<&t::sub>();
    put.template operator()<&t::average_pool2d>();
    if (base.otherwise == nullptr) return;
    behind_ = std::make_unique<changed_target>(*base.otherwise, change);
    rules_.otherwise = &behind_->rules();
  }

  /// Valid while this object lives.
  [[nodiscard]] const graph::target_rules& rules() const noexcept { return rules_; }

 private:
  std::unique_ptr<detail::changed_room> room_;
  graph::target_rules rules_;
  std::unique_ptr<changed_target> behind_;
};

}  // namespace bittwin::analysis::inline v1
