// SPDX-License-Identifier: Apache-2.0
// The reader on real models: every tensor and option equals what another reader wrote into the
// manifests.
#include <gtest/gtest.h>

#include <bittwin/graph/operator_arity.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/shared_folder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::graph;
using nlohmann::json;

std::string upper(std::string_view name) {
  std::string text;
  for (const char c : name) text += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

void expect_equal(const tensor& t, const json& known) {
  EXPECT_EQ(t.name, known["name"].get<std::string>());
  EXPECT_EQ(upper(name_of(t.type)), known["type"].get<std::string>());
  EXPECT_EQ(std::vector<std::int32_t>(t.extents.extents().begin(), t.extents.extents().end()),
            known["shape"].get<std::vector<std::int32_t>>());
  EXPECT_EQ(t.is_constant(), known["const"].get<bool>());
  EXPECT_EQ(t.variable, known["variable"].get<bool>());
  EXPECT_EQ(t.quantization.scales, known.value("scale", std::vector<float>{}));
  EXPECT_EQ(t.quantization.zero_points, known.value("zero_point", std::vector<std::int64_t>{}));
  if (t.quantization.per_channel()) {
    EXPECT_EQ(t.quantization.axis, known["quant_dim"].get<int>());
  }
}

/// The options under the manifest's keys.
struct as_json {
  static std::string padding(padding_kind p) { return p == padding_kind::same ? "SAME" : "VALID"; }
  static std::string fused(activation a) { return upper(name_of(a)); }

  json operator()(const std::monostate&) const { return json::object(); }
  json operator()(const conv_2d_options& o) const {
    return {{"padding", padding(o.padding)}, {"stride_h", o.stride_h},
            {"stride_w", o.stride_w},        {"dilation_h", o.dilation_h},
            {"dilation_w", o.dilation_w},    {"activation", fused(o.fused)}};
  }
  json operator()(const depthwise_conv_2d_options& o) const {
    return {{"padding", padding(o.padding)}, {"stride_h", o.stride_h},
            {"stride_w", o.stride_w},        {"dilation_h", o.dilation_h},
            {"dilation_w", o.dilation_w},    {"depth_multiplier", o.depth_multiplier},
            {"activation", fused(o.fused)}};
  }
  json operator()(const pool_2d_options& o) const {
    return {{"padding", padding(o.padding)}, {"stride_h", o.stride_h},
            {"stride_w", o.stride_w},        {"filter_h", o.filter_h},
            {"filter_w", o.filter_w},        {"activation", fused(o.fused)}};
  }
  json operator()(const fully_connected_options& o) const {
    return {
        {"activation", fused(o.fused)}, {"keep_num_dims", o.keep_num_dims}, {"weights_format", 0}};
  }
  json operator()(const binary_options& o) const {
    return {{"activation", fused(o.fused)}, {"pot_scale_int16", o.power_of_two_int16}};
  }
  json operator()(const concatenation_options& o) const {
    return {{"axis", o.axis}, {"activation", fused(o.fused)}};
  }
  json operator()(const softmax_options& o) const { return {{"beta", o.beta}}; }
  json operator()(const reduce_options& o) const { return {{"keep_dims", o.keep_dims}}; }
  json operator()(const reshape_options& o) const { return {{"new_shape", o.new_shape}}; }
  json operator()(const squeeze_options& o) const { return {{"squeeze_dims", o.axes}}; }
  json operator()(const split_options& o) const { return {{"num_splits", o.count}}; }
  json operator()(const transpose_conv_options& o) const {
    return {{"padding", padding(o.padding)},
            {"stride_h", o.stride_h},
            {"stride_w", o.stride_w},
            {"activation", fused(o.fused)}};
  }
  json operator()(const batch_matmul_options& o) const {
    return {{"adj_x", o.adjoint_x}, {"adj_y", o.adjoint_y}};
  }
  json operator()(const leaky_relu_options& o) const {
    char hex[32];
    std::snprintf(hex, sizeof hex, "%a", static_cast<double>(o.alpha));
    return {{"alpha_hex", hex}};
  }
  json operator()(const l2_normalization_options& o) const {
    return {{"activation", fused(o.fused)}};
  }
  json operator()(const arg_options& o) const { return {{"output_type", name_of(o.output_type)}}; }
  json operator()(const pack_options& o) const {
    return {{"axis", o.axis}, {"values_count", o.count}};
  }
  json operator()(const unpack_options& o) const { return {{"axis", o.axis}, {"num", o.count}}; }
  json operator()(const gather_options& o) const { return {{"axis", o.axis}}; }
  json operator()(const mirror_pad_options& o) const {
    return {{"mode", o.repeats_edge ? "SYMMETRIC" : "REFLECT"}};
  }
  json operator()(const strided_slice_options& o) const {
    return {{"begin_mask", o.begin_mask},
            {"end_mask", o.end_mask},
            {"ellipsis_mask", o.ellipsis_mask},
            {"new_axis_mask", o.new_axis_mask},
            {"shrink_axis_mask", o.shrink_axis_mask}};
  }
  json operator()(const resize_options& o) const {
    return {{"align_corners", o.align_corners}, {"half_pixel_centers", o.half_pixel_centers}};
  }
  json operator()(const block_options& o) const { return {{"block_size", o.size}}; }
  json operator()(const cast_options& o) const {
    return {{"in_data_type", name_of(o.from)}, {"out_data_type", name_of(o.to)}};
  }
  json operator()(const svdf_options& o) const {
    return {{"rank", o.rank}, {"activation", fused(o.fused)}};
  }
  // No shared model holds these.
  json operator()(const lstm_options&) const { return json::object(); }
  json operator()(const detection_options&) const { return json::object(); }
};

void expect_equal(const operation& op, const json& known) {
  EXPECT_EQ(op.label, known["op"].get<std::string>());
  EXPECT_EQ(op.version, known["version"].get<std::int32_t>());
  EXPECT_EQ(op.inputs, known["inputs"].get<std::vector<std::int32_t>>());
  EXPECT_EQ(op.outputs, known["outputs"].get<std::vector<std::int32_t>>());
  if (!arity_of(op)) return;
  const json read = std::visit(as_json{}, op.options);
  for (const auto& [key, value] : known["options"].items()) {
    // The alphas of the manifests are decimal and hexadecimal: the second is exact.
    if (key == "_raw_type" || key == "alpha") continue;
    EXPECT_EQ(read.value(key, json()), value) << key;
  }
}

/// Folders that hold models/NAME.tflite, and the manifests that describe them.
struct collection {
  std::string models;
  std::string golden;
  std::size_t least;  ///< fewer models than this means that the folder is not what we think
};

class shared_models : public testing::TestWithParam<collection> {};

TEST_P(shared_models, are_read_as_their_manifests_describe_them) {
  const std::filesystem::path folder = test::shared_folder();
  if (folder.empty()) GTEST_SKIP() << "BITTWIN_SHARED names no folder of models";
  std::size_t compared = 0;
  for (const auto& path : test::files_of(folder / GetParam().models, ".tflite")) {
    SCOPED_TRACE(path.filename().string());
    const result<model> m = read_tflite_file(path);
    ASSERT_TRUE(m) << m.error().text;
    std::ifstream file(folder / GetParam().golden / path.stem() / "manifest.json");
    const json known = json::parse(file);
    if (known["model"].contains("sha256")) {
      EXPECT_EQ(m->sha256, known["model"]["sha256"].get<std::string>());
    }
    EXPECT_EQ(m->inputs, known["inputs"].get<std::vector<std::int32_t>>());
    EXPECT_EQ(m->outputs, known["outputs"].get<std::vector<std::int32_t>>());
    ASSERT_EQ(m->tensors.size(), known["tensors"].size());
    for (std::size_t i = 0; i < m->tensors.size(); ++i)
      expect_equal(m->tensors[i], known["tensors"][i]);
    ASSERT_EQ(m->operations.size(), known["ops"].size());
    for (std::size_t k = 0; k < m->operations.size(); ++k)
      expect_equal(m->operations[k], known["ops"][k]);
    ++compared;
  }
  EXPECT_GE(compared, GetParam().least);
}

INSTANTIATE_TEST_SUITE_P(all, shared_models,
                         testing::Values(collection{"models", "golden", 19},
                                         collection{"golden-ops/models", "golden-ops/golden", 180}),
                         [](const auto& info) { return info.index == 0 ? "real" : "generated"; });

}  // namespace
