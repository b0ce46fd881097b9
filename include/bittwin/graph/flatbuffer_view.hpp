// SPDX-License-Identifier: Apache-2.0
// Reads a flatbuffer without generated code, and nothing that was not verified first.
// Each accessor checks what it is about to read; the first check that fails is kept, and from then
// on accessors answer with defaults and empty lists. So a reader asks failed() at the end of a
// part.
#pragma once

#include <flatbuffers/flatbuffers.h>
#include <bittwin/types/mutation.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace bittwin::graph::inline v1 {

/// One field of a table: two names for sentences, and its number in the schema.
struct field {
  std::string_view table;
  std::string_view name;
  std::uint16_t slot = 0;

  /// Where a vtable keeps the field: two bytes a field, after the two lengths.
  [[nodiscard]] constexpr flatbuffers::voffset_t entry() const noexcept {
    return static_cast<flatbuffers::voffset_t>(4 + 2 * slot);
  }
};

class flatbuffer_table;

/// The bytes under inspection. Precondition: `bytes` is aligned to 8, as every new[] is.
class flatbuffer_view {
 public:
  explicit flatbuffer_view(std::span<const std::byte> bytes) noexcept
      // Offsets have 31 bits: data that follow a larger flatbuffer are reached by whole_file().
      : file_(bytes),
        size_(std::min(bytes.size(), std::size_t{FLATBUFFERS_MAX_BUFFER_SIZE} - 1)),
        verifier_(reinterpret_cast<const std::uint8_t*>(bytes.data()), size_) {}

  [[nodiscard]] inline flatbuffer_table root();

  [[nodiscard]] bool failed() const noexcept { return !failure_.empty(); }
  /// "Tensor.shape at byte 1234 points outside the file".
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
  [[nodiscard]] std::span<const std::byte> whole_file() const noexcept { return file_; }

 private:
  friend class flatbuffer_table;
  template <class T> friend class flatbuffer_list;
  friend class flatbuffer_tables;

  [[nodiscard]] const std::uint8_t* data() const noexcept {
    return reinterpret_cast<const std::uint8_t*>(file_.data());
  }
  void fail(field what, std::size_t at) {
    if (!failed())
      failure_ = std::string(what.table) + "." + std::string(what.name) + " at byte " +
                 std::to_string(at) + " points outside the file";
  }

  std::span<const std::byte> file_;
  std::size_t size_;
  flatbuffers::Verifier verifier_;
  std::string failure_;
};

/// A verified vector of numbers.
template <class T> class flatbuffer_list {
 public:
  flatbuffer_list() = default;
  flatbuffer_list(const std::uint8_t* first, std::size_t size) : first_(first), size_(size) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// Copies, since old writers align vectors of 64-bit numbers to 4 bytes only.
  [[nodiscard]] T operator[](std::size_t i) const noexcept {
    T value;
    std::memcpy(&value, first_ + i * sizeof(T), sizeof(T));
    return flatbuffers::EndianScalar(value);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return {reinterpret_cast<const std::byte*>(first_), size_ * sizeof(T)};
  }

 private:
  const std::uint8_t* first_ = nullptr;
  std::size_t size_ = 0;
};

/// A verified vector of offsets to tables; each table is verified when it is asked for.
class flatbuffer_tables {
 public:
  flatbuffer_tables() = default;
  flatbuffer_tables(flatbuffer_view* file, field what, flatbuffer_list<std::uint32_t> offsets)
      : file_(file), what_(what), offsets_(offsets) {}

  [[nodiscard]] std::size_t size() const noexcept { return offsets_.size(); }
  [[nodiscard]] inline flatbuffer_table operator[](std::size_t i) const;

 private:
  flatbuffer_view* file_ = nullptr;
  field what_;
  flatbuffer_list<std::uint32_t> offsets_;
};

/// A table whose start and vtable were verified, or the absent table, whose fields are all absent.
class flatbuffer_table {
 public:
  flatbuffer_table() = default;

  [[nodiscard]] bool present() const noexcept { return at_ != nullptr; }
  [[nodiscard]] std::size_t offset() const noexcept {
    return present() ? static_cast<std::size_t>(at_ - file_->data()) : 0;
  }

