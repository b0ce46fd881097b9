// SPDX-License-Identifier: Apache-2.0
// Laws of whole models: writing and reading gives the model back, memory that tensors share changes no integer, and
// a dump holds what was put into it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <bittwin/graph/write_tflite.hpp>

#include <bittwin/analysis/dump.hpp>
#include <bittwin/analysis/dump_writer.hpp>
#include <bittwin/analysis/sample_input.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/targets/all.hpp>
#include <set>

#include "laws/coverage.hpp"
#include "support/operator_models.hpp"
#include "support/random_model.hpp"
#include "support/random_options.hpp"
#include "support/same_model.hpp"
#include "support/temporary_folder.hpp"
#include "support/tflite_builder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::graph;
using laws::covered;

model any_model() {
  return test::random_model(static_cast<std::uint32_t>(*rc::gen::inRange(0, 1 << 20)))
      .make(*rc::gen::inRange(1, 8));
}

std::vector<std::byte> written(const model& m) {
  auto bytes = write_tflite(m);
  if (!bytes) RC_FAIL(bytes.error().text);
  return std::move(*bytes);
}
model read(std::vector<std::byte> bytes) {
  auto m = read_tflite(test::shared_bytes(std::move(bytes)), "random.tflite");
  if (!m) RC_FAIL(m.error().text);
  return std::move(*m);
}

const target_rules& any_rules() {
  return *rc::gen::element(0, 1, 2) == 0 ? rules_of<targets::tflite_reference>()
         : *rc::gen::inRange(0, 2) == 0  ? rules_of<targets::tflite_builtin>()
                                         : rules_of<targets::xnnpack>();
}

using contents = std::vector<std::vector<std::byte>>;

