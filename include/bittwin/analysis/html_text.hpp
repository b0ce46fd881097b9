// SPDX-License-Identifier: Apache-2.0
// Text out of files, made fit for a page: valid UTF-8 without control or direction characters, escaped where it stands.
#pragma once

#include <array>
#include <bittwin/graph/sha256.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bittwin::analysis::inline v1 {

namespace detail {

/// The length of the UTF-8 sequence at the start of `text`, 0 where there is none, or it encodes what no reader may see:
/// controls (C0, C1, DEL), marks that turn the direction of text, line separators.
/// source  Unicode 15, table 3-7: well-formed UTF-8 byte sequences
[[nodiscard]] constexpr std::size_t shown_sequence(std::string_view text) noexcept {
  const auto at = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto follows = [&](std::size_t i) { return (at(i) & 0xC0U) == 0x80U; };
  const unsigned lead = at(0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
  if (lead >= 0xC2 && lead <= 0xDF && follows(1)) {
    const unsigned point = (lead & 0x1FU) << 6 | (at(1) & 0x3FU);
    return point < 0xA0 || point == 0x061C ? 0 : 2;
  }
  if (lead >= 0xE0 && lead <= 0xEF && follows(1) && follows(2)) {
    const unsigned point = (lead & 0x0FU) << 12 | (at(1) & 0x3FU) << 6 | (at(2) & 0x3FU);
    const bool hidden = (point >= 0x200B && point <= 0x200F) ||
                        (point >= 0x2028 && point <= 0x202E) ||
                        (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF;
    return point < 0x800 || (point >= 0xD800 && point <= 0xDFFF) || hidden ? 0 : 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4 && follows(1) && follows(2) && follows(3)) {
    const unsigned point =
        (lead & 0x07U) << 18 | (at(1) & 0x3FU) << 12 | (at(2) & 0x3FU) << 6 | (at(3) & 0x3FU);
    return point < 0x10000 || point > 0x10FFFF ? 0 : 4;
  }
  return 0;
}

}  // namespace detail

/// Of a long text the end is kept, since exporters put the layer last.   longest  in bytes, before replacement
[[nodiscard]] inline std::string shown_text(std::string_view raw, std::size_t longest) {
  std::string text;
  if (raw.size() > longest) {
    text = "...";
    raw.remove_prefix(raw.size() - longest);
    while (!raw.empty() && (static_cast<unsigned char>(raw[0]) & 0xC0U) == 0x80U)
      raw.remove_prefix(1);
  }
  while (!raw.empty()) {
    const std::size_t length = detail::shown_sequence(raw);
    text += length > 0 ? raw.substr(0, length) : std::string_view("\xEF\xBF\xBD");
    raw.remove_prefix(length > 0 ? length : 1);
  }
  return text;
}

/// For HTML: between tags, and in attributes in double quotes.
[[nodiscard]] inline std::string escape_html(std::string_view text) {
  std::string to;
  for (const char c : text) switch (c) {
      case '&': to += "&amp;"; break;
      case '<': to += "&lt;"; break;
      case '>': to += "&gt;"; break;
      case '"': to += "&quot;"; break;
      case '\'': to += "&#39;"; break;
      default: to += c;
    }
  return to;
}

/// For JSON inside <script>, whose parser knows no JSON: no tag and no comment can start in it. JSON has these
/// characters in strings alone, where \u stands for them.
[[nodiscard]] inline std::string escape_script_data(std::string_view json) {
  std::string to;
  for (const char c : json) switch (c) {
      case '&': to += "\\u0026"; break;
      case '<': to += "\\u003c"; break;
      case '>': to += "\\u003e"; break;
      default: to += c;
    }
  return to;
}

/// 'sha256-...', as a content security policy names the one script or style that may run.
/// source  W3C Content Security Policy Level 3, section 2.3.1: base64 (RFC 4648) of the digest of the element's text
[[nodiscard]] inline std::string policy_hash(std::string_view text) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  graph::sha256 hash;
  hash.update(std::as_bytes(std::span(text)));
  const graph::sha256::digest bytes = hash.finish();
  std::string to = "'sha256-";
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? std::uint32_t{bytes[i + k]} : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      to += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return to + "'";
}

}  // namespace bittwin::analysis::inline v1
