// SPDX-License-Identifier: Apache-2.0
// bittwin compare --explain: one output element through two targets, on the operands that TEST recorded.
#include "explain.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "verb.hpp"

namespace bittwin::cli {
namespace {

/// "7[123]", or "name[123]"; the element is counted in the tensor's order.
struct place {
  std::int32_t tensor = 0;
  std::int64_t element = 0;
};

template <class T> bool is_number(std::string_view text, T& value) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  return fault == std::errc{} && end == text.data() + text.size();
}

place place_of(const graph::model& m, std::string_view text) {
  const std::size_t open = text.rfind('[');
  place at;
  if (open == text.npos || !text.ends_with("]") ||
      !is_number(text.substr(open + 1, text.size() - open - 2), at.element))
    throw refusal(
        fmt::format("--explain {}: write TENSOR[i], as 7[123], with the index or the name "
                    "of a tensor",
                    graph::printable_name(text)));
  const std::string_view name = text.substr(0, open);
  if (is_number(name, at.tensor)) return at;
  const auto named = std::find_if(m.tensors.begin(), m.tensors.end(),
                                  [&](const graph::tensor& t) { return t.name == name; });
  if (named == m.tensors.end())
    throw refusal(
        fmt::format("--explain: {} has no tensor {}", m.name, graph::printable_name(name)));
  at.tensor = static_cast<std::int32_t>(named - m.tensors.begin());
  return at;
}

std::string value_of(const analysis::explained& e, std::size_t i) {
  return i < e.stages.size() ? e.stages[i].value : "";
}

}  // namespace

analysis::explanation explain_element(const graph::model& m, const compare_options& options,
                                      const analysis::dump& test) {
  const place at = place_of(m, options.explain);
  const auto operands = [&](std::int32_t tensor) -> result<std::vector<std::byte>> {
    auto recorded = test.read(tensor);
    if (!recorded) return recorded.error();
    return std::vector<std::byte>(recorded->data.begin(), recorded->data.end());
  };
  return must(analysis::explain(m, at.tensor, at.element, operands, target_named(options.target),
                                target_named(options.against)));
}

json as_json(const graph::model& m, const analysis::explanation& e) {
  json stages = json::array();
  for (std::size_t i = 0; i < std::max(e.first.stages.size(), e.second.stages.size()); ++i) {
    const auto& named = i < e.first.stages.size() ? e.first : e.second;
    stages.push_back({{"stage", named.stages[i].name},
                      {"first", value_of(e.first, i)},
                      {"second", value_of(e.second, i)}});
  }
  return {{"op", e.operation},
          {"op_name", m.operations[e.operation].label},
          {"first", e.first.as},
          {"second", e.second.as},
          {"stages", stages},
          {"parts_at", e.parts_at ? json(e.first.stages[*e.parts_at].name) : json(nullptr)}};
}

void print(const graph::model& m, const compare_options& options, const analysis::explanation& e) {
  fmt::print("{} of {} on TEST's operands\n{:<32} {:<34} {}\n", bold(options.explain),
             operator_label(m, e.operation), "", e.first.as, e.second.as);
  for (std::size_t i = 0; i < std::max(e.first.stages.size(), e.second.stages.size()); ++i) {
    const auto& named = i < e.first.stages.size() ? e.first : e.second;
    fmt::print("{:<32} {:<34} {}{}\n", named.stages[i].name, value_of(e.first, i),
               value_of(e.second, i),
               e.parts_at == i ? coloured("  <- they part here", "31") : std::string());
  }
  if (!e.parts_at) fmt::print("no stage differs\n");
}

}  // namespace bittwin::cli
