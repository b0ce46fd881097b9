// SPDX-License-Identifier: Apache-2.0
// What both versions of oneDNN share: one engine, one stream, one thread, and primitives as calls.
#pragma once

#include <omp.h>

#include <dnnl.hpp>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

#include "peer.hpp"

namespace bench {

using dnnl::memory;
using type = memory::data_type;
using tag = memory::format_tag;
using arguments = std::unordered_map<int, memory>;

/// One engine and stream for all; one thread, as everything that is timed here.
struct device {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  device() { omp_set_num_threads(1); }

  [[nodiscard]] memory view(const memory::desc& d, const void* data) const {
    return {d, engine, const_cast<void*>(data)};
  }
  /// The contents in the layout that a primitive asks for.
  [[nodiscard]] memory in_layout(memory from, const memory::desc& wanted) {
    memory to(wanted, engine);
    dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
    return to;
  }
};
inline device& one() {
  static device d;
  return d;
}

inline std::function<void()> call(dnnl::primitive primitive, arguments args) {
  return [primitive = std::move(primitive), args = std::move(args)] {
    primitive.execute(one().stream, args);
    one().stream.wait();
  };
}

/// A layer's tensors as oneDNN counts them: NCHW extents whatever the layout.
struct convolution_extents {
  memory::dims input, output, filter, strides, before, after;
  tag filter_layout;  ///< ours: OHWI, and [h, w, channel] for depthwise

  explicit convolution_extents(const problem& p) {
    const layer& l = p.of;
    const bool depthwise = l.op == operation::depthwise_conv2d;
    const padding pad = same_padding(l.extent, l.kernel, l.stride);
    input = {1, l.ic, l.extent, l.extent};
    output = {1, l.oc, p.output_extent, p.output_extent};
    filter = depthwise ? memory::dims{l.ic, 1, 1, l.kernel, l.kernel}
                       : memory::dims{l.oc, l.ic, l.kernel, l.kernel};
    strides = {l.stride, l.stride};
    before = {pad.before, pad.before};
    after = {pad.after, pad.after};
    filter_layout = depthwise ? tag::hwigo : tag::ohwi;
  }
};

/// Where oneDNN has no such primitive, its exceptions say so.
template <auto Prepare, class Problem>
std::function<void()> unless_refused(const Problem& p, std::span<std::int8_t> output) {
  try {
    return Prepare(p, output);
  } catch (const dnnl::error&) {
    return {};
  }
}

}  // namespace bench
