// SPDX-License-Identifier: Apache-2.0
#include "demo_accuracy.hpp"

#include <algorithm>
#include <bittwin/graph/reals.hpp>
#include <span>

#include "interrupt.hpp"
#include "verb.hpp"

namespace bittwin::cli {

std::vector<std::byte> input_of(const graph::model& m, const demo::labelled_image& image) {
  const graph::tensor& t = m.tensors[static_cast<std::size_t>(m.inputs[0])];
  std::vector<std::byte> bytes;
  if (t.type == element_type::float32) {
    const std::vector<float> reals = demo::reals_of(image);
    const auto raw = std::as_bytes(std::span(reals));
    bytes.assign(raw.begin(), raw.end());
  } else {
    for (const std::uint8_t byte : image.pixels) bytes.push_back(std::byte{byte} ^ std::byte{0x80});
  }
  return bytes;
}

std::int64_t images_right(const graph::model& m, const graph::target_rules& target,
                          const std::vector<demo::labelled_image>& images) {
  graph::executor run = must(graph::executor::prepare(m, target));
  const std::int32_t output = m.outputs[0];
  graph::tensor shares = m.tensors[static_cast<std::size_t>(output)];
  if (target.is_real) shares.type = element_type::float64;
  std::int64_t right = 0;
  for (const demo::labelled_image& image : images) {
    interrupt_guard::check();
    must(run.set_input(0, input_of(m, image)));
    run.run();
    const std::vector<double> share = graph::reals_of(shares, run.value(output).bytes);
    const auto largest = std::max_element(share.begin(), share.end()) - share.begin();
    right += largest == image.label ? 1 : 0;
  }
  return right;
}

}  // namespace bittwin::cli
