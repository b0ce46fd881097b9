// SPDX-License-Identifier: Apache-2.0
// Writes a table of a flatbuffer without generated code: gathers its fields, whose strings and
// vectors must lie in the buffer before the table starts, then writes the table.
#pragma once

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <bit>
#include <bittwin/graph/flatbuffer_view.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bittwin::graph::inline v1 {

/// Where a finished table lies; 0: nowhere, the field is absent.
using flatbuffer_offset = flatbuffers::Offset<flatbuffers::Table>;

class flatbuffer_writer {
 public:
  explicit flatbuffer_writer(flatbuffers::FlatBufferBuilder& to) : to_(to) {}

  /// Absent where it equals what readers take an absent field for.
  template <class T> void number(field what, T value, T schema_default) {
    if (bits(value) != bits(schema_default)) put({what.entry(), sizeof(T), bits(value)});
  }
  void text(field what, std::string_view value) {
    put_offset(what, to_.CreateString(value.data(), value.size()).o);
  }
  template <class T> void list(field what, const std::vector<T>& values) {
    put_offset(what, to_.CreateVector(values.data(), values.size()).o);
  }
  void tables(field what, const std::vector<flatbuffer_offset>& values) {
    put_offset(what, to_.CreateVector(values.data(), values.size()).o);
  }
  void bytes(field what, std::span<const std::byte> values, std::size_t alignment) {
    to_.ForceVectorAlignment(values.size(), 1, alignment);
    put_offset(
        what,
        to_.CreateVector(reinterpret_cast<const std::uint8_t*>(values.data()), values.size()).o);
  }
  void child(field what, flatbuffer_offset value) {
    if (value.o != 0) put_offset(what, value.o);
  }

  [[nodiscard]] flatbuffer_offset finish() {
    // Wide fields first, so that none needs padding.
    std::stable_sort(fields_.begin(), fields_.end(),
                     [](const entry& a, const entry& b) { return a.width > b.width; });
    const auto start = to_.StartTable();
    for (const entry& f : fields_) {
      if (f.is_offset)
        to_.AddOffset(f.at, flatbuffers::Offset<void>(static_cast<flatbuffers::uoffset_t>(f.bits)));
      else if (f.width == 1)
        to_.AddElement(f.at, static_cast<std::uint8_t>(f.bits));
      else if (f.width == 4)
        to_.AddElement(f.at, static_cast<std::uint32_t>(f.bits));
      else
        to_.AddElement(f.at, f.bits);
    }
    return flatbuffer_offset(to_.EndTable(start));
  }

 private:
  struct entry {
    flatbuffers::voffset_t at;
    std::size_t width;
    std::uint64_t bits;
    bool is_offset = false;
  };

  template <class T> [[nodiscard]] static std::uint64_t bits(T value) noexcept {
    static_assert(sizeof(T) == 1 || sizeof(T) == 4 || sizeof(T) == 8);
    if constexpr (std::same_as<T, float>)
      return std::bit_cast<std::uint32_t>(value);
    else
      return static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(value));
  }
  void put(entry value) { fields_.push_back(value); }
  void put_offset(field what, flatbuffers::uoffset_t offset) {
    put({what.entry(), sizeof(flatbuffers::uoffset_t), offset, true});
  }

  flatbuffers::FlatBufferBuilder& to_;
  std::vector<entry> fields_;
};

}  // namespace bittwin::graph::inline v1
