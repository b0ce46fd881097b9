// SPDX-License-Identifier: Apache-2.0
// Bundles: a piece is held against the board's own operands, the folder says what the board's dumps said, and is there
// whole or not at all.
#include <gtest/gtest.h>

#include <bittwin/analysis/bundle.hpp>
#include <bittwin/analysis/dump_comparison.hpp>
#include <bittwin/graph/sha256.hpp>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/two_operators.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;
namespace fs = std::filesystem;

class bundle_of_two_operators : public testing::Test {
 protected:
  graph::model model_ = test::two_operators();
  bundle_settings settings_{.target = &graph::rules_of<targets::tflite_reference>(),
                            .target_name = "tflite-reference"};
  test::temporary_folder folder_;

  /// A board whose convolution is off in one element, and whose RELU is off in another.
  dump::tensors faulty(std::uint64_t seed) {
    dump::tensors all = test::run_of_two(model_, seed);
    test::set_code(all[3], 5, test::code_at(all[3], 5) / 2 + 31);
    all[4] = test::relu_of(all[3]);
    test::set_code(all[4], 2, test::code_at(all[4], 2) - 3);
    return all;
  }
  dump board(std::vector<dump::tensors> samples) {
    return test::dump_of(model_, std::move(samples), "board");
  }
  static bool says(const std::vector<std::string>& texts, const char* part) {
    for (const std::string& text : texts)
      if (text.find(part) != text.npos) return true;
    return false;
  }
};

TEST_F(bundle_of_two_operators, a_piece_is_expected_to_make_what_is_right_for_the_boards_operands) {
  const dump::tensors got = faulty(1);
  settings_.op = 1;
  const auto b = make_bundle(model_, board({got}), settings_);
  ASSERT_TRUE(b.has_value()) << b.error().text;
  EXPECT_EQ(b->ops, (std::vector<std::int32_t>{1}));
  ASSERT_EQ(b->m.operations.size(), 1u);
  EXPECT_EQ(b->observed.read(b->m.inputs[0])->data, got.at(3).data);
  EXPECT_EQ(b->expected.read(b->m.outputs[0])->data, test::relu_of(got.at(3)).data);
  EXPECT_EQ(b->observed.read(b->m.outputs[0])->data, got.at(4).data);
  ASSERT_NE(b->subject(), nullptr);
  EXPECT_EQ(b->subject()->metrics.mismatches, 1);
  EXPECT_EQ(b->subject()->metrics.first, 2);
  EXPECT_NE(page_of(*b).find("| 2 | 0,0,0,2 | " + std::to_string(test::code_at(got.at(4), 2) + 3)),
            std::string::npos)
      << page_of(*b);
  EXPECT_NE(page_of(*b).find("of the whole model operator 1 |"), std::string::npos) << page_of(*b);
  EXPECT_TRUE(page_of(*b).starts_with("# operator 0 RELU: ")) << page_of(*b);
}

TEST_F(bundle_of_two_operators, a_reference_of_other_operands_is_not_what_a_piece_must_make) {
  const dump reference = board({test::run_of_two(model_, 1)});
  settings_.reference = &reference;
  settings_.op = 1;
  const auto other = make_bundle(model_, board({faulty(1)}), settings_);
  ASSERT_TRUE(other.has_value()) << other.error().text;
  EXPECT_TRUE(says(other->assumptions, "REF had other operands"));
  EXPECT_EQ(other->subject()->metrics.mismatches, 1);
  settings_.op = 0;  // the input is the same on both sides
  const auto same = make_bundle(model_, board({faulty(1)}), settings_);
  EXPECT_FALSE(says(same->assumptions, "REF"));
  EXPECT_EQ(same->subject()->metrics.mismatches, 1);
  settings_.op.reset();
  const auto whole = make_bundle(model_, board({faulty(1)}), settings_);
  EXPECT_EQ(whole->expected.read(4)->data, reference.read(4)->data);
  dump::tensors results = test::run_of_two(model_, 1);
  results.erase(0);
  const dump no_input = board({results});
  settings_.reference = &no_input;
  ASSERT_TRUE(
      write_bundle(*make_bundle(model_, board({faulty(1)}), settings_), folder_.path() / "b"));
  EXPECT_TRUE(fs::exists(folder_.path() / "b/inputs/in0.npy")) << "the board's";
}