std::vector<std::byte> copied(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

void set_inputs(executor& run, const model& m, std::uint64_t seed) {
  for (std::size_t i = 0; i < m.inputs.size(); ++i) {
    const tensor& t = m.tensors[static_cast<std::size_t>(m.inputs[i])];
    RC_ASSERT(run.set_input(i, analysis::sample_input(t, seed, i).data).has_value());
  }
}

/// The outputs of each operator as it makes them, then the model's outputs.
contents made_by(const model& m, const target_rules& rules, keep_tensors keep,
                 const parallel_for& parallel = {}) {
  contents made;
  auto run = executor::prepare(m, rules, keep);
  if (!run) return made;
  set_inputs(*run, m, 1);
  run->run(
      [&](std::size_t k) {
        for (const std::int32_t index : m.operations[k].outputs)
          made.push_back(copied(run->value(index).bytes));
      },
      parallel);
  for (const std::int32_t index : m.outputs) made.push_back(copied(run->value(index).bytes));
  return made;
}

RC_GTEST_PROP(model_laws, writing_and_reading_gives_the_model_back, ()) {
  const model m = any_model();
  covered law("models written and read", {"several operators", "a branch", "per channel"});
  law.saw("several operators", m.operations.size() > 3);
  for (std::size_t k = 1; k < m.operations.size(); ++k)
    law.saw("a branch", m.operations[k].inputs[0] != m.operations[k - 1].outputs[0]);
  for (const tensor& t : m.tensors) law.saw("per channel", t.quantization.scales.size() > 1);
  const std::vector<std::byte> first = written(m);
  const model again = read(first);
  RC_ASSERT(test::difference_of(m, again) == "");
  RC_ASSERT(written(again) == first);
}

RC_GTEST_PROP(model_laws, options_of_every_operator_survive, ()) {
  static const std::vector<model> all = test::operator_models();
  model m = all[*rc::gen::inRange<std::size_t>(0, all.size())];
  operation& op = m.operations.back();
  op.options =
      test::random_options(static_cast<std::uint32_t>(*rc::gen::inRange(0, 1 << 20))).of(op);
  if (auto* const split = std::get_if<split_options>(&op.options)) split->count = 2;
  if (auto* const pack = std::get_if<pack_options>(&op.options)) pack->count = 2;
  if (auto* const unpack = std::get_if<unpack_options>(&op.options)) unpack->count = 2;
  op.version = *rc::gen::inRange(1, 12);
  covered law("options survive", {"windows", "no options", "others"});
  law.saw("windows", std::holds_alternative<pool_2d_options>(op.options) ||
                         std::holds_alternative<conv_2d_options>(op.options));
  law.saw("no options", op.options.index() == 0);
  law.saw("others", op.options.index() > 4);
  RC_ASSERT(test::difference_of(m, read(written(m))) == "");
}

RC_GTEST_PROP(model_laws, a_model_that_was_written_and_read_gives_the_same_integers, ()) {
  const model m = any_model();
  const target_rules& rules = any_rules();
  covered law("models run again", {"ran", "different codes"});
  const contents before = made_by(m, rules, keep_tensors::outputs);
  law.saw("ran", !before.empty());
  law.saw("different codes",
          !before.empty() && std::set(before.back().begin(), before.back().end()).size() > 2);
  RC_ASSERT(before == made_by(read(written(m)), rules, keep_tensors::outputs));
}

RC_GTEST_PROP(model_laws, parts_of_operators_make_what_operators_make, ()) {
  const model m = any_model();
  const target_rules& rules = any_rules();
  covered law("models in parts", {"ran", "several parts"});
  const contents whole = made_by(m, rules, keep_tensors::outputs);
  law.saw("ran", !whole.empty());
  for (const std::int32_t parts : {2, 3, 7}) {
    std::int32_t most = 0;
    const auto last_first = [&](std::int32_t n, parallel_work work) {
      most = std::max(most, n);
      for (std::int32_t part = n - 1; part >= 0; --part) work(part);
    };
    RC_ASSERT(made_by(m, rules, keep_tensors::outputs, parallel_for(last_first, parts, 0)) ==
              whole);
    law.saw("several parts", most > 1);
  }
}

RC_GTEST_PROP(model_laws, memory_that_tensors_share_changes_no_integer, ()) {
  const model m = any_model();
  const target_rules& rules = any_rules();
  covered law("shared memory", {"shared", "a tensor lives beyond the next operator"});
  auto apart = executor::prepare(m, rules, keep_tensors::all);
  auto shared = executor::prepare(m, rules, keep_tensors::outputs);
  RC_ASSERT(apart.has_value() == shared.has_value());
  if (!apart) return;
  law.saw("shared", shared->arena_bytes() < apart->arena_bytes());
  for (std::size_t k = 1; k < m.operations.size(); ++k)
    law.saw("a tensor lives beyond the next operator",
            m.operations[k].inputs[0] != m.operations[k - 1].outputs[0]);
  RC_ASSERT(arena_bytes_of(m) == shared->arena_bytes());
  RC_ASSERT(made_by(m, rules, keep_tensors::all) == made_by(m, rules, keep_tensors::outputs));
}

RC_GTEST_PROP(model_laws, a_second_run_does_not_remember_the_first, ()) {
  const model m = any_model();
  auto run = executor::prepare(m, any_rules());
  if (!run) return;
  const auto result_of = [&](std::uint64_t seed) {
    set_inputs(*run, m, seed);
    run->run();
    return copied(run->value(m.outputs[0]).bytes);
  };
  const auto first = result_of(1);
  covered law("runs", {"another result between"});
  law.saw("another result between", result_of(2) != first);
  RC_ASSERT(result_of(1) == first);
}

RC_GTEST_PROP(dump_laws, a_dump_holds_what_was_put_into_it, ()) {
  const model m = any_model();
  covered law("dumps", {"several tensors", "some left out"});
  const test::temporary_folder folder;
  std::map<std::int32_t, analysis::array> put;
  {
    auto writer = analysis::dump_writer::create(folder.path() / "d", m, "some-target", "1.0");
    RC_ASSERT(writer.has_value());
    for (std::size_t i = 0; i < m.tensors.size(); ++i) {
      if (m.tensors[i].is_constant() || *rc::gen::inRange(0, 4) == 0) continue;
      const auto index = static_cast<std::int32_t>(i);
      put[index] = analysis::sample_input(m.tensors[i], 5, i);
      RC_ASSERT(writer->add(index, put[index]).has_value());
    }
    if (put.empty()) return;
    RC_ASSERT(writer->finish().has_value());
  }
  law.saw("several tensors", put.size() > 1);
  law.saw("some left out", put.size() < m.operations.size() + 1);
  const auto d = analysis::dump::open(folder.path() / "d");
  RC_ASSERT(d.has_value());
  RC_ASSERT(d->indices().size() == put.size());
  for (const auto& [index, value] : put) {
    const tensor& t = m.tensors[static_cast<std::size_t>(index)];
    const auto back = d->read(index);
    RC_ASSERT(back.has_value());
    RC_ASSERT(back->type == value.type && back->extents == value.extents &&
              back->data == value.data);
    RC_ASSERT(d->entry(index)->name == t.name);
    RC_ASSERT(d->entry(index)->quantization == t.quantization);
  }
}

}  // namespace
