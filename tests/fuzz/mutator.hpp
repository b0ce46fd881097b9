// SPDX-License-Identifier: Apache-2.0
// Changes .tflite files as damage and malice do: bytes of the file, or fields of the model in it,
// which is then written again and stays well-formed.
#pragma once

#include <array>
#include <bit>
#include <bittwin/graph/model.hpp>
#include <bittwin/graph/read_tflite.hpp>
#include <bittwin/graph/write_tflite.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "fuzz/reading_check.hpp"
#include "support/random_options.hpp"

namespace bittwin::test {

class mutator {
 public:
  explicit mutator(std::uint32_t seed) : random_(seed) {}

  /// One to four changes, to bytes or to fields.
  [[nodiscard]] std::vector<std::byte> change(const std::vector<std::byte>& bytes) {
    if (bytes.size() < 16) return bytes;
    if (random_() % 2 != 0) {
      std::vector<std::byte> changed = bytes;
      for (std::uint32_t n = below(4) + 1; n > 0; --n) change_bytes(changed);
      return changed;
    }
    return change_fields(bytes);
  }

  /// Bytes that hold no model stay as they are.
  [[nodiscard]] std::vector<std::byte> change_fields(const std::vector<std::byte>& bytes) {
    result<graph::model> m = read_bytes(bytes);
    if (!m) return bytes;
    for (std::uint32_t n = below(3) + 1; n > 0; --n) change_model(*m);
    auto written = graph::write_tflite(*m);
    return written ? std::move(*written) : bytes;
  }

 private:
  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }
  template <class Items> auto& one_of(Items& items) { return items[below(items.size())]; }

  /// A number at which something ends.
  std::int32_t edge() {
    constexpr std::array<std::int32_t, 22> edges{0,
                                                 1,
                                                 2,
                                                 3,
                                                 4,
                                                 5,
                                                 7,
                                                 8,
                                                 15,
                                                 16,
                                                 31,
                                                 127,
                                                 128,
                                                 255,
                                                 1024,
                                                 65535,
                                                 1 << 20,
                                                 0x7FFFFFFF,
                                                 -0x7FFFFFFF - 1,
                                                 -1,
                                                 -2,
                                                 -128};
    return edges[below(edges.size())];
  }

  void change_bytes(std::vector<std::byte>& bytes) {
    const std::size_t at = below(bytes.size());
    const std::size_t word = below(bytes.size() - 4) / 4 * 4;
    switch (below(7)) {
      case 0: bytes[at] = std::byte{static_cast<unsigned char>(below(256))}; break;
      case 1: bytes[at] ^= std::byte{static_cast<unsigned char>(1U << below(8))}; break;
      case 2: {
        const std::int32_t value = edge();
        std::memcpy(bytes.data() + word, &value, 4);
        break;
      }
      case 3: {  // an offset that points a little elsewhere
        std::uint32_t value;
        std::memcpy(&value, bytes.data() + word, 4);
        value += below(17) - 8;
        std::memcpy(bytes.data() + word, &value, 4);
        break;
      }
      case 4:  // a word from elsewhere
        std::memmove(bytes.data() + word, bytes.data() + below(bytes.size() - 4) / 4 * 4, 4);
        break;
      case 5:
        if (bytes.size() > 64) bytes.resize(bytes.size() - below(bytes.size() / 2));
        break;
      default: {
        const std::vector<std::byte> piece(
            bytes.begin() + static_cast<std::ptrdiff_t>(word),
            bytes.begin() +
                static_cast<std::ptrdiff_t>(std::min(bytes.size(), word + 4 + below(32))));
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), piece.begin(), piece.end());
      }
    }
  }

  void change_model(graph::model& m) {
    if (m.operations.empty() || m.tensors.empty()) return;
    graph::operation& op = one_of(m.operations);
    graph::tensor& t = one_of(m.tensors);
    switch (below(9)) {
      case 0: op.options = random_options(below(1U << 31)).of(op); break;
      case 1:
        if (!op.inputs.empty())
          one_of(op.inputs) = static_cast<std::int32_t>(below(m.tensors.size() + 1)) - 1;
        break;
      case 2:
        if (!op.outputs.empty())
          one_of(op.outputs) = static_cast<std::int32_t>(below(m.tensors.size()));
        break;
      case 3:
        if (t.extents.rank() > 0)
          t.extents[static_cast<int>(below(static_cast<std::size_t>(t.extents.rank())))] =
              random_() % 4 == 0 ? edge() : static_cast<std::int32_t>(below(9));
        break;
      case 4: {  // the same data under another shape of the same size
        shape other;
        for (std::int64_t rest = t.extents.elements(); other.rank() < 4;) {
          const std::int32_t part = rest % 2 == 0 ? 2 : static_cast<std::int32_t>(rest);
          other.push_back(other.rank() == 3 ? static_cast<std::int32_t>(rest) : part);
          rest = part == 0 ? 0 : rest / part;
        }
        if (other.elements() == t.extents.elements()) t.extents = other;
        break;
      }
      case 5:
        t.type =
            static_cast<element_type>(below(static_cast<std::size_t>(element_type::boolean) + 1));
        break;
      case 6: {
        auto& q = t.quantization;
        if (!q.present()) q = {{0.1F}, {0}, 0};
        one_of(q.scales) = std::bit_cast<float>(below(1U << 31));
        break;
      }
      case 7:
        if (!t.quantization.zero_points.empty()) one_of(t.quantization.zero_points) = edge();
        break;
      default:
        op.code = static_cast<graph::operator_code>(below(graph::operator_names.size()));
        op.options = {};
        op.version = static_cast<std::int32_t>(below(8));
    }
  }

  std::mt19937 random_;
};

}  // namespace bittwin::test
