// SPDX-License-Identifier: Apache-2.0
// bittwin-bench           the layers as Google Benchmark names them: op/target/arch/case, GMAC/s
// bittwin-bench --table [--json] [NAME]   the same as a table: time, GMAC/s or GB/s, share of the machine's peak,
//                         ratio to each peer; one JSON object a line; only cases with NAME in their name
// Nothing is timed before its integers were compared with the scalar reference.
#include <benchmark/benchmark.h>

#include <bittwin/targets/all.hpp>

#include <cstdio>
#include <string>

#include "limits.hpp"
#include "peer.hpp"
#include "table.hpp"

namespace {

using namespace bittwin;
using bench::problem;

std::string_view name_of(bench::operation op) {
  switch (op) {
    case bench::operation::conv2d: return "conv2d";
    case bench::operation::depthwise_conv2d: return "depthwise_conv2d";
    case bench::operation::fully_connected: return "fully_connected";
  }
  return "?";
}

std::string_view name_of(bench::element_operation op) {
  switch (op) {
    case bench::element_operation::add: return "add";
    case bench::element_operation::requantize: return "requantize";
    case bench::element_operation::recode: return "requantize";
    case bench::element_operation::average_pool: return "average_pool2d";
    case bench::element_operation::mean: return "mean";
    case bench::element_operation::max_pool: return "max_pool2d";
  }
  return "?";
}

/// One layer under one target on one architecture, with the reference's integers beside it.
template <class Target> struct prepared {
  problem p;
  bench::codes output, want;
  result<dot_product_kernel> kernel;

  prepared(const bench::layer& l, simd::arch a)
      : p(l),
        output(p.outputs()),
        want(p.outputs()),
        kernel((simd::force_arch(a), bench::prepare<Target>(p))) {
    simd::force_arch(simd::arch::scalar);
    const auto reference = bench::prepare<Target>(p);
    (*reference)(std::span<const std::int8_t>(p.input), std::span(want));
    run();
  }
  void run() { (*kernel)(std::span<const std::int8_t>(p.input), std::span(output)); }
  [[nodiscard]] bool same() const { return output == want; }
};

template <class Target>
void run_layer(benchmark::State& state, const bench::layer& l, simd::arch a) {
  prepared<Target> layer(l, a);
  if (!layer.same()) return state.SkipWithError("not the integers of the reference");
  if (layer.kernel->runs_on() != a) return state.SkipWithError("left to the reference");
  for (auto _ : state) layer.run();
  state.counters["GMAC/s"] = benchmark::Counter(
      layer.p.macs() * 1e-9 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

template <class... Targets> void register_layers(targets::list<Targets...>) {
  const auto one = [&]<class Target>(std::type_identity<Target>) {
    for (const simd::arch a : simd::every_arch)
      for (const bench::layer& l : bench::layers)
        if (simd::kernels_of(a) != nullptr && simd::machine_has(a))
          benchmark::RegisterBenchmark(
              sentence({name_of(l.op), "/", Target::name, "/", simd::name_of(a), "/", l.name})
                  .c_str(),
              [l, a](benchmark::State& state) { run_layer<Target>(state, l, a); });
  };
  (one(std::type_identity<Targets>{}), ...);
}

template <class Target>
void run_elements(benchmark::State& state, const bench::element_case& c, simd::arch a) {
  const bench::element_problem p(c);
  simd::force_arch(a);
  const bench::element_call ours = bench::prepare_elements<Target>(p);
  if (!ours.run) return state.SkipWithError("the target has no such operator");
  simd::force_arch(simd::arch::scalar);
  bench::codes output(p.outputs), want(p.outputs);
  bench::prepare_elements<Target>(p).run(want);
  ours.run(output);
  if (output != want) return state.SkipWithError("not the integers of the reference");
  if (ours.on != a) return state.SkipWithError("left to the reference");
  for (auto _ : state) ours.run(output);
  state.counters["GB/s"] = benchmark::Counter(
      p.bytes() * 1e-9 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

template <class... Targets> void register_elements(targets::list<Targets...>) {
  const auto one = [&]<class Target>(std::type_identity<Target>) {
    for (const simd::arch a : simd::every_arch)
      for (const bench::element_case& c : bench::element_cases)
        if (simd::kernels_of(a) != nullptr && simd::machine_has(a))
          benchmark::RegisterBenchmark(
              sentence({name_of(c.op), "/", Target::name, "/", simd::name_of(a), "/", c.name})
                  .c_str(),
              [c, a](benchmark::State& state) { run_elements<Target>(state, c, a); });
  };
  (one(std::type_identity<Targets>{}), ...);
}

void register_limits() {
  for (const simd::arch a : simd::every_arch)
    if (simd::machine_has(a) && a != simd::arch::scalar)
      benchmark::RegisterBenchmark(sentence({"limits/products/", simd::name_of(a)}).c_str(),
                                   [a](benchmark::State& state) {
                                     double peak = 0;
                                     for (auto _ : state) peak = bench::peak_macs(a);
                                     state.counters["GMAC/s"] = peak * 1e-9;
                                   })
          ->Iterations(1);
  for (const std::int64_t kib : {16, 512, 8192, 262'144})
    benchmark::RegisterBenchmark(
        sentence({"limits/copy/", number(kib), "KiB"}).c_str(),
        [kib](benchmark::State& state) {
          double best = 0;
          for (auto _ : state) best = bench::copy_bandwidth(static_cast<std::size_t>(kib) * 1024);
          state.counters["GB/s"] = best * 1e-9;
        })
        ->Iterations(1);
}

/// Vectors of 16 channels by their forms.
template <class Target> std::string forms_of(const prepared<Target>& l) {
  if (!l.kernel->plan().packed) return "the reference";
  int forms[simd::form_kinds] = {};
  const packed_layer& p = *l.kernel->plan().packed;
  for (std::int32_t v = 0; v < p.vectors(); ++v) ++forms[static_cast<int>(p.forms.data()[v].kind)];
  std::string text;
  for (int i = 0; i < simd::form_kinds; ++i)
    if (forms[i] > 0)
      text += sentence({text.empty() ? "" : ", ", number(forms[i]), " ",
                        simd::name_of(static_cast<simd::form_kind>(i))});
  return text;
}

template <class Target>
void print_layer(const bench::layer& l, simd::arch a, double peak, bool json) {
  prepared<Target> ours(l, a);
  auto others = bench::peer_calls(ours.p.outputs(), [&](const bench::peer& p, auto output) {
    return p.prepare(ours.p, output);
  });
  bench::print_row(
      {.name = l.name,
       .target = Target::name,
       .arch = simd::name_of(a),
       .macs = ours.p.macs(),
       .peak = peak,
       .forms = forms_of(ours)},
      [&] { ours.run(); }, ours.same(), others, ours.want, json);
}

template <class Target> void print_elements(const bench::element_case& c, simd::arch a, bool json) {
  const bench::element_problem p(c);
  simd::force_arch(a);
  const bench::element_call ours = bench::prepare_elements<Target>(p);
  if (!ours.run) return;
  simd::force_arch(simd::arch::scalar);
  bench::codes output(p.outputs), want(p.outputs);
  bench::prepare_elements<Target>(p).run(want);
  ours.run(output);
  auto others = bench::peer_calls(p.outputs, [&](const bench::peer& other, auto made) {
    return other.prepare_elements(p, made);
  });
  bench::print_row(
      {.name = c.name,
       .target = Target::name,
       .arch = simd::name_of(a),
       .bytes = p.bytes(),
       .forms = ours.on == a ? "packed" : "the reference"},
      [&] { ours.run(output); }, output == want, others, want, json);
}

void print_table(std::string_view only, bool json, bool avx2_alone) {
  for (const simd::arch a : simd::every_arch) {
    if (!simd::machine_has(a) || simd::kernels_of(a) == nullptr) continue;
    if (avx2_alone && a != simd::arch::avx2) continue;
    std::vector<double> peaks;
    for (int i = 0; i < 5; ++i) peaks.push_back(bench::peak_macs(a));
    const double peak = bench::median(peaks);
    if (!json)
      std::printf(
          "%s, peak %.1f GMAC/s, one thread, medians of 9; at the end: vectors of 16 channels by "
          "form\n",
          simd::name_of(a).data(), peak * 1e-9);
    for (const bench::layer& l : bench::layers) {
      if (l.name.find(only) == std::string_view::npos) continue;
      print_layer<targets::xnnpack>(l, a, peak, json);
      print_layer<targets::tflite_reference>(l, a, peak, json);
      print_layer<targets::tflite_single_rounding>(l, a, peak, json);
    }
    for (const bench::element_case& c : bench::element_cases) {
      if (c.name.find(only) == std::string_view::npos) continue;
      print_elements<targets::xnnpack>(c, a, json);
      print_elements<targets::tflite_reference>(c, a, json);
      print_elements<targets::tflite_single_rounding>(c, a, json);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool table = false, json = false;
  std::string_view only;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--table")
      table = true;
    else if (argument == "--json")
      json = true;
    else
      only = argument;
  }
  if (table) {
    // With BITTWIN_ARCH=avx2 it is AVX2 against AVX2.
    const bool held = simd::which_arch() == simd::arch::avx2;
    if (held && !bench::hold_peers_to_avx2())
      std::fputs("XNNPACK runs on all that the processor has: cpuinfo.h was not found\n", stderr);
    print_table(only, json, held);
    return 0;
  }
  register_limits();
  register_layers(targets::list<targets::tflite_reference, targets::tflite_single_rounding,
                                targets::xnnpack>{});
  register_elements(targets::list<targets::tflite_reference, targets::tflite_single_rounding,
                                  targets::xnnpack>{});
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
