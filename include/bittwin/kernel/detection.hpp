// SPDX-License-Identifier: Apache-2.0
// TFLite_Detection_PostProcess: boxes from encodings and anchors, then the best of each group of overlapping
// ones. Everything is float32 (decoding: float64, rounded once), computed on integers so that flags change nothing.
//   center = encoding / scale * anchor extent + anchor center,  half = 1/2 e^(encoding / scale) * anchor extent
//   fast:     one suppression on each box's best score, then its best classes
//   regular:  one suppression a class, the best of all classes are kept
// source  tensorflow/lite/kernels/detection_postprocess.cc; boxes of one class with one score keep their order
#pragma once

#include <algorithm>
#include <array>
#include <bittwin/kernel/heap_selection.hpp>
#include <bittwin/policy/room.hpp>
#include <bittwin/types/elementary.hpp>
#include <bittwin/types/expects.hpp>
#include <bittwin/types/ieee.hpp>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace bittwin::inline v1 {

/// label_offset  classes in front that are not detected: 1 for a background, else 0
struct detection_spec {
  std::int32_t boxes = 0, classes = 1, label_offset = 0;
  std::int32_t most = 1, classes_a_box = 1, boxes_a_class = 100;
  bool regular = false;
  bool stable = true;  ///< at equal scores: class_order
  float score_threshold = 0.0F, overlap_threshold = 1.0F;
  float y_scale = 1.0F, x_scale = 1.0F, h_scale = 1.0F, w_scale = 1.0F;
};

/// low and high y, x as float32
struct detection_box {
  float low_y = 0.0F, low_x = 0.0F, high_y = 0.0F, high_x = 0.0F;
};

struct detection {
  std::int32_t box = 0, label = 0;
  float score = 0.0F;
};

template <target Target> [[nodiscard]] constexpr bool class_order_is_stable() noexcept {
  static_assert(check_room<Target, room::detection>());
  return axis_value<Target, room::detection, axis::class_order>::is_stable;
}

namespace detail {

/// float32(low and high edge) on one axis
[[nodiscard]] inline std::array<float, 2> decode_edges(float center, float extent,
                                                       float center_scale, float extent_scale,
                                                       float anchor_center,
                                                       float anchor_extent) noexcept {
  using ieee::convert;
  const auto extent_of_anchor = convert<double>(anchor_extent);
  const double moved = ieee::divide(convert<double>(center), convert<double>(center_scale));
  const auto middle = convert<float>(
      ieee::add(ieee::multiply(moved, extent_of_anchor), convert<double>(anchor_center)));
  const double grown =
      elementary::exp(ieee::divide(convert<double>(extent), convert<double>(extent_scale)));
  const auto half = convert<float>(ieee::multiply(ieee::multiply(0.5, grown), extent_of_anchor));
  return {ieee::subtract(middle, half), ieee::add(middle, half)};
}

/// intersection over union; 0 where a box has no area
[[nodiscard]] inline float overlap(const detection_box& a, const detection_box& b) noexcept {
  using ieee::less;
  const auto larger = [](float x, float y) { return less(x, y) ? y : x; };
  const auto smaller = [](float x, float y) { return less(y, x) ? y : x; };
  const float low_y = larger(a.low_y, b.low_y), low_x = larger(a.low_x, b.low_x);
  const float high_y = smaller(a.high_y, b.high_y), high_x = smaller(a.high_x, b.high_x);
  if (!less(low_y, high_y) || !less(low_x, high_x)) return 0.0F;
  const auto area = [](float y0, float x0, float y1, float x1) {
    return ieee::multiply(ieee::subtract(y1, y0), ieee::subtract(x1, x0));
  };
  const float of_a = area(a.low_y, a.low_x, a.high_y, a.high_x);
  const float of_b = area(b.low_y, b.low_x, b.high_y, b.high_x);
  if (!less(0.0F, of_a) || !less(0.0F, of_b)) return 0.0F;
  const float shared = area(low_y, low_x, high_y, high_x);
  return ieee::divide(shared, ieee::subtract(ieee::add(of_a, of_b), shared));
}

}  // namespace detail

