// SPDX-License-Identifier: Apache-2.0
// Boards that recorded all tensors, 30 % of them, the sums alone or the output alone: a planted fault is in the segment
// that is blamed first, and healthy boards are never blamed. The boards are plain loops of this test, but for the
// healthy ones of other targets.
#include <gtest/gtest.h>

#include <algorithm>
#include <bittwin/analysis/dump_comparison.hpp>
#include <bittwin/analysis/dump_writer.hpp>
#include <bittwin/analysis/repair.hpp>
#include <bittwin/graph/any_target.hpp>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "analysis/planted_board.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;
using graph::operator_code;
using by_tensor = std::map<std::int32_t, std::vector<int>>;

/// x -> conv 0 -> conv 1 -> add 2 (of 0 and 1) -> depthwise 3 -> conv 4 -> add 5 (of 2 and 4) -> conv 6
class located : public testing::Test {
 protected:
  static constexpr int size = 7, channels = 4, operators = 7;
  const shape extents_{1, size, size, channels};
  static constexpr float scales[] = {0.05F, 0.07F, 0.06F, 0.1F, 0.09F, 0.08F, 0.12F, 0.11F};
  static constexpr int zeros[] = {-3, 4, -7, 2, 11, -5, 1, 6};  // of x, then of each result

  void SetUp() override {
    std::mt19937 random(1);
    for (int i = 0; i < size * size * channels; ++i)
      x_.push_back(std::uniform_int_distribution<>(-128, 127)(random));
    // Layers whose plain loops round as the target does on this input, so that faults are all that differs.
    for (const int k : {0, 1, 3, 4, 6}) {
      std::uint32_t seed = 100 * static_cast<std::uint32_t>(k) + 1;
      for (;; ++seed) {
        layers_[k] = test::random_layer(seed, form_of(k));
        layers_[k].x = input_of(k, run("", -1, k));
        const graph::model m = test::model_of(layers_[k], activation::none);
        if (test::verdicts(m, {test::recorded(layers_[k].x, extents_, element_type::int8)},
                           test::recorded(test::run_naive(layers_[k]), extents_,
                                          element_type::int8)) == std::set<std::string>{"EXACT"})
          break;
        ASSERT_LT(seed, 100 * static_cast<std::uint32_t>(k) + 90) << "no layer without a tie";
      }
    }
    make_model();
  }

