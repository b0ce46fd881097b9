// SPDX-License-Identifier: Apache-2.0
// What both versions of XNNPACK share: an operator, its input where it may be read past its end, its workspace.
#pragma once

#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "peer.hpp"

namespace bench {

inline std::uint32_t u(std::int32_t value) { return static_cast<std::uint32_t>(value); }
inline std::size_t n(std::int32_t value) { return static_cast<std::size_t>(value); }
inline std::int8_t zero(bittwin::affine grid) { return static_cast<std::int8_t>(grid.zero_point); }

/// A created operator, run by calling it.
class xnnpack_call {
 public:
  xnnpack_call(xnn_operator_t op, const codes& input)
      : operator_(op, &xnn_delete_operator),
        input_(std::make_shared<codes>(input)),
        workspace_(std::make_shared<std::vector<std::max_align_t>>()) {
    input_->resize(input_->size() + XNN_EXTRA_BYTES);
  }
  [[nodiscard]] const std::int8_t* input() const { return input_->data(); }
  [[nodiscard]] void* workspace(std::size_t bytes) const {
    workspace_->resize(bytes / sizeof(std::max_align_t) + alignment);
    void* place = workspace_->data();
    std::size_t room = workspace_->size() * sizeof(std::max_align_t);
    return std::align(alignment, bytes, place, room);
  }
  void operator()() const { xnn_run_operator(operator_.get(), nullptr); }

 private:
  static constexpr std::size_t alignment = 64;
  std::shared_ptr<xnn_operator> operator_;
  std::shared_ptr<codes> input_;
  std::shared_ptr<std::vector<std::max_align_t>> workspace_;
};

}  // namespace bench
