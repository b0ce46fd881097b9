// SPDX-License-Identifier: Apache-2.0
// The options of TFLite_Detection_PostProcess, which lie in a FlexBuffer: which key is which
// member, with its range, for the reader and the writer; and the reader.
//   archive.count(key, member, lowest)   .flag(key, member)   .real(key, member)
//   .positive(key, member)               optional ones keep the member's default where absent
// source  tensorflow/lite/kernels/detection_postprocess.cc
#pragma once

#include <bittwin/graph/flexbuffer_map.hpp>
#include <bittwin/graph/operator_options.hpp>
#include <bittwin/types/ieee_format.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace bittwin::graph::inline v1 {

inline constexpr std::string_view detection_name = "TFLite_Detection_PostProcess";

namespace detail {

enum class presence : std::uint8_t { required, optional };

template <class A> void detection_fields(A& a, detection_options& o) {
  a.count("max_detections", o.max_detections, presence::required);
  a.count("max_classes_per_detection", o.max_classes_per_detection, presence::required);
  a.count("detections_per_class", o.detections_per_class, presence::optional);
  a.flag("use_regular_nms", o.regular_nms);
  a.real("nms_score_threshold", o.score_threshold);
  a.positive("nms_iou_threshold", o.iou_threshold);
  a.count("num_classes", o.classes, presence::required);
  a.positive("y_scale", o.y_scale);
  a.positive("x_scale", o.x_scale);
  a.positive("h_scale", o.h_scale);
  a.positive("w_scale", o.w_scale);
}

class detection_reader {
 public:
  detection_reader(flexbuffer_map map, std::string label) : map_(map), label_(std::move(label)) {}

  [[nodiscard]] result<operator_options> read() {
    detection_options options;
    detection_fields(*this, options);
    if (failure_.text.empty() && options.iou_threshold > 1.0F) fail("nms_iou_threshold", "above 1");
    if (!failure_.text.empty()) return failure_;
    return operator_options(options);
  }

  void count(std::string_view key, std::int32_t& value, presence needed) {
    // Beyond this the list of detections is no longer one, and products of two stay inside int64.
    constexpr std::int64_t most = 1 << 24;
    if (needed == presence::optional && !map_.has(key)) return;
    const auto number = map_.get(key);
    const auto* const whole = number ? std::get_if<std::int64_t>(&*number) : nullptr;
    if (whole == nullptr) return fail(key, "missing or no integer");
    if (*whole < 1 || *whole > most)
      return fail(key, std::to_string(*whole) + ", outside 1 to " + std::to_string(most));
    value = static_cast<std::int32_t>(*whole);
  }

  void flag(std::string_view key, bool& value) {
    if (!map_.has(key)) return;
    const auto number = map_.get(key);
    const auto* const whole = number ? std::get_if<std::int64_t>(&*number) : nullptr;
    if (whole == nullptr) return fail(key, "no boolean");
    value = *whole != 0;
  }

  void real(std::string_view key, float& value) {
    const auto number = map_.get(key);
    if (!number) return fail(key, "missing or no number");
    const auto* const whole = std::get_if<std::int64_t>(&*number);
    const float read =
        whole != nullptr ? static_cast<float>(*whole) : narrowed(*std::get_if<double>(&*number));
    if (ieee::kind_of(read) != ieee::kind::finite) return fail(key, "not finite");
    value = read;
  }

  void positive(std::string_view key, float& value) {
    real(key, value);
    if (ieee::is_negative(value) || ieee::split(value).significand == 0) fail(key, "not above 0");
  }

 private:
  /// Beyond the floats the cast is undefined; such a number is refused as infinite.
  [[nodiscard]] static float narrowed(double value) {
    constexpr double largest = 0x1.fffffep127;
    return value >= -largest && value <= largest ? static_cast<float>(value)
                                                 : std::bit_cast<float>(0x7F800000);
  }
  void fail(std::string_view key, const std::string& what) {
    if (failure_.text.empty())
      failure_ = {error_code::bad_option, label_ + " has an option " + std::string(key) +
                                              " that is " + what + "; export the model again"};
  }

  flexbuffer_map map_;
  std::string label_;
  error failure_;
};

}  // namespace detail

/// label  of the operator, as sentences name it
[[nodiscard]] inline result<operator_options> read_detection_options(
    std::span<const std::byte> custom_options, const std::string& label) {
  const std::optional<flexbuffer_map> map = flexbuffer_map::open(custom_options);
  if (!map)
    return error{error_code::bad_file,
                 label + " has options that are no FlexBuffer map; export the model again"};
  return detail::detection_reader(*map, label).read();
}

}  // namespace bittwin::graph::inline v1