  template <class T> [[nodiscard]] T number(field what, T fallback) const {
    if (!present()) return fallback;
    if (!table().template VerifyField<T>(file_->verifier_, what.entry(), sizeof(T))) {
      file_->fail(what, offset());
      return fallback;
    }
    return table().template GetField<T>(what.entry(), fallback);
  }

  [[nodiscard]] bool flag(field what, bool fallback) const {
    return number<std::uint8_t>(what, fallback ? 1 : 0) != 0;
  }

  [[nodiscard]] bool has(field what) const { return present() && table().CheckField(what.entry()); }

  template <class T> [[nodiscard]] flatbuffer_list<T> list(field what) const {
    const std::uint8_t* const vector = follow(what);
    if (vector == nullptr) return {};
    if (!file_->verifier_.VerifyVectorOrString(
            vector, BITTWIN_MUTABLE(sizeof(T), list_length_not_verified, 1))) {
      file_->fail(what, offset());
      return {};
    }
    return {vector + sizeof(flatbuffers::uoffset_t),
            flatbuffers::ReadScalar<flatbuffers::uoffset_t>(vector)};
  }

  [[nodiscard]] std::string_view text(field what) const {
    const std::uint8_t* const string = follow(what);
    if (string == nullptr) return {};
    if (BITTWIN_MUTABLE(
            !file_->verifier_.VerifyString(reinterpret_cast<const flatbuffers::String*>(string)),
            text_not_verified, false)) {
      file_->fail(what, offset());
      return {};
    }
    return {reinterpret_cast<const char*>(string) + sizeof(flatbuffers::uoffset_t),
            flatbuffers::ReadScalar<flatbuffers::uoffset_t>(string)};
  }

  [[nodiscard]] flatbuffer_tables tables(field what) const {
    return {file_, what, list<std::uint32_t>(what)};
  }

  [[nodiscard]] flatbuffer_table child(field what) const {
    const std::uint8_t* const at = follow(what);
    return at == nullptr ? flatbuffer_table{} : verified(*file_, what, at);
  }

 private:
  friend class flatbuffer_view;
  friend class flatbuffer_tables;

  flatbuffer_table(flatbuffer_view* file, const std::uint8_t* at) : file_(file), at_(at) {}

  static flatbuffer_table verified(flatbuffer_view& file, field what, const std::uint8_t* at) {
    if (BITTWIN_MUTABLE(!file.verifier_.VerifyTableStart(at), table_not_verified, false)) {
      file.fail(what, static_cast<std::size_t>(at - file.data()));
      return {};
    }
    file.verifier_.EndTable();  // depth is not an issue here: nothing recurses
    return {&file, at};
  }

  [[nodiscard]] const flatbuffers::Table& table() const noexcept {
    return *reinterpret_cast<const flatbuffers::Table*>(at_);
  }

  /// Where an offset field points to, inside the file; null where it is absent or bad.
  [[nodiscard]] const std::uint8_t* follow(field what) const {
    if (!has(what)) return nullptr;
    if (BITTWIN_MUTABLE(!table().VerifyOffset(file_->verifier_, what.entry()), offset_not_verified,
                        false)) {
      file_->fail(what, offset());
      return nullptr;
    }
    return table().template GetPointer<const std::uint8_t*>(what.entry());
  }

  flatbuffer_view* file_ = nullptr;
  const std::uint8_t* at_ = nullptr;
};

flatbuffer_table flatbuffer_view::root() {
  constexpr field what{"file", "root", 0};
  const std::size_t offset = verifier_.VerifyOffset(0);
  if (offset == 0) {
    fail(what, 0);
    return {};
  }
  return flatbuffer_table::verified(*this, what, data() + offset);
}

flatbuffer_table flatbuffer_tables::operator[](std::size_t i) const {
  const std::uint8_t* const entry =
      reinterpret_cast<const std::uint8_t*>(offsets_.bytes().data()) + i * sizeof(std::uint32_t);
  const auto at = static_cast<std::size_t>(entry - file_->data());
  if (BITTWIN_MUTABLE(file_->verifier_.VerifyOffset(at) == 0, table_of_list_not_verified, false)) {
    file_->fail(what_, at);
    return {};
  }
  return flatbuffer_table::verified(*file_, what_, entry + offsets_[i]);
}

}  // namespace bittwin::graph::inline v1
