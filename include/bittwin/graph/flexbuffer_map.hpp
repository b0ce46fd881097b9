// SPDX-License-Identifier: Apache-2.0
// Reads numbers out of a FlexBuffer whose root is a map, every offset checked against the bytes
// (the reader that old flatbuffers ship checks none).
//   root   ... root value | its packed type, 1 byte | width of the root value, 1 byte
//   map    keys offset, keys width, length | values | one packed type a value
//   keys   length | offsets, backwards, to texts that end in 0
//   packed type = kind << 2 | log2 of the width of what is stored behind an offset
// source  flatbuffers/docs/source/FlexBuffers.md, flatbuffers/flexbuffers.h
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace bittwin::graph::inline v1 {

class flexbuffer_map {
 public:
  using number = std::variant<std::int64_t, double>;

  /// Nothing where the bytes hold no map, or one that points outside them.
  [[nodiscard]] static std::optional<flexbuffer_map> open(std::span<const std::byte> bytes) {
    flexbuffer_map map(bytes);
    if (!map.find_parts()) return std::nullopt;
    return map;
  }

  /// Whether the bytes hold a value under `key`, of whatever kind.
  [[nodiscard]] bool has(std::string_view key) const { return find(key).has_value(); }

  /// The number or boolean under `key`; nothing where there is none or it lies outside the bytes.
  [[nodiscard]] std::optional<number> get(std::string_view key) const {
    const std::optional<std::size_t> index = find(key);
    if (!index) return std::nullopt;
    const auto packed = std::to_integer<unsigned>(bytes_[types_ + *index]);
    std::size_t at = values_ + *index * width_;
    std::size_t width = width_;
    unsigned kind = packed >> 2;
    if (kind >= indirect_integer && kind <= indirect_real) {
      const std::optional<std::size_t> to = follow(at, width_);
      width = std::size_t{1} << (packed & 3);
      if (!to || width > bytes_.size() - *to) return std::nullopt;
      at = *to;
      kind -= indirect_integer - integer;
    }
    switch (kind) {
      case integer: {
        // Sign-extended from its width.
        const int unused = static_cast<int>(64 - 8 * width);
        return static_cast<std::int64_t>(load(at, width) << unused) >> unused;
      }
      case natural: {
        const std::uint64_t value = load(at, width);
        if (value > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
        return static_cast<std::int64_t>(value);
      }
      case boolean:
        return std::int64_t{load(at, width) != 0};
      case real:
        if (width == 4)
          return double{std::bit_cast<float>(static_cast<std::uint32_t>(load(at, width)))};
        if (width == 8) return std::bit_cast<double>(load(at, width));
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

 private:
  // Kinds of values, as the format numbers them.
  static constexpr unsigned integer = 1, natural = 2, real = 3, indirect_integer = 6,
                            indirect_real = 8, map_kind = 9, boolean = 26;

  explicit flexbuffer_map(std::span<const std::byte> bytes) : bytes_(bytes) {}

  [[nodiscard]] static bool is_width(std::uint64_t width) noexcept {
    return width == 1 || width == 2 || width == 4 || width == 8;
  }

  /// Precondition: at + width <= size.
  [[nodiscard]] std::uint64_t load(std::size_t at, std::size_t width) const noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i)
      value |= std::to_integer<std::uint64_t>(bytes_[at + i]) << (8 * i);
    return value;
  }

  /// Offsets count backwards from where they stand. Precondition: at + width <= size.
  [[nodiscard]] std::optional<std::size_t> follow(std::size_t at, std::size_t width) const {
    const std::uint64_t back = load(at, width);
    if (back > at) return std::nullopt;
    return at - static_cast<std::size_t>(back);
  }

  [[nodiscard]] bool find_parts() {
    const std::size_t size = bytes_.size();
    if (size < 3) return false;
    const auto root_width = std::to_integer<std::size_t>(bytes_[size - 1]);
    const auto packed = std::to_integer<unsigned>(bytes_[size - 2]);
    if (!is_width(root_width) || size - 2 < root_width || packed >> 2 != map_kind) return false;
    const std::optional<std::size_t> values = follow(size - 2 - root_width, root_width);
    width_ = std::size_t{1} << (packed & 3);
    if (!values || *values < 3 * width_) return false;
    values_ = *values;
    const std::uint64_t length = load(values_ - width_, width_);
    const std::uint64_t key_width = load(values_ - 2 * width_, width_);
    // Every value takes its width and one byte of type.
    if (!is_width(key_width) || length > (size - values_) / (width_ + 1)) return false;
    length_ = static_cast<std::size_t>(length);
    types_ = values_ + length_ * width_;
    key_width_ = static_cast<std::size_t>(key_width);
    const std::optional<std::size_t> keys = follow(values_ - 3 * width_, width_);
    if (!keys || length > (size - *keys) / key_width_) return false;
    keys_ = *keys;
    return true;
  }

  [[nodiscard]] std::optional<std::size_t> find(std::string_view key) const {
    for (std::size_t i = 0; i < length_; ++i) {
      const std::optional<std::size_t> text = follow(keys_ + i * key_width_, key_width_);
      if (!text || bytes_.size() - *text <= key.size()) continue;
      if (std::memcmp(bytes_.data() + *text, key.data(), key.size()) == 0 &&
          bytes_[*text + key.size()] == std::byte{0})
        return i;
    }
    return std::nullopt;
  }

  std::span<const std::byte> bytes_;
  std::size_t width_ = 1;
  std::size_t values_ = 0;
  std::size_t length_ = 0;
  std::size_t types_ = 0;
  std::size_t key_width_ = 1;
  std::size_t keys_ = 0;
};

}  // namespace bittwin::graph::inline v1