TEST_F(bundle_of_two_operators, operators_that_the_board_does_not_show_go_together) {
  dump::tensors got = faulty(1);
  got.erase(3);
  settings_.op = 0;
  const auto b = make_bundle(model_, board({got}), settings_);
  ASSERT_TRUE(b.has_value()) << b.error().text;
  EXPECT_EQ(b->ops, (std::vector<std::int32_t>{0, 1}));
  EXPECT_TRUE(says(b->assumptions, "nothing between"));
  EXPECT_EQ(b->expected.read(b->m.outputs[0])->data, test::run_of_two(model_, 1).at(4).data);
  got.erase(4);
  const auto none = make_bundle(model_, board({got}), settings_);
  ASSERT_FALSE(none.has_value());
  EXPECT_NE(none.error().text.find("board: holds no result of operator 0 CONV_2D"),
            std::string::npos)
      << none.error().text;
}

TEST_F(bundle_of_two_operators, a_piece_has_the_boards_parameters) {
  const dump::tensors got = faulty(1);
  manifest own;
  for (const auto& [index, a] : got) own.tensors.push_back(describe(model_, index));
  // Input of scale 0.25, not 0.5: the accumulators' scale is half, and so are they for the same codes.
  own.tensors[0].quantization.scales = {0.25F};
  settings_.op = 0;
  const auto b = make_bundle(model_, dump::of(own, {got}, "board"), settings_);
  ASSERT_TRUE(b.has_value()) << b.error().text;
  EXPECT_TRUE(says(b->assumptions, "the board's manifest"));
  EXPECT_EQ(b->m.tensors[static_cast<std::size_t>(b->m.inputs[0])].quantization.scales[0], 0.25F);
}

TEST_F(bundle_of_two_operators, the_folder_says_what_the_dumps_said) {
  const auto whole = make_bundle(model_, board({faulty(1), faulty(2)}), settings_);
  ASSERT_TRUE(whole.has_value()) << whole.error().text;
  EXPECT_EQ(whole->subject()->tensor, 3);
  EXPECT_EQ(whole->subject()->metrics.mismatches, 2) << "one a sample";
  const fs::path place = folder_.path() / "deep" / "evidence";
  const auto files = write_bundle(*whole, place);
  ASSERT_TRUE(files.has_value()) << files.error().text;
  const auto m = graph::read_tflite_file(place / "model.tflite");
  ASSERT_TRUE(m.has_value());
  EXPECT_EQ(m->sha256, model_.sha256) << "a whole model goes as it came";
  const auto expected = dump::open(place / "expected"), observed = dump::open(place / "observed");
  ASSERT_TRUE(expected.has_value() && observed.has_value());
  const auto again = compare_dumps(*expected, *observed, {&*m, settings_.target});
  ASSERT_TRUE(again.has_value()) << again.error().text;
  ASSERT_EQ(again->segments.size(), whole->found.segments.size());
  for (std::size_t i = 0; i < again->segments.size(); ++i) {
    EXPECT_EQ(again->segments[i].verdict, whole->found.segments[i].verdict) << i;
    EXPECT_EQ(again->segments[i].metrics.off_by, whole->found.segments[i].metrics.off_by) << i;
  }
  EXPECT_TRUE(fs::exists(place / "inputs" / "s0001" / "in0.npy"));
  const auto sums = graph::read_file(place / "SHA256SUMS");
  std::istringstream lines(
      std::string(reinterpret_cast<const char*>((*sums)->data()), (*sums)->size()));
  std::size_t summed = 0;
  for (std::string digest, name; lines >> digest >> name; ++summed)
    EXPECT_EQ(graph::sha256_hex(**graph::read_file(place / name)), digest) << name;
  EXPECT_EQ(summed + 1, files->size());
  const auto twice = write_bundle(*whole, place);
  ASSERT_FALSE(twice.has_value());
  EXPECT_NE(twice.error().text.find("is there already"), std::string::npos);
  EXPECT_EQ(std::distance(fs::directory_iterator(place.parent_path()), {}), 1);
}

TEST_F(bundle_of_two_operators, a_board_that_is_right_has_nothing_to_show) {
  const auto b = make_bundle(model_, board({test::run_of_two(model_, 1)}), settings_);
  ASSERT_TRUE(b.has_value()) << b.error().text;
  EXPECT_EQ(b->subject(), nullptr);
  EXPECT_TRUE(page_of(*b).starts_with("# The results are as expected"));
}

TEST_F(bundle_of_two_operators, a_dump_of_another_model_is_refused) {
  dump::tensors got = test::run_of_two(model_, 1);
  manifest own;
  for (const auto& [index, a] : got) own.tensors.push_back(describe(model_, index));
  own.tensors[2].index = 99;
  got[99] = got.at(4);
  const auto b = make_bundle(model_, dump::of(own, {got}, "board"), settings_);
  ASSERT_FALSE(b.has_value());
  EXPECT_NE(b.error().text.find("board: holds tensor 99, which two.tflite does not have"),
            std::string::npos)
      << b.error().text;
}

}  // namespace
