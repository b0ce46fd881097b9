// SPDX-License-Identifier: Apache-2.0
// Targets from JSON: what is written is read back, ten lines change one axis, and bad files get one sentence.
#include <gtest/gtest.h>

#include <bittwin/analysis/target_file.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "layers.hpp"

namespace {

using namespace bittwin;

TEST(target_files, read_back_what_descriptions_write) {
  for (const auto* all : {&graph::shipped_descriptions(), &graph::template_descriptions()})
    for (const target_description& d : *all) {
      const auto back = analysis::parse_target(analysis::to_json(d).dump(2), "written.json");
      ASSERT_TRUE(back) << back.error().text;
      EXPECT_TRUE(*back == d) << d.name;
    }
}

constexpr std::string_view ten_lines = R"({
  "schema": 1,
  "name": "my-npu",
  "version": "1",
  "base": "tflite-reference",
  "rooms": {
    "fully_connected": {"rescale": "q31-one-step<half-even>", "multiplier": "q31<half-away>"},
    "softmax": null
  }
})";

struct my_npu : targets::tflite_reference {
  static constexpr std::string_view name = "my-npu";
  static constexpr std::string_view version = "1";
  struct fully_connected : targets::tflite_reference::fully_connected {
    using rescale = bittwin::rescale::q31_one_step<rounding::half_even>;
  };
};

TEST(target_files, of_ten_lines_change_one_axis_of_a_base) {
  const auto read = analysis::parse_target(ten_lines, "my_npu.json");
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(find_room(*read, "softmax"), nullptr);
  EXPECT_EQ(find_room(*read, "fully_connected")->axes[2].source, "my_npu.json");
  EXPECT_EQ(find_room(*read, "conv2d")->axes[2].level, confidence::assumed);
  const auto made = analysis::make_target(*read, "my_npu.json");
  ASSERT_TRUE(made) << made.error().text;
  test::dense_layers draw(4);
  int differs_from_base = 0;
  for (int round = 0; round < 200; ++round) {
    const auto l = draw({.powers_of_two = true});
    const auto value = test::prepare(made->rules(), l);
    const auto type = fully_connected<my_npu>::prepare(
        [&] {
          fully_connected_spec spec = l.spec;
          spec.quantization.filter_scales = l.scales;
          return spec;
        }(),
        std::span<const std::int8_t>(std::vector<std::int8_t>(l.w.begin(), l.w.end())),
        std::span<const std::int32_t>(std::vector<std::int32_t>(l.bias.begin(), l.bias.end())));
    const auto base = test::prepare(graph::shipped_rules("tflite-reference"), l);
    ASSERT_TRUE(value && type && base);
    EXPECT_EQ(test::run(*value, l), test::run(*type, l));
    differs_from_base += test::run(*value, l) != test::run(*base, l);
  }
  EXPECT_GT(differs_from_base, 20);
}

std::string sentence_of(const std::string& text) {
  const auto read = analysis::parse_target(text, "x.json");
  if (!read) return read.error().text;
  const auto made = analysis::make_target(*read, "x.json");
  return made ? "" : made.error().text;
}
bool starts(const std::string& text, const std::string& with) { return text.rfind(with, 0) == 0; }

TEST(target_files, that_are_wrong_get_one_sentence) {
  const std::string head = R"({"schema": 1, "name": "n", "base": "tflite-reference", )";
  EXPECT_PRED2(starts, sentence_of("{\"schema\": 1,, }"), "x.json: is no JSON at byte 14");
  EXPECT_PRED2(starts, sentence_of("[]"), "x.json: is not a JSON object");
  EXPECT_PRED2(starts, sentence_of("{}"), "x.json: schema is not 1");
  EXPECT_PRED2(starts, sentence_of(R"({"schema": 1, "base": "tflite-refrence"})"),
               "x.json: base is no target; there are tflite-reference, ");
  EXPECT_PRED2(starts, sentence_of(R"({"schema": 1, "base": "xnnpack"})"),
               "x.json: name is missing");
  EXPECT_PRED2(starts, sentence_of(head + R"("rooms": {"conv": {"rescale": "none"}}})"),
               "x.json: rooms.conv: there is no such room");
  EXPECT_PRED2(starts, sentence_of(head + R"("rooms": {"conv2d": {"rescal": "none"}}})"),
               "x.json: rooms.conv2d: this room has no axis rescal");
  EXPECT_PRED2(
      starts, sentence_of(head + R"("rooms": {"conv2d": {"rescale": "half-evn"}}})"),
      "x.json: rooms.conv2d.rescale: there is no value half-evn; the axis has q31-two-step<");
  EXPECT_PRED2(starts, sentence_of(head + R"("rooms": {"conv2d": {"rescale": 7}}})"),
               "x.json: rooms.conv2d.rescale is no text");
  EXPECT_PRED2(
      starts, sentence_of(head + R"("rooms": {"conv2d": {"rescale": "none if blue, else none"}}})"),
      "x.json: rooms.conv2d.rescale: there is no condition blue");
  EXPECT_PRED2(starts, sentence_of(head + R"("rooms": {"conv2d": {"layers": ["soft"]}}})"),
               "x.json: rooms.conv2d: there is no kind of layer soft");
  EXPECT_PRED2(
      starts,
      sentence_of(
          R"({"schema": 1, "name": "n", "rooms": {"max_pool2d": {"placement": "as-stated"}}})"),
      "x.json: rooms.max_pool2d: the axis activation_bounds is missing");
}

TEST(templates, run_where_a_base_stands_in_and_say_for_what) {
  for (const target_description& d : graph::template_descriptions()) {
    SCOPED_TRACE(d.name);
    EXPECT_FALSE(d.to_measure.empty());
    EXPECT_TRUE(is_open(*find_room(d, "conv2d")));
    const auto stood_in = graph::assume(d, *analysis::find_description("tflite-reference"));
    EXPECT_FALSE(stood_in.assumed.empty());
    for (const room_description& room : stood_in.described.rooms) EXPECT_FALSE(is_open(room));
    EXPECT_TRUE(graph::any_target::from(stood_in.described));
    // Alone, it refuses.
    const auto alone = graph::any_target::from(d);
    ASSERT_TRUE(alone) << alone.error().text;
    EXPECT_EQ(alone->rules().conv2d, nullptr);
  }
}

/// What is known of a template stays; what is not is the base's, and is listed.
TEST(templates, keep_what_is_known) {
  const auto* tidl = analysis::find_description("tidl");
  ASSERT_NE(tidl, nullptr);
  const auto made = graph::assume(*tidl, *analysis::find_description("tflite-reference"));
  const auto& axes = find_room(made.described, "conv2d")->axes;
  EXPECT_EQ(axes[2].axis, "rescale");
  EXPECT_EQ(axes[2].value, "power-of-two<half-up>");
  EXPECT_EQ(axes[3].axis, "accumulator");
  EXPECT_EQ(axes[3].source, "as tflite-reference");
  EXPECT_EQ(made.assumed[0], "conv2d.accumulator as tflite-reference: " + axes[3].value);
}

}  // namespace
