// SPDX-License-Identifier: Apache-2.0
// bittwin demo: its model is what it says, and the accuracies that it prints are those that a count of our own finds.
#include <gtest/gtest.h>

#include <bittwin/analysis/audit.hpp>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/support.hpp>
#include <bittwin/graph/write_tflite.hpp>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "../../examples/demo_model/images.hpp"
#include "support/tool_program.hpp"

namespace {

using namespace bittwin;
using nlohmann::json;

class demonstration : public test::tool_program {
 protected:
  /// Dumps into dumps/.
  void show(int images) {
    const test::outcome o =
        run("demo dumps --images " + std::to_string(images) + " --seed 5 --json --html page.html");
    ASSERT_EQ(o.code, 0) << o.err;
    printed = json::parse(o.out);
  }
  [[nodiscard]] graph::model model(const std::string& name) const {
    return *graph::read_tflite_file(path("dumps/" + name));
  }
  [[nodiscard]] int right_of(const std::string& target) const {
    for (const json& t : printed["targets"])
      if (t["target"] == target) return t["right"];
    ADD_FAILURE() << target << " is not in the demo";
    return -1;
  }

  json printed;
};

/// Codes, or floats, of what is right: the label's element exceeds all before it, and none behind it exceeds that.
template <class T>
int count_right(const graph::model& m, T (*element)(std::uint8_t), std::uint64_t seed, int images) {
  auto run = *graph::executor::prepare(m, *graph::find_shipped_rules("tflite-reference"));
  int right = 0;
  for (int i = 0; i < images; ++i) {
    const demo::labelled_image image = demo::draw_image(seed, static_cast<std::uint64_t>(i));
    std::vector<T> x;
    for (const std::uint8_t byte : image.pixels) x.push_back(element(byte));
    EXPECT_TRUE(run.set_input(0, std::as_bytes(std::span(x))));
    run.run();
    T y[demo::classes];
    std::memcpy(y, run.value(m.outputs[0]).bytes.data(), sizeof y);
    bool is_right = true;
    for (int c = 0; c < demo::classes; ++c)
      is_right &= c < image.label ? y[image.label] > y[c] : y[image.label] >= y[c];
    right += is_right ? 1 : 0;
  }
  return right;
}

TEST_F(demonstration, counts_what_is_right) {
  show(400);
  const int codes = count_right<std::int8_t>(
      model("demo.tflite"), [](std::uint8_t byte) { return static_cast<std::int8_t>(byte - 128); },
      5, 400);
  EXPECT_EQ(right_of("tflite-reference"), codes);
  const int floats = count_right<float>(
      model("demo_float.tflite"),
      [](std::uint8_t byte) { return (static_cast<float>(byte) - 116.0F) / 64.0F; }, 5, 400);
  EXPECT_EQ(printed["float_right"], floats);
  EXPECT_EQ(printed["images"], 400);
  // 400 images; 91 to 94 % were seen of the sound ones, 75 to 80 and 86 to 89 % of the faulty ones.
  EXPECT_GT(floats, 350);
  EXPECT_LT(floats, 390) << "too easy to tell a fault by";
  EXPECT_NEAR(codes, floats, 6);
  EXPECT_NEAR(right_of("real"), floats, 6);
  EXPECT_LT(right_of("fault: upper clamp dropped"), codes - 30);
  EXPECT_LT(right_of("fault: Add ignores operand scales"), codes - 8);
}

TEST_F(demonstration, has_clamps_and_adds_that_devices_can_get_wrong) {
  show(1);
  const graph::model m = model("demo.tflite");
  int exposed = 0, unequal = 0;
  for (const graph::operation& op : m.operations) {
    const auto grid = [&](std::int32_t t) {
      return m.tensors[static_cast<std::size_t>(t)].quantization;
    };
    if (op.code == graph::operator_code::add)
      unequal += grid(op.inputs[0]).scale() > 1.2F * grid(op.inputs[1]).scale() ||
                 grid(op.inputs[1]).scale() > 1.2F * grid(op.inputs[0]).scale();
    const auto* conv = std::get_if<graph::conv_2d_options>(&op.options);
    const auto* depthwise = std::get_if<graph::depthwise_conv_2d_options>(&op.options);
    const bool clamped = (conv != nullptr && conv->fused == activation::relu6) ||
                         (depthwise != nullptr && depthwise->fused == activation::relu6);
    const auto out = grid(op.outputs[0]);
    // Codes of more than half a step above 6 exist.
    exposed += clamped && out.scale() * static_cast<float>(127 - out.zero_point()) > 6.1F;
  }
  EXPECT_GE(exposed, 3);
  EXPECT_LT(exposed, 12) << "expansions are clamped by their type";
  EXPECT_GE(unequal, 2);
  const test::outcome o = run("audit dumps/demo.tflite --json");
  ASSERT_EQ(o.code, 1) << o.err;
  std::map<std::string, int> hazards;
  const json found = json::parse(o.out);
  for (const json& h : found["hazards"]) ++hazards[h["code"]];
  EXPECT_EQ(hazards["CLAMP_EXPOSED"], exposed);
  EXPECT_EQ(hazards["ADD_SCALE_RATIO"], unequal);
}

TEST_F(demonstration, embeds_files_that_read_and_write) {
  show(1);
  std::uintmax_t bytes = 0;
  for (const char* name : {"demo.tflite", "demo_float.tflite"}) {
    const graph::model m = model(name);
    const auto written = *graph::write_tflite(m);
    const graph::model again =
        *graph::read_tflite(std::make_shared<const std::vector<std::byte>>(written), name);
    EXPECT_EQ(written, *graph::write_tflite(again)) << name;
    EXPECT_EQ(m.operations.size(), again.operations.size());
    bytes += std::filesystem::file_size(path(std::string("dumps/") + name));
  }
  EXPECT_LT(bytes, 300'000u);
}

TEST_F(demonstration, shows_the_dropped_clamp_on_a_page) {
  show(1);
  std::ifstream file(path("page.html"));
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(page.find("UPPER_CLAMP_MISSING"), std::string::npos);
  EXPECT_NE(page.find("bittwin demo"), std::string::npos);
  EXPECT_EQ(page.find("http://"), std::string::npos) << "a page needs no network";
}

TEST(drawn_images, are_the_same_everywhere_and_differ_by_number) {
  std::vector<int> labels(demo::classes);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const demo::labelled_image a = demo::draw_image(9, i), b = demo::draw_image(9, i + 1);
    EXPECT_EQ(a.pixels, demo::draw_image(9, i).pixels);
    EXPECT_NE(a.pixels, b.pixels);
    ++labels[static_cast<std::size_t>(a.label)];
  }
  for (const int count : labels) {
    EXPECT_GT(count, 25);
    EXPECT_LT(count, 80);
  }
}

}  // namespace
