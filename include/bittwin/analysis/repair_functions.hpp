// SPDX-License-Identifier: Apache-2.0
// How a repair is replayed: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/dump_pair.hpp>
#include <bittwin/analysis/recording.hpp>
#include <bittwin/analysis/repair.hpp>
#include <bittwin/graph/executor.hpp>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace bittwin::analysis::inline v1 {

namespace detail {

[[nodiscard]] inline error no_repair(const std::string& why) {
  return {error_code::unsupported, "no repair: " + why};
}

/// The first segment, where one fault is certain.
[[nodiscard]] inline result<const segment*> repairable(const comparison& found) {
  const segment* const s = found.first();
  if (s == nullptr) return no_repair("no operator is at fault, so there is nothing to take away");
  const std::string where = "the first fault, at tensor " + std::to_string(s->tensor) + ", ";
  if (s->verdict != verdict::named || s->signature.empty())
    return no_repair(where + "has no name; what is not known cannot be put right");
  for (const finding& f : s->signature) {
    if (f.code != s->signature[0].code)
      return no_repair(where + "may be " + s->signature[0].code + " or " + f.code +
                       "; record more samples or tensors, to tell them apart");
    if (!is_repairable(f.code))
      return no_repair(where + "is " + f.code +
                       "; only clamps, padding and layout are put right by a replay");
  }
  return s;
}

class repair_replay {
 public:
  repair_replay(const dump& reference, const dump& test, const comparison_settings& settings)
      : dumps_(reference, test, settings.model), model_(*settings.model), settings_(settings) {}

  [[nodiscard]] result<repair> run(const segment& at, const comparison& found) {
    result<graph::executor> run = graph::executor::prepare(
        model_, *settings_.target, graph::keep_tensors::all, settings_.arena_limit);
    if (!run) return run.error();
    for (std::size_t sample = 0; sample < dumps_.samples(); ++sample)
      if (status done = replay(*run, at.tensor, sample); !done) return done.error();
    repair to{at.signature[0], at.tensor, {}, {}, {}};
    for (const segment& s : found.segments) {
      if (!made_.contains(s.tensor)) continue;
      if (s.tensor != at.tensor && is_unexplained(s.verdict)) to.remainder.push_back(s.tensor);
      if (status done = count(s.tensor, to); !done) return done.error();
    }
    return to;
  }

 private:
  [[nodiscard]] status load(graph::executor& run, const dump& from, std::int32_t index,
                            std::size_t sample) const {
    const result<array> a = from.read(index, sample);
    if (!a) return a.error();
    const graph::tensor& t = model_.tensors[static_cast<std::size_t>(index)];
    if (a->type != t.type || a->extents != t.extents)
      return no_repair("tensor " + std::to_string(index) + " of " + from.folder().string() +
                       " is not of the model's type and shape; give the model of the dumps");
    run.set_value(index, a->data);
    return ok();
  }

  /// Tensors behind `at` keep what is computed, others what TEST recorded.
  [[nodiscard]] status replay(graph::executor& run, std::int32_t at, std::size_t sample) {
    run.reset_variables();
    std::set<std::int32_t> behind;
    for (const std::int32_t index : model_.inputs) {
      const dump& from = dumps_.test().has(index, sample) ? dumps_.test() : dumps_.reference();
      if (status done = load(run, from, index, sample); !done) return done;
    }
    for (std::size_t k = 0; k < model_.operations.size(); ++k) {
      const graph::operation& op = model_.operations[k];
      run.run_one(k);
      const bool reads = std::any_of(op.inputs.begin(), op.inputs.end(),
                                     [&](std::int32_t i) { return behind.contains(i); });
      for (const std::int32_t index : op.outputs) {
        if (reads || index == at) {
          behind.insert(index);
          const graph::tensor_value made = run.value(index);
          made_[index].append({made.type, made.extents, made.bytes});
        } else if (dumps_.test().has(index, sample)) {
          if (status done = load(run, dumps_.test(), index, sample); !done) return done;
        }
      }
    }
    return ok();
  }

  /// A tensor against REF's, where REF recorded it.
  [[nodiscard]] status count(std::int32_t index, repair& to) const {
    const recording& made = made_.at(index);
    repaired_tensor t{index, 0, std::nullopt, 0};
    recording right, seen;
    for (std::size_t sample = 0; sample < dumps_.samples(); ++sample) {
      if (!dumps_.reference().has(index, sample)) return ok();
      const result<array> a = dumps_.reference().read(index, sample);
      if (!a) return a.error();
      right.append(*a);
      if (!dumps_.test().has(index, sample)) continue;
      const result<array> b = dumps_.test().read(index, sample);
      if (!b) return b.error();
      seen.append(*b);
    }
    const auto fits = [&](const recording& r) {
      return r.values.type == right.values.type && r.values.extents == right.values.extents &&
             r.samples == right.samples;
    };
    if (!fits(made)) return ok();
    const difference after = compare(right.all(), made.all());
    t.elements = after.elements;
    t.after = after.mismatches;
    if (fits(seen)) t.before = compare(right.all(), seen.all()).mismatches;
    to.tensors.push_back(t);
    if (std::find(model_.outputs.begin(), model_.outputs.end(), index) != model_.outputs.end())
      to.outputs.push_back(t);
    return ok();
  }

  dump_pair dumps_;
  const graph::model& model_;
  const comparison_settings& settings_;
  std::map<std::int32_t, recording> made_;  ///< the corrected tensor, and all behind it
};

}  // namespace detail

result<repair> repair_first(const dump& reference, const dump& test, const comparison& found,
                            const comparison_settings& settings) {
  if (settings.model == nullptr || settings.target == nullptr)
    return detail::no_repair("a replay needs the model; give it, too");
  const result<const segment*> at = detail::repairable(found);
  if (!at) return at.error();
  for (const graph::tensor& t : settings.model->tensors) {
    const auto index = static_cast<std::int32_t>(&t - settings.model->tensors.data());
    const manifest_tensor* const said = test.entry(index);
    if (said != nullptr && said->quantization.present() && t.quantization.present() &&
        !(said->quantization == t.quantization))
      return detail::no_repair("tensor " + std::to_string(index) +
                               " has a scale or zero point of the board's own, which a replay on "
                               "the model's cannot continue from");
  }
  return detail::repair_replay(reference, test, settings).run(**at, found);
}

}  // namespace bittwin::analysis::inline v1
