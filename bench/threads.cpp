// SPDX-License-Identifier: Apache-2.0
// bittwin-threads [N] [NAME]   the layers on one thread and on N (2): wall time of the best call, and the ratio; only
//                              cases with NAME in their name. Calls alternate in turns of ten, as operators of a model
//                              follow each other: threads that have just worked are awake.
// The best call: on a machine with other jobs most calls wait for a processor. Nothing is timed before its integers
// were compared.
#include <bittwin/parallel/thread_pool.hpp>
#include <bittwin/targets/tflite_reference.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "layers.hpp"

namespace {

using namespace bittwin;

template <class F> double microseconds_of(F&& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// False where other integers were made.
bool print_layer(const bench::layer& l, thread_pool& pool) {
  const bench::problem p(l);
  const auto kernel = bench::prepare<targets::tflite_reference>(p);
  if (!kernel) return false;
  bench::codes want(p.outputs()), made(p.outputs());
  const auto run = [&](const parallel_for& parallel) {
    (*kernel)(std::span<const std::int8_t>(p.input), std::span(made), parallel);
  };
  (*kernel)(std::span<const std::int8_t>(p.input), std::span(want));
  run(pool.parallel());
  const bool same = made == want;
  if (same) {
    double one = 1e9, many = 1e9;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    do {
      for (int i = 0; i < 10; ++i) one = std::min(one, microseconds_of([&] { run({}); }));
      for (int i = 0; i < 10; ++i)
        many = std::min(many, microseconds_of([&] { run(pool.parallel()); }));
    } while (std::chrono::steady_clock::now() < end);
    std::printf("%-40s %-12s %9.1f us  %9.1f us  x%.2f\n", std::string(l.name).c_str(),
                simd::name_of(kernel->runs_on()).data(), one, many, one / many);
  } else {
    std::printf("%-40s other integers on %d threads\n", std::string(l.name).c_str(),
                pool.threads());
  }
  return same;
}

}  // namespace

int main(int argc, char** argv) {
  const auto pool = thread_pool::start(argc > 1 ? std::atoi(argv[1]) : 2);
  if (!pool) {
    std::fprintf(stderr, "bittwin-threads: %s\n", pool.error().text.c_str());
    return 2;
  }
  std::printf("one thread, %d threads, best calls; tflite-reference\n", (*pool)->threads());
  bool same = true;
  for (const bench::layer& l : bench::layers)
    if (l.name.find(argc > 2 ? argv[2] : "") != std::string_view::npos)
      same = print_layer(l, **pool) && same;
  return same ? 0 : 1;
}
