// SPDX-License-Identifier: Apache-2.0
// A kernel prepared for one architecture, judged by the conformance kit against the scalar reference: between guard
// pages, several calls, shrinking what fails.
#pragma once

#include <gtest/gtest.h>

#include <bittwin/conformance/check.hpp>
#include <bittwin/kernel/packed_layer.hpp>
#include <bittwin/simd/arch.hpp>
#include <bittwin/targets/tflite_reference.hpp>
#include <cstdio>
#include <span>

namespace parity {

using namespace bittwin;
using conformance::layer_case;
using conformance::layer_data;
using simd::arch;

/// Prepares for an architecture while it lives; the reference outside is scalar.
class forced {
 public:
  explicit forced(arch a) : before_(simd::which_arch()) { EXPECT_TRUE(simd::force_arch(a)); }
  forced(const forced&) = delete;
  forced& operator=(const forced&) = delete;
  ~forced() { simd::force_arch(before_); }

 private:
  arch before_;
};

/// How many calls ran on the architecture and not on the reference, and how many of their vectors of 16 channels had a
/// proved form of each kind.
struct shares {
  int packed = 0, all = 0;
  int forms[simd::form_kinds] = {};

  void count(const dot_product_plan& plan) {
    ++all;
    packed += bool(plan.packed);
    if (plan.packed)
      for (std::int32_t v = 0; v < plan.packed->vectors(); ++v)
        ++forms[static_cast<int>(plan.packed->forms.data()[v].kind)];
  }
};

inline void print_forms(const int (&forms)[simd::form_kinds]) {
  for (int k = 0; k < simd::form_kinds; ++k)
    if (forms[k] > 0)
      std::printf(", %s %d", simd::name_of(static_cast<simd::form_kind>(k)).data(), forms[k]);
  std::puts("");
}

template <class Target> struct kernel_on {
  arch on;
  shares* seen = nullptr;

  template <class T>
  void operator()(const layer_case& c, const layer_data<T>& d, std::span<const T> x,
                  std::span<T> y) const {
    const forced here(on);
    const auto kernel = conformance::prepare_case<Target>(c, d);
    ASSERT_TRUE(kernel.has_value());
    if (seen != nullptr) seen->count(kernel->plan());
    const auto before = simd::runs_of(on);
    (*kernel)(x, y);
    ASSERT_EQ(simd::runs_of(on), before + (kernel->runs_on() == on ? 1 : 0));
  }
};

/// f(arch) for each that this machine has, the reference itself apart.
template <class F> void for_each_arch(F f) {
  for (const arch a : simd::every_arch)
    if (simd::machine_has(a) && a != arch::scalar) f(a);
}

/// On every architecture, packed and with a form for every vector.
inline void expect_same(const layer_case& c) {
  const forced reference(arch::scalar);
  for_each_arch([&](arch a) {
    shares seen;
    const auto v = conformance::check_case<targets::tflite_reference>(
        kernel_on<targets::tflite_reference>{a, &seen}, c);
    EXPECT_TRUE(v.passed) << simd::name_of(a) << ": " << v.text;
    EXPECT_EQ(seen.packed, seen.all) << simd::name_of(a) << ": " << to_line(c);
    // A faulty kernel of codes proves nothing: its layers would be exact, and slow.
    EXPECT_EQ(seen.forms[static_cast<int>(simd::form_kind::scalar)], 0)
        << simd::name_of(a) << ": " << to_line(c);
  });
}

}  // namespace parity