/// encodings, anchors  [boxes, 4] as y, x, h, w; encodings may have more entries a box: `stride`
[[nodiscard]] inline std::vector<detection_box> decode_boxes(const detection_spec& s,
                                                             std::span<const float> encodings,
                                                             std::size_t stride,
                                                             std::span<const float> anchors) {
  std::vector<detection_box> boxes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.boxes); ++i) {
    const float* const e = encodings.data() + i * stride;
    const float* const a = anchors.data() + i * 4;
    const auto y = detail::decode_edges(e[0], e[2], s.y_scale, s.h_scale, a[0], a[2]);
    const auto x = detail::decode_edges(e[1], e[3], s.x_scale, s.w_scale, a[1], a[3]);
    boxes.push_back({y[0], x[0], y[1], x[1]});
  }
  return boxes;
}

/// The boxes that stay, best first: at most `most`, none of which overlaps a better one too much.
[[nodiscard]] inline std::vector<std::int32_t> suppress(const detection_spec& s,
                                                        const std::vector<detection_box>& boxes,
                                                        const std::vector<float>& scores,
                                                        std::int32_t most) {
  std::vector<std::int32_t> order;
  for (std::int32_t i = 0; i < s.boxes; ++i)
    if (!ieee::less(scores[static_cast<std::size_t>(i)], s.score_threshold)) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t i, std::int32_t j) {
    return ieee::less(scores[static_cast<std::size_t>(j)], scores[static_cast<std::size_t>(i)]);
  });
  std::vector<std::int32_t> kept;
  for (const std::int32_t candidate : order) {
    if (static_cast<std::int32_t>(kept.size()) >= most) break;
    const bool hidden = std::any_of(kept.begin(), kept.end(), [&](std::int32_t better) {
      return ieee::less(s.overlap_threshold,
                        detail::overlap(boxes[static_cast<std::size_t>(better)],
                                        boxes[static_cast<std::size_t>(candidate)]));
    });
    if (!hidden) kept.push_back(candidate);
  }
  return kept;
}

/// scores  [boxes, label_offset + classes]. Best first.
[[nodiscard]] inline std::vector<detection> detect(const detection_spec& s,
                                                   const std::vector<detection_box>& boxes,
                                                   std::span<const float> scores) {
  const auto width = static_cast<std::size_t>(s.label_offset + s.classes);
  const auto score = [&](std::int32_t box, std::int32_t label) {
    return scores[static_cast<std::size_t>(box) * width +
                  static_cast<std::size_t>(s.label_offset + label)];
  };
  std::vector<float> column(static_cast<std::size_t>(s.boxes));
  std::vector<detection> found;
  const auto better = [](const detection& a, const detection& b) {
    return ieee::less(b.score, a.score);
  };
  if (s.regular) {
    for (std::int32_t label = 0; label < s.classes; ++label) {
      for (std::int32_t box = 0; box < s.boxes; ++box)
        column[static_cast<std::size_t>(box)] = score(box, label);
      std::vector<detection> of_class, merged;
      for (const std::int32_t box : suppress(s, boxes, column, s.boxes_a_class))
        of_class.push_back({box, label, score(box, label)});
      const auto& first = s.stable ? found : of_class;
      const auto& second = s.stable ? of_class : found;
      std::merge(first.begin(), first.end(), second.begin(), second.end(),
                 std::back_inserter(merged), better);
      found = std::move(merged);
      if (found.size() > static_cast<std::size_t>(s.most))
        found.resize(static_cast<std::size_t>(s.most));
    }
    return found;
  }
  const auto best_classes = [&](std::int32_t box) {
    std::vector<detection> of_box;
    for (std::int32_t label = 0; label < s.classes; ++label)
      of_box.push_back({box, label, score(box, label)});
    const auto count = std::min(s.classes_a_box, s.classes);
    if (s.stable) {
      std::stable_sort(of_box.begin(), of_box.end(), better);
      of_box.resize(static_cast<std::size_t>(count));
      return of_box;
    }
    std::vector<detection> best;
    for (const std::int32_t label : select_by_heap(s.classes, count, [&](auto i, auto j) {
           return ieee::less(score(box, j), score(box, i));
         }))
      best.push_back({box, label, score(box, label)});
    return best;
  };
  for (std::int32_t box = 0; box < s.boxes; ++box) {
    float best = score(box, 0);
    for (std::int32_t label = 1; label < s.classes; ++label)
      if (ieee::less(best, score(box, label))) best = score(box, label);
    column[static_cast<std::size_t>(box)] = best;
  }
  for (const std::int32_t box : suppress(s, boxes, column, s.most))
    for (const detection& one : best_classes(box)) found.push_back(one);
  return found;
}

}  // namespace bittwin::inline v1
