// SPDX-License-Identifier: Apache-2.0
// bittwin-bench           the layers as Google Benchmark names them: op/target/arch/case, GMAC/s
// bittwin-bench --table   the same as a table: time, GMAC/s, share of the machine's peak, ratio to each peer
// Nothing is timed before its integers were compared with the scalar reference.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "limits.hpp"
#include "peer.hpp"

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

/// One layer under one target on one architecture, with the reference's integers beside it.
template <class Target> struct prepared {
  problem p;
  std::vector<std::int8_t> output, want;
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
  for (const std::size_t kib : {16, 512, 8192, 262'144})
    benchmark::RegisterBenchmark(
        sentence({"limits/copy/", number(static_cast<std::int64_t>(kib)), "KiB"}).c_str(),
        [kib](benchmark::State& state) {
          double best = 0;
          for (auto _ : state) best = bench::copy_bandwidth(kib * 1024);
          state.counters["GB/s"] = best * 1e-9;
        })
        ->Iterations(1);
}

/// Ours and the peers' in turns; a sample each in every round, medians of them.
template <class Target> void print_row(const bench::layer& l, simd::arch a, double peak) {
  prepared<Target> ours(l, a);
  std::vector<std::function<void()>> calls{[&] { ours.run(); }};
  std::vector<std::vector<std::int8_t>> made;
  made.reserve(bench::peers().size());
  for (const bench::peer& other : bench::peers()) {
    made.emplace_back(ours.p.outputs());
    calls.push_back(other.prepare(ours.p, made.back()));
  }
  std::vector<std::vector<double>> samples(calls.size());
  for (int round = 0; round < 9; ++round)
    for (std::size_t i = 0; i < calls.size(); ++i)
      if (calls[i]) samples[i].push_back(bench::seconds_of(calls[i], 0.01));
  const double time = bench::median(samples[0]);
  std::printf("%-22s %-22s %9.1f us %7.1f GMAC/s  %4.2f of peak  %s", l.name.data(),
              Target::name.data(), time * 1e6, ours.p.macs() / time * 1e-9,
              peak > 0 ? ours.p.macs() / time / peak : 0.0, ours.same() ? "exact" : "NOT EXACT");
  for (std::size_t i = 1; i < calls.size(); ++i) {
    if (!calls[i]) continue;
    int most = 0;  // peers round in float32, so a code may differ by one
    for (std::size_t k = 0; k < ours.want.size(); ++k)
      most = std::max(most, std::abs(int{ours.want[k]} - int{made[i - 1][k]}));
    std::printf("  %s %.1f us, ratio %.2f%s", bench::peers()[i - 1].name.data(),
                bench::median(samples[i]) * 1e6, time / bench::median(samples[i]),
                most > 1 ? " (ITS CODES DIFFER)" : "");
  }
  int forms[6] = {};
  if (!ours.kernel->plan().packed) return;
  for (std::int32_t v = 0; v < ours.kernel->plan().packed->vectors(); ++v)
    ++forms[static_cast<int>(ours.kernel->plan().packed->forms.data()[v].kind)];
  std::printf("  forms %d %d %d %d %d %d", forms[0], forms[1], forms[2], forms[3], forms[4],
              forms[5]);
  std::printf("\n");
  std::fflush(stdout);
}

void print_table(std::string_view only) {
  for (const simd::arch a : simd::every_arch) {
    if (!simd::machine_has(a) || simd::kernels_of(a) == nullptr) continue;
    std::vector<double> peaks;
    for (int i = 0; i < 5; ++i) peaks.push_back(bench::peak_macs(a));
    const double peak = bench::median(peaks);
    std::printf(
        "%s, peak %.1f GMAC/s, one thread, medians of 9; forms: vectors of 16 channels in float32, "
        "product, two-sided, float64, two-sided, scalar\n",
        simd::name_of(a).data(), peak * 1e-9);
    for (const bench::layer& l : bench::layers) {
      if (l.name.find(only) == std::string_view::npos) continue;
      print_row<targets::xnnpack>(l, a, peak);
      print_row<targets::tflite_reference>(l, a, peak);
      print_row<targets::tflite_single_rounding>(l, a, peak);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--table") == 0) {
    print_table(argc > 2 ? argv[2] : "");
    return 0;
  }
  register_limits();
  register_layers(targets::list<targets::tflite_reference, targets::tflite_single_rounding,
                                targets::xnnpack>{});
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
