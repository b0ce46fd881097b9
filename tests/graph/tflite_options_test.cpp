// SPDX-License-Identifier: Apache-2.0
// Options and operands of operators that no shared model holds, and those that are refused. Numbers
// of tables, fields and operators are written out here from schema.fbs.
#include <flatbuffers/flexbuffers.h>
#include <gtest/gtest.h>

#include <bittwin/graph/detection_fields.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <cstdint>
#include <limits>
#include <string>

#include "support/tflite_builder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::graph;
using bittwin::test::option;
using bittwin::test::tflite_description;

constexpr field slot(std::uint16_t number) { return {"", "", number}; }

/// Operator `code` with `inputs` inputs, each a tensor of its own, and `outputs` outputs.
tflite_description of_operator(std::int32_t code, std::int32_t inputs, std::int32_t outputs,
                               std::uint8_t type, std::vector<option> options) {
  tflite_description m;
  m.codes = {{.deprecated = static_cast<std::int8_t>(code), .builtin = code}};
  m.buffers = {{}};
  test::operator_description op;
  op.options_type = type;
  op.options = std::move(options);
  for (std::int32_t i = 0; i < inputs + outputs; ++i) {
    m.tensors.push_back({.name = "t", .shape = {1}});
    (i < inputs ? op.inputs : op.outputs).push_back(i);
    (i < inputs ? m.inputs : m.outputs).push_back(i);
  }
  m.operators = {op};
  return m;
}

result<model> read(const tflite_description& from) {
  return read_tflite(test::shared_bytes(test::tflite_builder::build(from)), "one.tflite");
}

template <class Options>
testing::AssertionResult reads(const tflite_description& from, const Options& expected) {
  const result<model> m = read(from);
  if (!m) return testing::AssertionFailure() << m.error().text;
  const auto* const options = std::get_if<Options>(&m->operations[0].options);
  if (options == nullptr) return testing::AssertionFailure() << "other options";
  if (*options == expected) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "other values";
}

