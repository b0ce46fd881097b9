// SPDX-License-Identifier: Apache-2.0
// custom TFLite_Detection_PostProcess on tensors: encodings [1, boxes, 4 or more], scores [1, boxes, classes,
// with or without a background], anchors [boxes, 4]; boxes, classes, scores and their number as floats.
// Codes are dequantized first. What no detection fills is 0.
#pragma once

#include <bittwin/graph/node_context.hpp>
#include <bittwin/graph/reals.hpp>
#include <bittwin/kernel/detection.hpp>
#include <bittwin/policy/float_code.hpp>

namespace bittwin::graph::inline v1 {

namespace detail {

/// One operand as float32: reals rounded, codes dequantized as DEQUANTIZE does.
struct float_operand {
  std::int32_t tensor = 0;
  bool real = true;
  affine grid;

  [[nodiscard]] std::vector<float> of(const workspace& s) const {
    std::vector<float> values;
    if (real) {
      for (const double value : s.reals(tensor)) values.push_back(ieee::convert<float>(value));
    } else {
      for (const std::int64_t code : s.codes(tensor))
        values.push_back(float_code::real_of(code, grid));
    }
    return values;
  }
};

[[nodiscard]] inline result<float_operand> float_operand_of(const node_context& c, std::size_t i) {
  float_operand operand{c.input(i), is_floating(c.stored(c.input(i))), {}};
  if (operand.real) return operand;
  if (!is_8_bit(c.in(i).type)) return c.wrong_type(c.input(i), "float32, int8 or uint8");
  const auto grid = c.grid(c.input(i));
  if (!grid) return grid.error();
  operand.grid = *grid;
  return operand;
}

[[nodiscard]] inline result<detection_spec> detection_spec_of(const node_context& c) {
  const auto o = c.options<detection_options>();
  const shape &boxes = c.in(0).extents, &scores = c.in(1).extents, &anchors = c.in(2).extents;
  if (boxes.rank() != 3 || scores.rank() != 3 || anchors.rank() != 2 || boxes[0] != 1 ||
      scores[0] != 1 || boxes[2] < 4 || anchors[1] != 4 || scores[1] != boxes[1] ||
      anchors[0] < boxes[1])
    return c.fail(
        error_code::bad_shape,
        sentence({"encodings ", to_string(boxes), ", scores ", to_string(scores), " and anchors ",
                  to_string(anchors), "; they must be [1,n,4], [1,n,classes] and [n,4]"}));
  const std::int32_t background = scores[2] - o.classes;
  if (o.classes < 1 || (background != 0 && background != 1))
    return c.fail(error_code::bad_option,
                  sentence({"num_classes ", number(o.classes), " for scores of ", number(scores[2]),
                            " classes; they may have one more, a background"}));
  if (o.max_detections < 1 || o.max_classes_per_detection < 1 || o.detections_per_class < 1)
    return c.fail(error_code::bad_option,
                  "max_detections, max_classes_per_detection and detections_per_class must be at "
                  "least 1");
  return detection_spec{.boxes = boxes[1],
                        .classes = o.classes,
                        .label_offset = background,
                        .most = o.max_detections,
                        .classes_a_box = o.max_classes_per_detection,
                        .boxes_a_class = o.detections_per_class,
                        .regular = o.regular_nms,
                        .stable = c.rules.stable_detection,
                        .score_threshold = o.score_threshold,
                        .overlap_threshold = o.iou_threshold,
                        .y_scale = o.y_scale,
                        .x_scale = o.x_scale,
                        .h_scale = o.h_scale,
                        .w_scale = o.w_scale};
}

/// Where detections are written: result i has room for `room` of them.
struct detection_results {
  std::vector<std::int32_t> tensors;
  std::size_t room = 0;
  std::size_t classes = 1;  ///< written a box
};

[[nodiscard]] inline result<detection_results> detection_results_of(const node_context& c,
                                                                    const detection_spec& s) {
  const std::int64_t room = std::int64_t{s.most} * s.classes_a_box;
  if (room > (std::int64_t{1} << 40))
    return c.fail(error_code::too_large, sentence({"room for ", number(room), " detections"}));
  const std::int64_t elements[] = {4 * room, room, room, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    if (auto t = c.expect_type(c.output(i), element_type::float32); !t) return t.error();
    if (c.out(i).extents.elements() != elements[i])
      return c.fail(error_code::bad_shape,
                    sentence({c.name(c.output(i)), " is declared as ", to_string(c.out(i).extents),
                              "; ", number(room), " detections make ", number(elements[i]),
                              " elements, write the shape into the model"}));
  }
  const std::int32_t classes = s.classes_a_box < s.classes ? s.classes_a_box : s.classes;
  return detection_results{c.op.outputs, static_cast<std::size_t>(room),
                           s.regular ? 1 : static_cast<std::size_t>(classes)};
}

inline void store_detections(const workspace& s, const detection_results& results,
                             const std::vector<detection>& found,
                             const std::vector<detection_box>& boxes) {
  std::vector<double> corners(4 * results.room), labels(results.room), scores(results.room);
  for (std::size_t i = 0; i < found.size() && i < results.room; ++i) {
    const detection_box& box = boxes[static_cast<std::size_t>(found[i].box)];
    const float edges[] = {box.low_y, box.low_x, box.high_y, box.high_x};
    for (std::size_t k = 0; k < 4; ++k) corners[4 * i + k] = ieee::convert<double>(edges[k]);
    labels[i] = found[i].label;
    scores[i] = ieee::convert<double>(found[i].score);
  }
  const std::vector<double> count{static_cast<double>(found.size() / results.classes)};
  const std::vector<double>* const values[] = {&corners, &labels, &scores, &count};
  for (std::size_t i = 0; i < 4; ++i) s.store_reals(results.tensors[i], *values[i]);
}

}  // namespace detail

[[nodiscard]] inline result<node> build_detection(const node_context& c) {
  const auto spec = detail::detection_spec_of(c);
  if (!spec) return spec.error();
  const auto results = detail::detection_results_of(c, *spec);
  if (!results) return results.error();
  std::vector<detail::float_operand> operands;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto operand = detail::float_operand_of(c, i);
    if (!operand) return operand.error();
    operands.push_back(*operand);
  }
  return node([spec = *spec, results = *results, operands,
               stride = static_cast<std::size_t>(c.in(0).extents[2])](const workspace& s) {
    const auto encodings = operands[0].of(s), scores = operands[1].of(s),
               anchors = operands[2].of(s);
    const auto boxes = decode_boxes(spec, encodings, stride, anchors);
    detail::store_detections(s, results, detect(spec, boxes, scores), boxes);
  });
}

}  // namespace bittwin::graph::inline v1
