// SPDX-License-Identifier: Apache-2.0
// Which tensor a file is named after. In this order, the first that names any:
//   what the user says (a map, a pattern); the tensor's name; one of its parts between ';'; the name with '_' for all
//   that is no letter or digit; that without what tools put before and behind it (0012_, batch0_, :0, /output_0)
// and, beside these, an index: t012, tensor_12.
#pragma once

#include <algorithm>
#include <array>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/types/result.hpp>
#include <bittwin/types/sentence.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bittwin::analysis::inline v1 {

/// Tensors that a text names, and how; none: it names nothing.
struct named_tensors {
  std::vector<std::int32_t> tensors;
  std::string how;
  bool sure = false;  ///< the user said so, whatever the values say
};

namespace detail {

[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

[[nodiscard]] inline std::optional<std::int32_t> index_in(std::string_view digits) noexcept {
  if (digits.empty() || digits.size() > 9) return std::nullopt;
  std::int32_t value = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

/// Letters and digits; each run of others is one '_', none at the ends.
[[nodiscard]] inline std::string sanitised(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const bool kept = is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (kept)
      text += c;
    else if (!text.empty() && text.back() != '_')
      text += '_';
  }
  if (!text.empty() && text.back() == '_') text.pop_back();
  return text;
}

/// The name, then each shorter form without one more ending; ":0" is "_0" by now.
[[nodiscard]] inline std::vector<std::string> without_endings(std::string name) {
  constexpr std::array<std::string_view, 7> endings{"_output_0", "_output", "_out",  "_0",
                                                    "_float",    "_int8",   "_uint8"};
  std::vector<std::string> forms{std::move(name)};
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view ending : endings) {
      const std::string& last = forms.back();
      if (again || !last.ends_with(ending) || last.size() == ending.size()) continue;
      forms.push_back(last.substr(0, last.size() - ending.size()));
      again = true;
    }
  }
  return forms;
}

/// The name without one number before it: 0012_, batch0_, layer_3_; the same where there is none.
[[nodiscard]] inline std::string without_number_before(const std::string& name) {
  constexpr std::array<std::string_view, 6> words{"batch", "layer", "sample", "node", "op", "b"};
  std::string_view rest = name;
  for (const std::string_view word : words)
    if (rest.starts_with(word)) {
      rest.remove_prefix(word.size());
      if (rest.starts_with('_')) rest.remove_prefix(1);
      break;
    }
  std::size_t digits = 0;
  while (digits < rest.size() && is_digit(rest[digits])) ++digits;
  if (digits == 0 || digits + 1 >= rest.size() || rest[digits] != '_') return name;
  return std::string(rest.substr(digits + 1));
}

/// t012, tensor_12, tensor12
[[nodiscard]] inline std::optional<std::int32_t> index_form(std::string_view stem) noexcept {
  for (const std::string_view word : {"tensor_", "tensor", "t"})
    if (stem.starts_with(word))
      if (const auto index = index_in(stem.substr(word.size()))) return index;
  return std::nullopt;
}

[[nodiscard]] inline std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find(';', at), name.size());
    if (end > at) parts.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace detail

/// The names of a model's tensors in all forms. The model must outlive it.
class model_names {
 public:
  explicit model_names(const graph::model& m) : model_(&m) {
    for (std::size_t i = 0; i < m.tensors.size(); ++i) {
      const auto index = static_cast<std::int32_t>(i);
      const std::string& name = m.tensors[i].name;
      if (name.empty()) continue;
      add(exact_, name, index);
      for (const std::string& part : detail::parts_of(name)) {
        add(parts_, part, index);
        const std::vector<std::string> forms = detail::without_endings(detail::sanitised(part));
        add(sanitised_, forms.front(), index);
        for (const std::string& form : forms) add(stripped_, form, index);
      }
      add(sanitised_, detail::sanitised(name), index);
    }
  }

  /// stem  a file's name without its extension
  [[nodiscard]] named_tensors named(const std::string& stem) const {
    named_tensors found = by_name(stem);
    if (const auto index = detail::index_form(stem); index && in_range(*index)) {
      if (std::find(found.tensors.begin(), found.tensors.end(), *index) == found.tensors.end())
        found.tensors.push_back(*index);
      found.how += found.how.empty() ? "by the index in its name" : ", or by the index in it";
    }
    return found;
  }

  /// What a user wrote for a tensor: its name or its index.
  /// errors  no such tensor; a name that several have, or that is also the index of another
  [[nodiscard]] result<std::int32_t> chosen(const std::string& text) const {
    const auto index = detail::index_in(text);
    const auto exact = exact_.find(text);
    if (index && exact == exact_.end() && in_range(*index)) return *index;
    named_tensors found = by_name(text);
    if (index && in_range(*index)) found.tensors.push_back(*index);
    if (found.tensors.size() == 1) return found.tensors.front();
    if (found.tensors.size() > 1)
      return error{error_code::bad_option,
                   sentence({graph::printable_name(text), " names tensors ",
                             number(found.tensors[0]), " and ", number(found.tensors[1]), " of ",
                             model_->name, "; give the index as t012"})};
    if (const auto form = detail::index_form(text); form && in_range(*form)) return *form;
    return error{error_code::bad_option,
                 sentence({graph::printable_name(text), " is no tensor of ", model_->name,
                           "; see 'bittwin info --verbose'"})};
  }

 private:
  using by_text = std::map<std::string, std::vector<std::int32_t>, std::less<>>;

  static void add(by_text& to, const std::string& text, std::int32_t index) {
    std::vector<std::int32_t>& all = to[text];
    if (!text.empty() && (all.empty() || all.back() != index)) all.push_back(index);
  }
  [[nodiscard]] bool in_range(std::int32_t index) const noexcept {
    return static_cast<std::size_t>(index) < model_->tensors.size();
  }

  [[nodiscard]] named_tensors by_name(const std::string& text) const {
    if (const auto at = exact_.find(text); at != exact_.end()) return {at->second, {}, false};
    if (const auto at = parts_.find(text); at != parts_.end())
      return {at->second, "by a part of its name", false};
    const std::string plain = detail::sanitised(text);
    if (const auto at = sanitised_.find(plain); at != sanitised_.end())
      return {at->second, "by its name but for signs", false};
    for (std::string form = plain;;) {
      for (const std::string& shorter : detail::without_endings(form))
        if (const auto at = stripped_.find(shorter); at != stripped_.end())
          return {at->second, "by " + graph::printable_name(shorter) + " in its name", false};
      std::string next = detail::without_number_before(form);
      if (next == form) return {};
      form = std::move(next);
    }
  }

  const graph::model* model_;
  by_text exact_, parts_, sanitised_, stripped_;
};

}  // namespace bittwin::analysis::inline v1
