// SPDX-License-Identifier: Apache-2.0
// Puts models together in memory: tensors, constants and operators one after another.
#pragma once

#include <bittwin/graph/model.hpp>
#include <bittwin/graph/operator_code.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::test {

class model_maker {
 public:
  /// A tensor of codes at scale 0.1 and the given zero point, computed or an input.
  std::int32_t codes(shape extents, std::int64_t zero_point = 0,
                     element_type type = element_type::int8, float scale = 0.1F) {
    graph::tensor t;
    t.name = "t" + std::to_string(model_.tensors.size());
    t.type = type;
    t.extents = extents;
    t.quantization = {{scale}, {zero_point}, 0};
    return add(std::move(t));
  }
  /// A tensor that is not quantized.
  std::int32_t plain(element_type type, shape extents) {
    graph::tensor t;
    t.name = "t" + std::to_string(model_.tensors.size());
    t.type = type;
    t.extents = extents;
    return add(std::move(t));
  }
  template <class T> std::int32_t list(const std::vector<T>& values) {
    const std::int32_t index =
        plain(element_type_of<T>, {static_cast<std::int32_t>(values.size())});
    fill(index, std::as_bytes(std::span(values)));
    return index;
  }
  std::int32_t scalar(std::int32_t value) {
    const std::int32_t index = plain(element_type::int32, {});
    fill(index, std::as_bytes(std::span(&value, 1)));
    return index;
  }
  /// Weights 1, 2, ... 7, -7, ... and so on, at scale 0.05, or one a channel along `axis`.
  std::int32_t weights(shape extents, int axis = -1) {
    const std::int32_t index = codes(extents, 0, element_type::int8, 0.05F);
    if (axis >= 0) {
      quantization& q = model_.tensors[static_cast<std::size_t>(index)].quantization;
      q = {{}, {}, axis};
      for (std::int32_t c = 0; c < extents[axis]; ++c) {
        q.scales.push_back(0.05F + 0.01F * static_cast<float>(c));
        q.zero_points.push_back(0);
      }
    }
    std::vector<std::int8_t> values;
    for (std::int64_t i = 0; i < extents.elements(); ++i)
      values.push_back(static_cast<std::int8_t>((i % 15 + 1) * (i % 2 == 0 ? 1 : -1)));
    fill(index, std::as_bytes(std::span(values)));
    return index;
  }
  /// A constant of given codes (int8, uint8, int32), one scale or one a channel along `axis`.
  std::int32_t codes_of(shape extents, element_type type, const std::vector<int>& values,
                        const std::vector<double>& scales, std::int64_t zero_point, int axis) {
    const std::int32_t index = codes(extents, 0, type);
    quantization& q = model_.tensors[static_cast<std::size_t>(index)].quantization;
    q = {{}, std::vector<std::int64_t>(scales.size(), zero_point), axis};
    for (const double s : scales) q.scales.push_back(static_cast<float>(s));
    if (type == element_type::int32) {
      fill(index, std::as_bytes(std::span(values)));
      return index;
    }
    std::vector<std::byte> bytes;
    for (const int value : values) bytes.push_back(static_cast<std::byte>(value & 0xFF));
    fill(index, bytes);
    return index;
  }
  std::int32_t bias(std::int32_t channels) {
    const std::int32_t index = codes({channels}, 0, element_type::int32, 0.005F);
    std::vector<std::int32_t> values;
    for (std::int32_t c = 0; c < channels; ++c) values.push_back(17 * c - 20);
    fill(index, std::as_bytes(std::span(values)));
    return index;
  }
  /// State kept between runs.
  std::int32_t state(shape extents, element_type type) {
    const std::int32_t index = codes(extents, 0, type);
    model_.tensors[static_cast<std::size_t>(index)].variable = true;
    return index;
  }

  void reshape(std::int32_t index, shape extents) {
    model_.tensors[static_cast<std::size_t>(index)].extents = extents;
  }
  void quantize_as(std::int32_t index, std::int32_t other) {
    model_.tensors[static_cast<std::size_t>(index)].quantization =
        model_.tensors[static_cast<std::size_t>(other)].quantization;
  }

  graph::operation& apply(graph::operator_code code, std::vector<std::int32_t> inputs,
                          std::vector<std::int32_t> outputs, graph::operator_options options = {}) {
    graph::operation op;
    op.code = code;
    op.label = graph::name_of(code);
    op.inputs = std::move(inputs);
    op.outputs = std::move(outputs);
    op.options = std::move(options);
    model_.operations.push_back(std::move(op));
    return model_.operations.back();
  }

  graph::model finish(std::vector<std::int32_t> inputs, std::vector<std::int32_t> outputs) {
    model_.inputs = std::move(inputs);
    model_.outputs = std::move(outputs);
    model_.description = "made by a test";
    auto storage = std::make_shared<const std::vector<std::byte>>(std::move(bytes_));
    for (const auto& [index, first, size] : constants_)
      model_.tensors[static_cast<std::size_t>(index)].constant =
          std::span(*storage).subspan(first, size);
    model_.storage = std::move(storage);
    return std::move(model_);
  }

 private:
  struct range {
    std::int32_t index;
    std::size_t first, size;
  };

  std::int32_t add(graph::tensor t) {
    model_.tensors.push_back(std::move(t));
    return static_cast<std::int32_t>(model_.tensors.size()) - 1;
  }
  void fill(std::int32_t index, std::span<const std::byte> bytes) {
    constants_.push_back({index, bytes_.size(), bytes.size()});
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  graph::model model_;
  std::vector<std::byte> bytes_;
  std::vector<range> constants_;
};

}  // namespace bittwin::test
