// SPDX-License-Identifier: Apache-2.0
// How manifest.json is read and written: compiled once, with bittwin::analysis.
#pragma once

#include <bittwin/analysis/manifest.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

manifest_tensor describe(const graph::model& from, std::int32_t index) {
  const graph::tensor& t = from.tensors[static_cast<std::size_t>(index)];
  manifest_tensor entry{index,  t.name,         dump_file_name(index), t.extents,
                        t.type, t.quantization, std::nullopt,          {}};
  for (std::size_t k = 0; k < from.operations.size(); ++k)
    for (const std::int32_t written : from.operations[k].outputs)
      if (written == index) {
        entry.op_index = static_cast<std::int32_t>(k);
        entry.op = from.operations[k].label;
      }
  return entry;
}

std::string to_json(const manifest& from) {
  nlohmann::ordered_json tensors = nlohmann::ordered_json::array();
  for (const manifest_tensor& t : from.tensors) {
    nlohmann::ordered_json entry{{"index", t.index}, {"name", t.name}, {"file", t.file}};
    entry["shape"] =
        std::vector<std::int32_t>(t.extents.extents().begin(), t.extents.extents().end());
    entry["dtype"] = name_of(t.type);
    entry["scale"] = t.quantization.scales;
    entry["zero_point"] = t.quantization.zero_points;
    entry["quantized_dimension"] = t.quantization.axis;
    entry["op_index"] = t.op_index ? nlohmann::ordered_json(*t.op_index) : nullptr;
    entry["op"] = t.op_index ? nlohmann::ordered_json(t.op) : nullptr;
    tensors.push_back(std::move(entry));
  }
  const nlohmann::ordered_json root{{"model", from.model},
                                    {"sha256", from.sha256},
                                    {"tool_version", from.tool_version},
                                    {"target", from.target},
                                    {"tensors", std::move(tensors)}};
  // Names come out of files and may be no UTF-8: replaced, never thrown about.
  return root.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

namespace detail {

class manifest_reader {
 public:
  explicit manifest_reader(std::string name) : name_(std::move(name)) {}

  [[nodiscard]] result<manifest> read(std::string_view text) const {
    const auto root = nlohmann::json::parse(text, nullptr, false);
    if (!root.is_object()) return refuse("is not a JSON object; write the dump again");
    const auto* const tensors = find(root, "tensors");
    if (tensors == nullptr || !tensors->is_array())
      return refuse("has no list \"tensors\"; write the dump again");
    manifest to;
    to.model = text_of(root, "model");
    to.sha256 = text_of(root, "sha256");
    to.tool_version = text_of(root, "tool_version");
    to.target = text_of(root, "target");
    for (const auto& entry : *tensors) {
      result<manifest_tensor> t = read_tensor(entry, to.tensors.size());
      if (!t) return t.error();
      to.tensors.push_back(std::move(*t));
    }
    return to;
  }

 private:
  using json = nlohmann::json;

  [[nodiscard]] error refuse(const std::string& text) const {
    return {error_code::bad_file, name_ + " " + text};
  }
  [[nodiscard]] static const json* find(const json& object, const char* key) {
    const auto at = object.find(key);
    return at == object.end() ? nullptr : &*at;
  }
  [[nodiscard]] static std::string text_of(const json& object, const char* key) {
    const json* const value = find(object, key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
  }
  [[nodiscard]] static std::optional<std::int64_t> integer_of(const json* value) {
    if (value == nullptr || !value->is_number_integer()) return std::nullopt;
    return value->get<std::int64_t>();
  }

  [[nodiscard]] result<manifest_tensor> read_tensor(const json& entry, std::size_t place) const {
    const std::string where = "tensors[" + std::to_string(place) + "]";
    if (!entry.is_object()) return refuse(where + " is not an object; write the dump again");
    manifest_tensor t;
    const auto index = integer_of(find(entry, "index"));
    if (!index || *index < 0 || *index > INT32_MAX)
      return refuse(where + ".index is not a tensor index; write the dump again");
    t.index = static_cast<std::int32_t>(*index);
    t.name = text_of(entry, "name");
    t.file = text_of(entry, "file");
    // A manifest is data from elsewhere: it may not name files outside its folder.
    if (t.file.empty() || t.file[0] == '.' || t.file.find_first_of("/\\") != std::string::npos)
      return refuse(where + ".file is not a plain file name; write the dump again");
    const std::string dtype = text_of(entry, "dtype");
    const std::optional<element_type> type = element_type_named(dtype);
    if (!type) return refuse(where + ".dtype is not a known type; write the dump again");
    t.type = *type;
    if (!read_shape(find(entry, "shape"), t.extents))
      return refuse(where + ".shape is not a list of at most 8 extents; write the dump again");
    if (!read_quantization(entry, t.quantization))
      return refuse(where +
                    " has scale, zero_point or quantized_dimension that do not fit; "
                    "write the dump again");
    if (const auto op = integer_of(find(entry, "op_index")); op && *op >= 0 && *op <= INT32_MAX)
      t.op_index = static_cast<std::int32_t>(*op);
    t.op = text_of(entry, "op");
    return t;
  }

  [[nodiscard]] static bool read_shape(const json* list, shape& to) {
    if (list == nullptr || !list->is_array() || list->size() > shape::max_rank) return false;
    for (const json& extent : *list) {
      const auto value = integer_of(&extent);
      if (!value || *value < 0 || *value > INT32_MAX) return false;
      to.push_back(static_cast<std::int32_t>(*value));
    }
    return true;
  }

  [[nodiscard]] static bool read_quantization(const json& entry, quantization& to) {
    const json* const scales = find(entry, "scale");
    const json* const zero_points = find(entry, "zero_point");
    if (scales == nullptr && zero_points == nullptr) return true;
    if (scales == nullptr || !scales->is_array()) return false;
    for (const json& scale : *scales) {
      if (!scale.is_number()) return false;
      const auto value = scale.get<double>();
      if (!(value > 0 && value <= double{std::numeric_limits<float>::max()})) return false;
      to.scales.push_back(static_cast<float>(value));
    }
    to.zero_points.assign(to.scales.size(), 0);
    if (zero_points != nullptr) {
      if (!zero_points->is_array() || zero_points->size() != to.scales.size()) return false;
      for (std::size_t i = 0; i < to.scales.size(); ++i) {
        const auto value = integer_of(&(*zero_points)[i]);
        if (!value) return false;
        to.zero_points[i] = *value;
      }
    }
    const auto axis = integer_of(find(entry, "quantized_dimension")).value_or(0);
    if (axis < 0 || axis >= shape::max_rank) return false;
    to.axis = static_cast<int>(axis);
    return true;
  }

  std::string name_;
};

}  // namespace detail

result<manifest> parse_manifest(std::string_view text, const std::string& name) {
  return detail::manifest_reader(name).read(text);
}

}  // namespace bittwin::analysis::inline v1
