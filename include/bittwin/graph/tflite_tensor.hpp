// SPDX-License-Identifier: Apache-2.0
// Reads one tensor of a .tflite file: type, shape, constant data and quantization, each checked.
#pragma once

#include <algorithm>
#include <bittwin/graph/flatbuffer_view.hpp>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/tflite_schema.hpp>
#include <bittwin/types/ieee_format.hpp>
#include <bittwin/types/mutation.hpp>
#include <bittwin/types/result.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace bittwin::graph::inline v1 {

/// One tensor. Sentences start with the tensor, as `label` names it. The caller asks the file
/// whether it failed() before it looks at the result.
class tflite_tensor {
 public:
  static constexpr std::int64_t most_elements = std::int64_t{1} << 31;
  /// Along the other axes of a tensor that has no elements: loops over nothing take time, too.
  static constexpr std::int64_t most_around_nothing = std::int64_t{1} << 20;

  tflite_tensor(flatbuffer_view& file, flatbuffer_tables buffers, flatbuffer_table table,
                std::string label)
      : file_(file), buffers_(buffers), table_(table), label_(std::move(label)) {}

  [[nodiscard]] result<tensor> read() {
    if (status done = read_type(); !done) return done.error();
    if (status done = read_shape(); !done) return done.error();
    if (status done = read_constant(); !done) return done.error();
    if (status done = read_quantization(); !done) return done.error();
    return std::move(tensor_);
  }

 private:
  [[nodiscard]] error refuse(error_code code, const std::string& text) const {
    return {code, label_ + " " + text};
  }

  [[nodiscard]] status read_type() {
    const auto type = table_.number<std::int8_t>(tflite_schema::tensor_type, 0);
    const std::optional<element_type> known = tflite_schema::element_type_of(type);
    if (!known)
      return refuse(error_code::unsupported,
                    "has the type " + tflite_schema::type_name(type) +
                        ", which is not supported; export the model with 8-bit tensors");
    tensor_.type = *known;
    tensor_.variable = table_.flag(tflite_schema::tensor_is_variable, false);
    if (table_.has(tflite_schema::tensor_sparsity))
      return refuse(error_code::unsupported, "is sparse; export the model with dense weights");
    return ok();
  }

