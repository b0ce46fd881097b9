// SPDX-License-Identifier: Apache-2.0
// How targets are read from JSON and written to it: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/target_file.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

const target_description* find_description(std::string_view name) {
  for (const auto* all : {&graph::shipped_descriptions(), &graph::template_descriptions()})
    for (const target_description& one : *all)
      if (one.name == name) return &one;
  return nullptr;
}

nlohmann::ordered_json to_json(const target_description& d) {
  nlohmann::ordered_json rooms = nlohmann::ordered_json::object();
  for (const room_description& room : d.rooms) {
    auto& axes = rooms[room.room] = nlohmann::ordered_json::object();
    for (const axis_description& axis : room.axes)
      axes[axis.axis] = {
          {"value", axis.value}, {"confidence", name_of(axis.level)}, {"source", axis.source}};
    if (!room.layers.empty()) axes["layers"] = room.layers;
  }
  nlohmann::ordered_json root{{"schema", 1}, {"name", d.name}, {"version", d.version}};
  for (const auto& [key, text] :
       {std::pair{"otherwise", &d.otherwise}, std::pair{"delegation", &d.delegation},
        std::pair{"formula", &d.formula}, std::pair{"known_faults", &d.known_faults},
        std::pair{"to_measure", &d.to_measure}})
    if (!text->empty()) root[key] = *text;
  if (d.is_real) root["is_real"] = true;
  root["rooms"] = std::move(rooms);
  return root;
}

namespace detail {

/// Where a text stops being JSON.
struct first_error : nlohmann::json_sax<nlohmann::ordered_json> {
  std::size_t position = 0;
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t at, const std::string&,
                   const nlohmann::detail::exception&) override {
    position = at;
    return false;
  }
};

class target_reader {
 public:
  explicit target_reader(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] result<target_description> read(std::string_view text) {
    first_error wrong;
    if (!json::sax_parse(text, &wrong))
      return refuse("", "is no JSON at byte " + std::to_string(wrong.position) +
                            "; correct it there, 'bittwin targets NAME --json' shows the form");
    const json root = json::parse(text, nullptr, false);
    if (!root.is_object()) return refuse("", "is not a JSON object; start with {\"schema\": 1}");
    const auto schema = root.find("schema");
    if (schema == root.end() || *schema != 1)
      return refuse("schema", "is not 1, the only one that this version reads");
    target_description d;
    if (const auto base = root.find("base"); base != root.end()) {
      const auto* const from =
          base->is_string() ? find_description(base->get<std::string>()) : nullptr;
      if (from == nullptr)
        return refuse("base", "is no target; there are " + names() + "; choose one");
      d = *from;
      d.formula.clear();
      for (room_description& room : d.rooms)
        for (axis_description& axis : room.axes)
          if (axis.value != "unknown")
            axis = {axis.axis, axis.value, confidence::assumed, "as " + from->name};
    }
    for (const auto& [key, to] :
         {std::pair{"name", &d.name}, std::pair{"version", &d.version},
          std::pair{"otherwise", &d.otherwise}, std::pair{"delegation", &d.delegation},
          std::pair{"formula", &d.formula}, std::pair{"known_faults", &d.known_faults},
          std::pair{"to_measure", &d.to_measure}})
      if (const auto at = root.find(key); at != root.end()) {
        if (!at->is_string()) return refuse(key, "is no text; put it in quotes");
        *to = at->get<std::string>();
      }
    d.is_real = d.is_real || root.value("is_real", json()) == true;
    if (!root.contains("name") || d.name.empty())
      return refuse("name", "is missing; name the target");
    const auto rooms = root.find("rooms");
    if (rooms != root.end() && !rooms->is_object())
      return refuse("rooms", "is not an object of rooms by name, as {\"conv2d\": {...}}");
    if (rooms != root.end())
      for (const auto& [name, axes] : rooms->items())
        if (auto s = read_room(d, name, axes); !s) return s.error();
    return d;
  }

 private:
  using json = nlohmann::ordered_json;

  [[nodiscard]] error refuse(const std::string& where, const std::string& text) const {
    return {error_code::bad_file, file_ + ": " + where + (where.empty() ? "" : " ") + text};
  }
  [[nodiscard]] static std::string text_or(const json& object, const char* key,
                                           const std::string& otherwise) {
    const auto at = object.find(key);
    return at != object.end() && at->is_string() ? at->get<std::string>() : otherwise;
  }
  [[nodiscard]] static std::string names() {
    std::string all;
    for (const target_description& one : graph::shipped_descriptions())
      all += (all.empty() ? "" : ", ") + one.name;
    return all;
  }

  [[nodiscard]] status read_room(target_description& d, const std::string& name, const json& axes) {
    const std::string where = "rooms." + name;
    auto room = std::find_if(d.rooms.begin(), d.rooms.end(),
                             [&](const room_description& r) { return r.room == name; });
    if (axes.is_null()) {
      if (room != d.rooms.end()) d.rooms.erase(room);
      return ok();
    }
    if (!axes.is_object()) return refuse(where, "is neither an object of axes by name nor null");
    if (room == d.rooms.end()) room = d.rooms.insert(d.rooms.end(), {name, {}, {}});
    for (const auto& [axis, value] : axes.items())
      if (auto s = axis == "layers" ? read_layers(*room, where, value)
                                    : read_axis(*room, where, axis, value);
          !s)
        return s;
    return ok();
  }

  [[nodiscard]] status read_layers(room_description& room, const std::string& where,
                                   const json& list) const {
    room.layers.clear();
    if (!list.is_array()) return refuse(where + ".layers", "is not a list of texts");
    for (const json& one : list) {
      if (!one.is_string()) return refuse(where + ".layers", "is not a list of texts");
      room.layers.push_back(one.get<std::string>());
    }
    return ok();
  }

  [[nodiscard]] status read_axis(room_description& room, const std::string& where,
                                 const std::string& axis, const json& value) const {
    axis_description to{axis, {}, confidence::inferred, file_};
    const json* text = &value;
    if (value.is_object()) {
      const auto held = value.find("value");
      if (held == value.end()) return refuse(where + "." + axis, "has no \"value\"");
      text = &*held;
      to.source = text_or(value, "source", to.source);
      const std::string level = text_or(value, "confidence", std::string(name_of(to.level)));
      for (int i = 0; i <= static_cast<int>(confidence::unknown); ++i)
        if (name_of(static_cast<confidence>(i)) == level) to.level = static_cast<confidence>(i);
    }
    if (!text->is_string())
      return refuse(where + "." + axis, "is no text; write the value's name, as \"half-even\"");
    to.value = text->get<std::string>();
    const auto known = std::find_if(room.axes.begin(), room.axes.end(),
                                    [&](const axis_description& a) { return a.axis == axis; });
    if (known == room.axes.end())
      room.axes.push_back(std::move(to));
    else
      *known = std::move(to);
    return ok();
  }

  std::string file_;
};

}  // namespace detail

result<target_description> parse_target(std::string_view text, std::string file) {
  return detail::target_reader(std::move(file)).read(text);
}

result<graph::any_target> make_target(const target_description& described,
                                      const std::string& file) {
  auto made = graph::any_target::from(described);
  if (!made) return error{made.error().code, file + ": " + made.error().text};
  return made;
}

}  // namespace bittwin::analysis::inline v1
