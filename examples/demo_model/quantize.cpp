// SPDX-License-Identifier: Apache-2.0
// quantize WEIGHTS FOLDER: what train.py wrote, as FOLDER/demo_float.tflite and, calibrated on drawn images, as
// FOLDER/demo.tflite.
#include <algorithm>
#include <bittwin/graph/executor.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/reals.hpp>
#include <bittwin/graph/support.hpp>
#include <bittwin/graph/write_tflite.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "network.hpp"

namespace {

using namespace bittwin;

template <class T> T must(result<T> r) {
  if (r) return *std::move(r);
  std::printf("quantize: %s\n", r.error().text.c_str());
  std::exit(2);
}

constexpr std::uint64_t calibration_seed = 1000, calibration_images = 512;

/// Smallest and largest of every tensor; of sums before an activation, their upper end is what one in 2000 exceeds.
demo::ranges calibrate(const graph::model& m) {
  std::map<std::string, std::vector<double>> samples;
  graph::executor run = must(graph::executor::prepare(
      m, *graph::find_shipped_rules("tflite-reference"), graph::keep_tensors::all));
  for (std::uint64_t i = 0; i < calibration_images; ++i) {
    const demo::labelled_image image = demo::draw_image(calibration_seed, i);
    const std::vector<float> reals = demo::reals_of(image);
    if (!run.set_input(0, std::as_bytes(std::span(reals)))) std::exit(2);
    run.run([&](std::size_t k) {
      const std::int32_t index = m.operations[k].outputs[0];
      const graph::tensor& t = m.tensors[static_cast<std::size_t>(index)];
      auto& all = samples[t.name];
      for (const double value : graph::reals_of(t, run.value(index).bytes)) all.push_back(value);
    });
  }
  demo::ranges seen;
  for (auto& [name, all] : samples) {
    const auto [low, high] = std::minmax_element(all.begin(), all.end());
    seen[name] = {*low, *high};
    if (name.find("sums of ") != 0) continue;
    const auto rank = all.end() - 1 - static_cast<std::ptrdiff_t>(all.size() / 2000);
    std::nth_element(all.begin(), rank, all.end());
    seen[name].high = *rank;
  }
  return seen;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return std::puts("usage: quantize WEIGHTS FOLDER"), 2;
  const auto weights = must(demo::read_weights(arguments[1]));
  demo::ranges seen = calibrate(demo::float_network(weights, true));
  // Two habits of converters in one model. Expansions get the range of their codes, behind ReLU6: saturation is the
  // clamp. The stem, depthwise layers and the head get the range of their sums, as where a converter looks before it
  // fuses: their clamp has to be made.
  for (auto& [name, range] : seen) {
    const auto sums = seen.find("sums of " + name);
    if (sums != seen.end() && name.find("expand") == std::string::npos)
      range = {0, std::max(range.high, sums->second.high)};
  }
  const std::filesystem::path folder(arguments[2]);
  const auto write = [&](const char* name, const graph::model& m) {
    const std::vector<std::byte> file = must(graph::write_tflite(m));
    if (const auto written = graph::write_file(folder / name, file); !written) {
      std::printf("quantize: %s\n", written.error().text.c_str());
      std::exit(2);
    }
    std::printf("%s: %zu bytes\n", name, file.size());
  };
  write("demo_float.tflite", demo::float_network(weights));
  write("demo.tflite", demo::int8_network(weights, seen));
}
