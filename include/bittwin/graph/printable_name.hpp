// SPDX-License-Identifier: Apache-2.0
// Names out of a file, made fit for one sentence: quoted, printable, at most 60 characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bittwin::graph::inline v1 {

/// 'conv2d/BiasAdd'. A name may hold anything, terminal escapes included: what is not printable
/// ASCII becomes '?'. Of a long name the end is kept, since exporters put the layer last.
[[nodiscard]] inline std::string printable_name(std::string_view name) {
  constexpr std::size_t longest = 60;
  std::string text = "'";
  if (name.size() > longest) {
    text += "...";
    name.remove_prefix(name.size() - longest);
  }
  for (const char c : name) text += c >= ' ' && c <= '~' && c != '\'' ? c : '?';
  return text + "'";
}

}  // namespace bittwin::graph::inline v1