testing::AssertionResult refused(const tflite_description& from, const std::string& because) {
  const result<model> m = read(from);
  if (m) return testing::AssertionFailure() << "accepted";
  if (m.error().text.find(because) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "the sentence is: " << m.error().text;
}

TEST(tflite_options, lie_in_the_fields_that_the_schema_says) {
  EXPECT_TRUE(reads(of_operator(44, 20, 1, 71,
                                {{slot(0), 4, option::byte},
                                 {slot(1), 2.5, option::float32},
                                 {slot(2), 0.5, option::float32},
                                 {slot(3), 1, option::byte},
                                 {slot(5), 1, option::byte}}),
                    lstm_options{2.5F, 0.5F, true, false, true}));
  EXPECT_TRUE(reads(of_operator(27, 5, 1, 6, {{slot(0), 3}, {slot(1), 2, option::byte}}),
                    svdf_options{3, activation::relu_n1_to_1, false}));
  EXPECT_TRUE(
      reads(of_operator(36, 2, 1, 23, {{slot(0), 2}, {slot(1), -1}}), gather_options{2, -1}));
  EXPECT_TRUE(
      reads(of_operator(100, 2, 1, 77, {{slot(0), 1, option::byte}}), mirror_pad_options{true}));
  EXPECT_TRUE(reads(of_operator(126, 2, 1, 101, {{slot(0), 1, option::byte}}),
                    batch_matmul_options{true, false, false}));
  EXPECT_TRUE(reads(of_operator(45, 4, 1, 32,
                                {{slot(0), 1},
                                 {slot(1), 2},
                                 {slot(2), 4},
                                 {slot(3), 8},
                                 {slot(4), 16},
                                 {slot(5), 1, option::byte}}),
                    strided_slice_options{1, 2, 4, 8, 16, true}));
  EXPECT_TRUE(reads(of_operator(11, 1, 1, 12, {{slot(0), 1, option::byte}}),
                    l2_normalization_options{activation::relu}));
  EXPECT_TRUE(reads(of_operator(56, 2, 1, 40, {{slot(0), 4, option::byte}}),
                    arg_options{element_type::int64}));
  EXPECT_TRUE(reads(of_operator(53, 1, 1, 37, {{slot(0), 6, option::byte}}),
                    cast_options{element_type::boolean, element_type::float32}));
  EXPECT_TRUE(
      reads(of_operator(3, 2, 1, 1, {{slot(1), 1}, {slot(2), 1}, {slot(6), 4, option::byte}}),
            conv_2d_options{.bias_type = element_type::int64}));
  EXPECT_TRUE(reads(
      of_operator(
          67, 3, 1, 49,
          {{slot(0), 1, option::byte}, {slot(1), 2}, {slot(2), 3}, {slot(3), 3, option::byte}}),
      transpose_conv_options{.padding = padding_kind::valid,
                             .stride_h = 3,
                             .stride_w = 2,
                             .fused = activation::relu6}));
}

TEST(tflite_options, that_lie_are_refused) {
  const auto one = [](std::int32_t code, std::int32_t inputs, std::uint8_t type, option o) {
    return of_operator(code, inputs, 1, type, {o});
  };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(refused(one(26, 1, 19, {slot(0), 0}), "SPACE_TO_DEPTH has block_size 0"));
  EXPECT_TRUE(refused(one(5, 1, 94, {slot(0), -2}), "DEPTH_TO_SPACE has block_size -2"));
  EXPECT_TRUE(refused(one(25, 1, 9, {slot(0), 0, option::float32}), "beta that is not above 0"));
  EXPECT_TRUE(
      refused(one(25, 1, 9, {slot(0), infinite, option::float32}), "beta that is not finite"));
  EXPECT_TRUE(
      refused(one(98, 1, 75, {slot(0), infinite, option::float32}), "an alpha that is not"));
  EXPECT_TRUE(refused(one(45, 4, 32, {slot(0), 256}), "has begin_mask 256"));
  EXPECT_TRUE(refused(one(45, 4, 32, {slot(4), -1}), "has shrink_axis_mask -1"));
  EXPECT_TRUE(refused(one(2, 1, 10, {slot(0), 8}), "has axis 8; it must lie in -8 to 7"));
  EXPECT_TRUE(refused(one(36, 2, 23, {slot(0), -9}), "has axis -9"));
  EXPECT_TRUE(refused(one(100, 2, 77, {slot(0), 2, option::byte}), "unknown mode 2"));
  EXPECT_TRUE(refused(one(56, 2, 40, {slot(0), 0, option::byte}), "output_type other than"));
  EXPECT_TRUE(refused(one(53, 1, 37, {slot(0), 5, option::byte}), "in_data_type STRING"));
  EXPECT_TRUE(refused(one(67, 3, 49, {slot(1), 0}), "TRANSPOSE_CONV has stride_w 0"));
  EXPECT_TRUE(refused(one(27, 5, 6, {slot(0), 0}), "SVDF has rank 0"));
  EXPECT_TRUE(
      refused(of_operator(97, 2, 1, 74, {{slot(0), 1, option::byte}, {slot(1), 1, option::byte}}),
              "both align_corners and half_pixel_centers"));
  EXPECT_TRUE(refused(of_operator(44, 20, 1, 71, {{slot(0), 1, option::byte}}), "other than TANH"));
  EXPECT_TRUE(refused(
      of_operator(44, 20, 1, 71, {{slot(0), 4, option::byte}, {slot(1), -1, option::float32}}),
      "clip below 0"));
  EXPECT_TRUE(refused(of_operator(98, 1, 1, 0, {}), "has no options"));
  EXPECT_TRUE(refused(one(74, 2, 28, {}), "union type 28 where type 27"));
}

TEST(tflite_options, agree_with_the_number_of_tensors) {
  const auto pack = [](std::int32_t inputs, double count) {
    return of_operator(83, inputs, 1, 59, {{slot(0), count}, {slot(1), 0}});
  };
  EXPECT_TRUE(read(pack(3, 3)));
  EXPECT_TRUE(refused(pack(3, 2), "PACK has 3 inputs where 2 belong"));
  EXPECT_TRUE(read(of_operator(88, 1, 3, 64, {{slot(0), 3}})));
  EXPECT_TRUE(refused(of_operator(88, 1, 2, 64, {{slot(0), 3}}), "2 outputs where 3 belong"));
  EXPECT_TRUE(refused(of_operator(102, 3, 2, 79, {{slot(0), 3}}), "2 outputs where 3 belong"));
}

TEST(tflite_operands, of_a_recurrent_layer_may_be_absent_where_the_runtime_allows) {
  const tflite_description whole = of_operator(44, 20, 1, 71, {{slot(0), 4, option::byte}});
  for (std::size_t i = 0; i < 20; ++i) {
    tflite_description without = whole;
    without.operators[0].inputs[i] = -1;
    // source  tensorflow/lite/kernels/lstm_shared.h
    const bool optional = i == 1 || i == 5 || (i >= 9 && i <= 12) || i == 16 || i == 17;
    EXPECT_EQ(read(without).has_value(), optional) << "input " << i;
  }
  tflite_description few = whole;
  few.operators[0].inputs.pop_back();
  EXPECT_TRUE(refused(few, "has 19 inputs where 20 belong"));
  tflite_description no_bias = of_operator(27, 5, 1, 6, {{slot(0), 1}});
  no_bias.operators[0].inputs[3] = -1;
  EXPECT_TRUE(read(no_bias));
  no_bias.operators[0].inputs[4] = -1;
  EXPECT_TRUE(refused(no_bias, "lacks its input 4"));
}

TEST(tflite_operands, intermediates_are_in_range) {
  tflite_description m = of_operator(44, 20, 1, 71, {{slot(0), 4, option::byte}});
  m.operators[0].intermediates = {1, 2, -1};
  const result<model> whole = read(m);
  ASSERT_TRUE(whole) << whole.error().text;
  EXPECT_EQ(whole->operations[0].intermediates, (std::vector<std::int32_t>{1, 2, -1}));
  m.operators[0].intermediates = {21};
  EXPECT_TRUE(refused(m, "LSTM intermediates: tensor index 21 of 21 tensors"));
}

/// As the converters write it: keys in any order, extra ones, wide floats.
std::vector<std::uint8_t> detection_map(double iou, std::int64_t detections, bool per_class) {
  flexbuffers::Builder map;
  map.Map([&] {
    map.Double("y_scale", 10.0);
    map.Float("x_scale", 11.0F);
    map.Int("h_scale", 5);
    map.IndirectFloat("w_scale", 4.5F);
    map.Bool("use_regular_nms", true);
    map.Bool("_output_quantized", true);
    map.String("_note", "no number");
    map.UInt("num_classes", 90);
    map.Int("max_detections", detections);
    map.Int("max_classes_per_detection", 2);
    if (per_class) map.IndirectInt("detections_per_class", 1000);
    map.Float("nms_score_threshold", 1e-8F);
    map.Double("nms_iou_threshold", iou);
  });
  map.Finish();
  return map.GetBuffer();
}

result<operator_options> read_map(const std::vector<std::uint8_t>& map) {
  return read_detection_options(std::as_bytes(std::span(map)), "operator 0 custom D");
}

TEST(detection_options, are_read_from_a_flexbuffer_of_any_order_and_width) {
  const auto options = read_map(detection_map(0.5, 300, true));
  ASSERT_TRUE(options) << options.error().text;
  EXPECT_EQ(
      std::get<graph::detection_options>(*options),
      (graph::detection_options{300, 2, 1000, true, 1e-8F, 0.5F, 90, 10.0F, 11.0F, 5.0F, 4.5F}));
  EXPECT_EQ(std::get<graph::detection_options>(*read_map(detection_map(0.5, 300, false)))
                .detections_per_class,
            100);  // the runtime's default
}

TEST(detection_options, that_lie_are_refused) {
  const auto text = [](double iou, std::int64_t detections) {
    return read_map(detection_map(iou, detections, false)).error().text;
  };
  EXPECT_NE(text(1.5, 3).find("nms_iou_threshold that is above 1"), std::string::npos);
  EXPECT_NE(text(0.0, 3).find("nms_iou_threshold that is not above 0"), std::string::npos);
  EXPECT_NE(text(1e300, 3).find("nms_iou_threshold that is not finite"), std::string::npos);
  EXPECT_NE(text(0.5, 0).find("max_detections that is 0"), std::string::npos);
  EXPECT_NE(text(0.5, std::int64_t{1} << 40).find("max_detections"), std::string::npos);
  flexbuffers::Builder list;
  list.Vector([&] { list.Int(1); });
  list.Finish();
  EXPECT_NE(read_map(list.GetBuffer()).error().text.find("no FlexBuffer map"), std::string::npos);
  EXPECT_NE(read_map({}).error().text.find("no FlexBuffer map"), std::string::npos);
}

TEST(detection_options, survive_every_cut_and_every_changed_byte) {
  const std::vector<std::uint8_t> whole = detection_map(0.5, 300, true);
  int accepted = 0;
  for (std::size_t cut = 0; cut < whole.size(); ++cut)
    (void)read_map({whole.begin() + static_cast<std::ptrdiff_t>(cut), whole.end()});
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int value = 0; value < 256; ++value) {
      std::vector<std::uint8_t> bytes = whole;
      bytes[at] = static_cast<std::uint8_t>(value);
      accepted += read_map(bytes) ? 1 : 0;
    }
  EXPECT_GT(accepted, 1000) << "a test in which nothing is accepted tests little";
}

}  // namespace