  [[nodiscard]] status read_shape() {
    const auto extents = table_.list<std::int32_t>(tflite_schema::tensor_shape);
    if (BITTWIN_MUTABLE(extents.size() > shape::max_rank, rank_limit,
                        extents.size() > shape::max_rank + 1))
      return refuse(error_code::unsupported, "has rank " + std::to_string(extents.size()) +
                                                 "; at most " + std::to_string(shape::max_rank) +
                                                 " is supported");
    std::int64_t elements = 1, around = 1;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      const std::int32_t extent = extents[axis];
      if (extent == -1)
        return refuse(error_code::unsupported, "has no fixed extent on axis " +
                                                   std::to_string(axis) +
                                                   "; export the model with fixed shapes");
      if (BITTWIN_MUTABLE(extent < 0, negative_extent, false))
        return refuse(error_code::bad_shape, "has the extent " + std::to_string(extent) +
                                                 " on axis " + std::to_string(axis) +
                                                 "; export the model again");
      elements *= extent;
      // Checked at each axis, so that the product stays inside 62 bits.
      if (BITTWIN_MUTABLE(elements > most_elements, element_limit, elements >= most_elements))
        return refuse(error_code::too_large, "has more than 2^31 elements; split the tensor");
      around = std::min(around * std::max(extent, 1), most_elements);
      tensor_.extents.push_back(extent);
    }
    if (elements == 0 && around > most_around_nothing)
      return refuse(error_code::too_large,
                    "has no elements, and more than 2^20 along its other axes; remove it");
    return ok();
  }

  [[nodiscard]] status read_constant() {
    const auto index = table_.number<std::uint32_t>(tflite_schema::tensor_buffer, 0);
    if (table_.number<std::uint32_t>(tflite_schema::tensor_external_buffer, 0) != 0)
      return refuse(error_code::unsupported,
                    "keeps its data in another file; export the model as one file");
    // Buffer 0 means "no data" and may be left out by writers.
    if (index == 0) return ok();
    if (BITTWIN_MUTABLE(index >= buffers_.size(), buffer_index, index > buffers_.size()))
      return refuse(error_code::bad_file, "refers to buffer " + std::to_string(index) + " of " +
                                              std::to_string(buffers_.size()) +
                                              "; export the model again");
    result<std::span<const std::byte>> found = data_of(buffers_[index]);
    if (!found) return found.error();
    if (found->empty() || file_.failed()) return ok();
    if (tensor_.variable)
      return refuse(error_code::unsupported,
                    "is a variable with initial data; export the model without");
    const std::int64_t elements = tensor_.extents.elements();
    const std::int64_t expected = tensor_.type == element_type::int4
                                      ? (BITTWIN_MUTABLE(elements + 1, int4_bytes, elements)) / 2
                                      : elements * bytes_of(tensor_.type);
    if (std::cmp_not_equal(found->size(), expected))
      return refuse(error_code::bad_file,
                    "has " + std::to_string(found->size()) + " bytes of data at byte " +
                        std::to_string(found->data() - file_.whole_file().data()) + ", but " +
                        to_string(tensor_.extents) + " " + std::string(name_of(tensor_.type)) +
                        " takes " + std::to_string(expected) + "; export the model again");
    tensor_.constant = *found;
    return ok();
  }

  /// Data inside the flatbuffer or, in the newer layout, behind it in the same file.
  [[nodiscard]] result<std::span<const std::byte>> data_of(const flatbuffer_table& buffer) const {
    const auto data = buffer.list<std::uint8_t>(tflite_schema::buffer_data);
    const auto offset = buffer.number<std::uint64_t>(tflite_schema::buffer_offset, 0);
    const auto size = buffer.number<std::uint64_t>(tflite_schema::buffer_size, 0);
    // 0 and 1 stand for "not there": writers put 1 before they know the offset.
    if (!data.empty() || offset <= 1 || size == 0) return data.bytes();
    const std::span<const std::byte> file = file_.whole_file();
    if (offset > file.size() ||
        BITTWIN_MUTABLE(size > file.size() - offset, data_end, size > file.size() - offset + 1))
      return refuse(error_code::bad_file, "has its data at byte " + std::to_string(offset) +
                                              ", past the end of the file (" +
                                              std::to_string(file.size()) +
                                              " bytes): the file is truncated; copy it again");
    return file.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
  }

  [[nodiscard]] status read_quantization() {
    namespace schema = tflite_schema;
    const flatbuffer_table table = table_.child(schema::tensor_quantization);
    if (table.number<std::uint8_t>(schema::quantization_details_type, 0) != 0)
      return refuse(error_code::unsupported,
                    "is quantized by blocks or several axes; export it per tensor or per channel");
    const auto scales = table.list<float>(schema::quantization_scale);
    const auto zero_points = table.list<std::int64_t>(schema::quantization_zero_point);
    const auto axis = table.number<std::int32_t>(schema::quantization_axis, 0);
    // Exporters leave ranges of floats behind: they say nothing about codes.
    if (scales.empty() || !is_integer(tensor_.type) || tensor_.type == element_type::boolean)
      return ok();
    if (status right = check_lengths(scales.size(), zero_points.size(), axis); !right) return right;
    for (std::size_t c = 0; c < scales.size(); ++c) {
      const float scale = scales[c];
      // By bits: -ffast-math drops tests for NaN, and flush-to-zero hides subnormal scales.
      if (ieee::kind_of(scale) != ieee::kind::finite ||
          BITTWIN_MUTABLE(ieee::is_negative(scale), scale_sign, false) ||
          ieee::split(scale).significand == 0)
        return refuse(error_code::bad_scale,
                      "has the scale " + printed(scale) + of_channel(c, scales.size()) +
                          ", and scales are finite and above 0; quantize the tensor again");
      const std::int64_t zero_point =
          zero_points.empty() ? 0 : zero_points[zero_points.size() == 1 ? 0 : c];
      const code_range codes = range_of(tensor_.type);
      if (BITTWIN_MUTABLE(!codes.contains(zero_point), zero_point_code, false))
        return refuse(error_code::bad_zero_point,
                      "has the zero point " + std::to_string(zero_point) +
                          of_channel(c, scales.size()) + ", outside " +
                          std::string(name_of(tensor_.type)) + " [" + std::to_string(codes.low) +
                          ", " + std::to_string(codes.high) + "]; quantize the tensor again");
      tensor_.quantization.scales.push_back(scale);
      tensor_.quantization.zero_points.push_back(zero_point);
    }
    tensor_.quantization.axis = axis;
    return ok();
  }

  /// One zero point for all scales, or none, is read as the runtime does.
  [[nodiscard]] status check_lengths(std::size_t scales, std::size_t zero_points,
                                     std::int32_t axis) const {
    const int rank = tensor_.extents.rank();
    if (zero_points > 1 && BITTWIN_MUTABLE(zero_points != scales, zero_points_of_channels, false))
      return refuse(error_code::bad_zero_point, "has " + std::to_string(scales) + " scales and " +
                                                    std::to_string(zero_points) +
                                                    " zero points; quantize the tensor again");
    if (axis < 0 || (rank > 0 && BITTWIN_MUTABLE(axis >= rank, scale_axis_limit, axis > rank)))
      return refuse(error_code::bad_shape, "is quantized along axis " + std::to_string(axis) +
                                               " of shape " + to_string(tensor_.extents) +
                                               "; quantize the tensor again");
    const std::int64_t channels = rank > 0 ? tensor_.extents[axis] : 1;
    if (scales > 1 && std::cmp_not_equal(scales, channels))
      return refuse(error_code::bad_shape,
                    "has " + std::to_string(scales) + " scales along axis " + std::to_string(axis) +
                        " of shape " + to_string(tensor_.extents) + ", which needs 1 or " +
                        std::to_string(channels) + "; quantize the tensor again");
    return ok();
  }

  [[nodiscard]] static std::string printed(float value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
    return text;
  }
  [[nodiscard]] static std::string of_channel(std::size_t channel, std::size_t channels) {
    return channels > 1 ? " for channel " + std::to_string(channel) : "";
  }

  flatbuffer_view& file_;
  flatbuffer_tables buffers_;
  flatbuffer_table table_;
  std::string label_;
  tensor tensor_;
};

}  // namespace bittwin::graph::inline v1