  static test::naive_layer form_of(int k) {
    test::naive_layer l;
    l.size = size, l.stride = 1, l.inputs = l.outputs = channels, l.depthwise = k == 3;
    l.input_scale = scale_of(k - 1), l.input_zero = zeros[k];
    l.output_scale = double{scales[k + 1]} * (k == 3 ? 1 : 2), l.output_zero = zeros[k + 1];
    return l;
  }
  static double scale_of(int k) {
    return k < 0              ? double{scales[0]}
           : k == 2 || k == 5 ? double{scales[k + 1]}
                              : form_of(k).output_scale;
  }
  [[nodiscard]] std::vector<int> input_of(int k,
                                          const std::map<int, std::vector<int>>& made) const {
    return k == 0 ? x_ : made.at(k - 1);
  }
  static std::vector<int> sum(const std::vector<int>& a, int ka, const std::vector<int>& b, int kb,
                              int k) {
    std::vector<int> y;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double real = (a[i] - zeros[ka + 1]) * double{static_cast<float>(scale_of(ka))} +
                          (b[i] - zeros[kb + 1]) * double{static_cast<float>(scale_of(kb))};
      y.push_back(static_cast<int>(
          std::clamp(std::round(real / double{static_cast<float>(scale_of(k))}) + zeros[k + 1],
                     -128.0, 127.0)));
    }
    return y;
  }
  /// The results of the operators before `upto`, operator `at` with a fault.
  [[nodiscard]] std::map<int, std::vector<int>> run(const std::string& fault, int at,
                                                    int upto) const {
    std::map<int, std::vector<int>> made;
    for (int k = 0; k < upto; ++k) {
      if (k == 2) {
        made[2] = sum(made[0], 0, made[1], 1, 2);
      } else if (k == 5) {
        made[5] = sum(made[2], 2, made[4], 4, 5);
      } else {
        test::naive_layer l = layers_.at(k);
        l.x = input_of(k, made);
        made[k] = test::run_naive(l, {k == at ? fault : ""});
      }
    }
    return made;
  }

  void make_model() {
    test::model_maker m;
    const auto result = [&](int k) {
      return m.codes(extents_, zeros[k + 1], element_type::int8, static_cast<float>(scale_of(k)));
    };
    tensors_.push_back(m.codes(extents_, zeros[0], element_type::int8, scales[0]));
    for (int k = 0; k < operators; ++k) {
      const std::int32_t before = tensors_.back(), y = result(k);
      if (k == 2 || k == 5) {
        m.apply(operator_code::add, {tensors_[k == 2 ? 1U : 3U], before}, {y},
                graph::binary_options{});
      } else {
        const test::naive_layer& l = layers_.at(k);
        const std::int32_t w =
            m.codes_of(l.depthwise ? shape{1, 3, 3, channels} : shape{channels, 3, 3, channels},
                       element_type::int8, l.w, l.weight_scales, 0, l.depthwise ? 3 : 0);
        std::vector<double> bias_scales;
        for (const double s : l.weight_scales) bias_scales.push_back(s * l.input_scale);
        const std::int32_t b =
            m.codes_of({channels}, element_type::int32, l.bias, bias_scales, 0, 0);
        if (l.depthwise)
          m.apply(operator_code::depthwise_conv_2d, {before, w, b}, {y},
                  graph::depthwise_conv_2d_options{padding_kind::same, 1, 1, 1, 1, 1,
                                                   activation::none});
        else
          m.apply(operator_code::conv_2d, {before, w, b}, {y},
                  graph::conv_2d_options{padding_kind::same, 1, 1, 1, 1, activation::none});
      }
      tensors_.push_back(y);
    }
    model_ = m.finish({tensors_[0]}, {tensors_.back()});
  }

  dump write(const std::string& name, const std::map<int, std::vector<int>>& made,
             const std::set<int>& kept) {
    std::filesystem::remove_all(folder_.path() / name);
    auto w = dump_writer::create(folder_.path() / name, model_, "", "");
    EXPECT_TRUE(w->add(tensors_[0], test::recorded(x_, extents_, element_type::int8).values));
    for (const int k : kept)
      EXPECT_TRUE(w->add(tensors_[static_cast<std::size_t>(k) + 1],
                         test::recorded(made.at(k), extents_, element_type::int8).values));
    EXPECT_TRUE(w->finish());
    return *dump::open(folder_.path() / name);
  }
  /// What a target makes of the model, operator by operator; empty: it refuses the model.
  std::map<int, std::vector<int>> run_target(const graph::target_rules& target) {
    std::map<int, std::vector<int>> made;
    auto run = graph::executor::prepare(model_, target, graph::keep_tensors::all);
    if (!run) return made;
    EXPECT_TRUE(run->set_input(0, test::recorded(x_, extents_, element_type::int8).values.data));
    run->run();
    for (int k = 0; k < operators; ++k)
      for (const std::byte b : run->value(tensors_[static_cast<std::size_t>(k) + 1]).bytes)
        made[k].push_back(static_cast<std::int8_t>(b));
    return made;
  }
  comparison compare(const std::map<int, std::vector<int>>& test, const std::set<int>& kept) {
    const dump r = write("ref", run_target(graph::rules_of<targets::tflite_reference>()),
                         {0, 1, 2, 3, 4, 5, 6}),
               t = write("test", test, kept);
    comparison_settings settings{&model_, &graph::rules_of<targets::tflite_reference>()};
    settings.rules = graph::all_shipped_rules();
    const auto c = compare_dumps(r, t, settings);
    EXPECT_TRUE(c.has_value()) << c.error().text;
    return *c;
  }

  std::vector<int> x_;
  std::map<int, test::naive_layer> layers_;
  graph::model model_;
  std::vector<std::int32_t> tensors_;
  test::temporary_folder folder_;
};

const std::map<std::string, std::set<int>> forms{{"all tensors", {0, 1, 2, 3, 4, 5, 6}},
                                                 {"30 %", {1, 4}},
                                                 {"sums alone", {2, 5, 6}},
                                                 {"the output alone", {6}}};

