// SPDX-License-Identifier: Apache-2.0
// How a comparison is written as JSON: compiled once, with bittwin::analysis.
#pragma once

#include <algorithm>
#include <bittwin/analysis/comparison_json.hpp>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

namespace detail {

class comparison_json {
 public:
  using json = nlohmann::ordered_json;

  [[nodiscard]] static json of(const comparison& c) {
    json segments = json::array();
    for (const segment& s : c.segments) segments.push_back(of(s));
    json first = nullptr;
    if (const segment* s = c.first())
      first = {{"ops", s->ops}, {"tensor", s->tensor}, {"verdict", name_of(s->verdict)}};
    return {{"preflight", to_json(c.preflight)},
            {"assumptions", c.assumptions},
            {"segments", segments},
            {"first", first}};
  }

 private:
  [[nodiscard]] static json of(const segment& s) {
    const difference& d = s.metrics;
    json off_by = json::object();
    for (const auto& [codes, count] : d.off_by) off_by[std::to_string(codes)] = count;
    return {{"ops", s.ops},
            {"op", s.label},
            {"tensor", s.tensor},
            {"name", s.name},
            {"verdict", name_of(s.verdict)},
            {"mismatches", d.mismatches},
            {"elements", d.elements},
            {"max_codes", d.max_codes},
            {"max_abs", d.max_abs},
            {"off_by", off_by},
            {"first_mismatch", of(d.first)},
            {"sqnr_db", of(d.sqnr_db)},
            {"cosine", of(d.cosine)},
            {"rmse_over_scale", of(d.rmse_over_scale)},
            {"out_of_range", of(s.out_of_range)},
            {"vacuous", d.vacuous()},
            {"one_step", one_step(s.one_step)},
            {"worst_channels", worst_channels(d)},
            {"rounding", rounding(s.rounding)},
            {"signature", to_json(s.signature)}};
  }
  template <class T> [[nodiscard]] static json of(const std::optional<T>& value) {
    return value ? json(*value) : json(nullptr);
  }
  [[nodiscard]] static json rounding(const std::optional<rounding_share>& r) {
    if (!r) return nullptr;
    return {{"observed", r->observed},
            {"predicted", r->most},
            {"as", r->as.empty() ? json(nullptr) : json(r->as)}};
  }
  [[nodiscard]] static json one_step(const std::optional<difference>& d) {
    if (!d) return nullptr;
    return {{"mismatches", d->mismatches}, {"elements", d->elements}, {"max_codes", d->max_codes}};
  }
  [[nodiscard]] static json worst_channels(const difference& d) {
    std::vector<std::pair<std::int64_t, std::size_t>> channels;
    for (std::size_t c = 0; c < d.by_channel.size(); ++c)
      if (d.by_channel[c] > 0) channels.emplace_back(-d.by_channel[c], c);
    std::sort(channels.begin(), channels.end());
    json list = json::array();
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < std::min(channels.size(), most); ++i)
      list.push_back({{"channel", channels[i].second}, {"mismatches", -channels[i].first}});
    return list;
  }
};

}  // namespace detail

nlohmann::ordered_json to_json(const std::vector<finding>& findings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const finding& f : findings) list.push_back({{"code", f.code}, {"text", f.text}});
  return list;
}
nlohmann::ordered_json to_json(const comparison& c) { return detail::comparison_json::of(c); }

}  // namespace bittwin::analysis::inline v1
