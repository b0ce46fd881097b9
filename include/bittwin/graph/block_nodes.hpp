// SPDX-License-Identifier: Apache-2.0
// SPACE_TO_DEPTH, DEPTH_TO_SPACE, SPACE_TO_BATCH_ND, BATCH_TO_SPACE_ND: blocks of an image become channels
// or images of a batch, and back.
#pragma once

#include <bittwin/graph/padding_nodes.hpp>

namespace bittwin::graph::inline v1 {

namespace detail {

[[nodiscard]] inline axis_source linear_axis(std::int64_t extent, std::int64_t stride) noexcept {
  return {.extent = extent, .limit = extent, .stride = stride};
}

}  // namespace detail

/// y[n, h, w, (by, bx, c)] = x[n, h * size + by, w * size + bx, c]; DEPTH_TO_SPACE is its inverse.
[[nodiscard]] inline result<node> build_depth(const node_context& c, bool to_depth) {
  using detail::linear_axis;
  if (auto s = c.expect_one_type(1); !s) return s.error();
  if (auto s = c.expect_rank(c.input(), 4, "NHWC"); !s) return s.error();
  const shape& x = c.in().extents;
  const std::int32_t size = c.options<block_options>().size;
  const std::int64_t area = std::int64_t{size} * size;
  if (size < 1 || size > (1 << 15) ||
      (to_depth ? x[1] % size != 0 || x[2] % size != 0 || x[3] * area > (std::int64_t{1} << 30)
                : x[3] % area != 0 || std::int64_t{x[1]} * size > (std::int64_t{1} << 30) ||
                      std::int64_t{x[2]} * size > (std::int64_t{1} << 30)))
    return c.fail(error_code::bad_shape, sentence({"a tensor of shape ", to_string(x),
                                                   " has no whole blocks of ", number(size)}));
  const shape made =
      to_depth ? shape{x[0], x[1] / size, x[2] / size, static_cast<std::int32_t>(x[3] * area)}
               : shape{x[0], x[1] * size, x[2] * size, static_cast<std::int32_t>(x[3] / area)};
  if (auto s = c.expect_shape(made); !s) return s.error();
  const auto step = detail::strides_of(x);
  std::vector<axis_source> axes{linear_axis(x[0], step[0])};
  if (to_depth) {
    axes.push_back(linear_axis(made[1], step[1] * size));
    axes.push_back(linear_axis(made[2], step[2] * size));
    axes.push_back(linear_axis(size, step[1]));
    axes.push_back(linear_axis(size, step[2]));
    axes.push_back(linear_axis(x[3], 1));
  } else {
    axes.push_back(linear_axis(x[1], step[1]));
    axes.push_back(linear_axis(size, std::int64_t{made[3]} * size));
    axes.push_back(linear_axis(x[2], step[2]));
    axes.push_back(linear_axis(size, made[3]));
    axes.push_back(linear_axis(made[3], 1));
  }
  return detail::mapped_node(c, 0, std::move(axes));
}

namespace detail {

/// Block shape and borders (paddings or crops) of the spatial axes 1 to `blocks.size()`.
struct blocking {
  std::vector<std::int32_t> blocks;
  std::vector<border> borders;
  std::int64_t count = 1;  ///< product of the blocks
};

[[nodiscard]] inline result<blocking> blocking_of(const node_context& c) {
  if (auto s = c.expect_one_type(1); !s) return s.error();
  const auto blocks = constant_integers(c, 1);
  if (!blocks) return blocks.error();
  if (static_cast<int>(blocks->size()) + 1 > c.in().extents.rank())
    return c.fail(error_code::bad_shape,
                  sentence({number(blocks->size()), " block extents for a tensor of shape ",
                            to_string(c.in().extents), ", whose first axis is the batch"}));
  blocking b{*blocks, {}, 1};
  for (const std::int32_t block : b.blocks) {
    if (block < 1 || b.count * block > (1 << 30))
      return c.fail(error_code::bad_option,
                    sentence({"a block extent of ", number(block),
                              "; it must be at least 1, and the product at most 2^30"}));
    b.count *= block;
  }
  auto borders = borders_of(c, 2, static_cast<int>(blocks->size()));
  if (!borders) return borders.error();
  b.borders = *std::move(borders);
  return b;
}

}  // namespace detail

/// The batch is [blocks…, batch]: y[(k…, n), i…, c] = x[n, i * block + k - before…, c], or the fill.
/// One map a combination of k…, each of which makes a dense part of the result.
[[nodiscard]] inline result<node> build_space_to_batch(const node_context& c) {
  if (!c.rules.is_real && c.rules.space_to_batch_nd == nullptr) return c.refuse();
  const auto b = detail::blocking_of(c);
  if (!b) return b.error();
  const shape& x = c.in().extents;
  shape made = x;
  auto axes = detail::identity_axes(x);
  for (std::size_t i = 0; i < b->blocks.size(); ++i) {
    const std::int64_t padded = axes[i + 1].extent + b->borders[i].before + b->borders[i].behind;
    if (padded % b->blocks[i] != 0 || padded > (std::int64_t{1} << 30))
      return c.fail(error_code::bad_shape,
                    sentence({"axis ", number(i + 1), " has ", number(padded),
                              " padded elements, which do not divide into blocks of ",
                              number(b->blocks[i])}));
    axes[i + 1].start = -std::int64_t{b->borders[i].before};
    axes[i + 1].step = b->blocks[i];
    axes[i + 1].extent = padded / b->blocks[i];
    made[static_cast<int>(i) + 1] = static_cast<std::int32_t>(axes[i + 1].extent);
  }
  if (b->count * x[0] > (std::int64_t{1} << 30))
    return c.fail(error_code::too_large, "the batch passes 2^30 images");
  made[0] = static_cast<std::int32_t>(b->count * x[0]);
  if (auto s = c.expect_shape(made); !s) return s.error();
  return node([axes, blocks = b->blocks, count = b->count,
               fill = detail::padding_element(c, c.out(), c.rules.space_to_batch_nd),
               size = detail::stored_size(c, c.input()), from = c.input(),
               to = c.output()](const workspace& s) {
    const std::size_t part = s.bytes(to).size() / static_cast<std::size_t>(count);
    if (part == 0) return;
    for (std::int64_t k = 0; k < count; ++k) {
      auto shifted = axes;
      std::int64_t rest = k;
      for (std::size_t i = blocks.size(); i-- > 0; rest /= blocks[i])
        shifted[i + 1].start += rest % blocks[i];
      element_map(std::move(shifted), size)
          .copy(s.bytes(from).data(), s.bytes(to).data() + static_cast<std::size_t>(k) * part,
                fill.data());
    }
  });
}

/// y[n, i…, c] = x[(k…, n), q…, c] where i + before = q * block + k
[[nodiscard]] inline result<node> build_batch_to_space(const node_context& c) {
  const auto b = detail::blocking_of(c);
  if (!b) return b.error();
  const shape& x = c.in().extents;
  if (x[0] % b->count != 0)
    return c.fail(error_code::bad_shape,
                  sentence({"a batch of ", number(x[0]), " does not divide into blocks of ",
                            number(b->count)}));
  shape made = x;
  auto axes = detail::identity_axes(x);
  const std::int64_t images = x[0] / b->count;
  made[0] = static_cast<std::int32_t>(images);
  axes[0].extent = images;
  std::int64_t inner = images * detail::strides_of(x)[0];
  for (std::size_t i = b->blocks.size(); i-- > 0; inner *= b->blocks[i]) {
    axis_source& axis = axes[i + 1];
    const std::int64_t extent =
        axis.extent * b->blocks[i] - b->borders[i].before - b->borders[i].behind;
    if (extent < 0 || extent > (std::int64_t{1} << 30))
      return c.fail(error_code::bad_shape, sentence({"axis ", number(i + 1), " has ",
                                                     number(extent), " elements after the crop"}));
    axis.how = axis_source::kind::blocks;
    axis.start = b->borders[i].before;
    axis.step = b->blocks[i];
    axis.inner = inner;
    axis.extent = extent;
    made[static_cast<int>(i) + 1] = static_cast<std::int32_t>(extent);
  }
  if (auto s = c.expect_shape(made); !s) return s.error();
  return detail::mapped_node(c, 0, std::move(axes));
}

}  // namespace bittwin::graph::inline v1