TEST_F(located, planted_faults_are_in_the_segment_that_is_blamed_first) {
  const char* const faults[] = {"PAD_WITH_ZERO", "PER_CHANNEL_AS_PER_TENSOR", "INPUT_ZERO_POINT",
                                "BIAS_DROPPED",  "POWER_OF_TWO_SCALE",        "ACCUMULATOR_16",
                                "SCALE_AXIS",    "OUTPUT_ZERO_POINT one less"};
  for (const auto& [form, kept] : forms) {
    int planted = 0, found = 0, named = 0;
    for (const std::string fault : faults)
      for (const int at : {0, 1, 3, 4, 6}) {
        if (form == "30 %" && at == 6) continue;  // behind the last tensor that was recorded
        if (form != "all tensors" && at % 3 == 1) continue;  // long segments take their time
        SCOPED_TRACE(form + ", " + fault + " in operator " + std::to_string(at));
        const auto made = run(fault, at, operators);
        if (made == run("", -1, operators)) continue;
        ++planted;
        const comparison c = compare(made, kept);
        const segment* const first = c.first();
        if (first == nullptr) continue;
        const bool holds = std::find(first->ops.begin(), first->ops.end(), at) != first->ops.end();
        EXPECT_TRUE(holds) << "blamed: " << first->label << " " << first->ops.back();
        found += holds;
        const bool has_name = std::any_of(
            first->signature.begin(), first->signature.end(),
            [&](const finding& f) { return f.code == fault.substr(0, fault.find(' ')); });
        named += has_name;
        EXPECT_TRUE(has_name || form != "all tensors") << name_of(first->verdict);
      }
    std::cout << form << ": " << found << " of " << planted << " planted faults located, " << named
              << " named\n";
    EXPECT_GE(planted, 16);
    EXPECT_EQ(found, planted) << form;
  }
}

TEST_F(located, a_repair_takes_the_first_fault_away_and_tells_what_is_left) {
  const auto repaired = [&](const std::map<int, std::vector<int>>& made) {
    const std::set<int> kept{0, 1, 2, 3, 4, 5, 6};
    const comparison c = compare(made, kept);
    const comparison_settings settings{&model_, &graph::rules_of<targets::tflite_reference>()};
    return repair_first(*dump::open(folder_.path() / "ref"), *dump::open(folder_.path() / "test"),
                        c, settings);
  };
  const auto right = run_target(graph::rules_of<targets::tflite_reference>());
  const auto wrong = run("PAD_WITH_ZERO", 1, operators);
  std::int64_t differing = 0;
  for (int k = 1; k < operators; ++k)
    for (std::size_t i = 0; i < right.at(k).size(); ++i)
      differing += right.at(k)[i] != wrong.at(k)[i] ? 1 : 0;
  ASSERT_GT(differing, 100);
  const auto one = repaired(wrong);
  ASSERT_TRUE(one.has_value()) << one.error().text;
  EXPECT_EQ(one->fault.code, "PAD_WITH_ZERO");
  EXPECT_EQ(one->at, tensors_[2]);
  EXPECT_EQ(one->removed(), differing);
  EXPECT_TRUE(one->regains_outputs());
  EXPECT_TRUE(one->remainder.empty());

  auto twice = wrong;  // and a bias that operator 6 drops
  test::naive_layer last = layers_.at(6);
  last.x = twice.at(5);
  twice[6] = test::run_naive(last, {"BIAS_DROPPED"});
  const auto two = repaired(twice);
  ASSERT_TRUE(two.has_value()) << two.error().text;
  EXPECT_EQ(two->remainder, std::vector<std::int32_t>{tensors_[7]});

  const auto healthy = repaired(right);
  ASSERT_FALSE(healthy.has_value());
  EXPECT_NE(healthy.error().text.find("no operator is at fault"), std::string::npos);
  const auto other = repaired(run("BIAS_DROPPED", 1, operators));
  ASSERT_FALSE(other.has_value());
  EXPECT_NE(other.error().text.find("BIAS_DROPPED"), std::string::npos);
}

TEST_F(located, healthy_boards_in_varied_forms_are_never_blamed) {
  int boards = 0;
  for (const graph::target_rules* target : graph::all_shipped_rules()) {
    const auto& all = graph::shipped_descriptions();
    const bool faulty = std::any_of(all.begin(), all.end(), [&](const target_description& d) {
      return d.name == target->name && !d.known_faults.empty();
    });
    if (target->is_real || faulty) continue;
    const auto made = run_target(*target);
    if (made.empty()) continue;
    for (const auto& [form, kept] : forms) {
      ++boards;
      const comparison c = compare(made, kept);
      EXPECT_EQ(c.first(), nullptr) << target->name << ", " << form << ": " << c.first()->label
                                    << " " << name_of(c.first()->verdict);
    }
  }
  std::cout << boards << " healthy boards\n";
  EXPECT_GE(boards, 20);
}

}  // namespace
