// SPDX-License-Identifier: Apache-2.0
// Packed operators on two operands give the integers of the scalar reference: judged by the conformance kit between
// guard pages, and on every pair of codes.
#include <bittwin/conformance/check_elementwise.hpp>
#include <bittwin/kernel/pack_pairs.hpp>
#include <cstdio>
#include <iterator>
#include <random>
#include <vector>

#include "laws/targets.hpp"
#include "parity/parity.hpp"

namespace {

using namespace parity;
using conformance::elementwise_case;
using conformance::elementwise_kind;

/// Calls by what ran them.
struct pair_shares {
  int one_sided = 0, two_sided = 0, tables = 0, rules = 0;

  void count(const packed_pointer<packed_pairs>& p) {
    if (!p)
      ++rules;
    else if (!p->is_line)
      ++tables;
    else if (p->line.below == 0 && p->line.above == 0)
      ++one_sided;
    else
      ++two_sided;
  }
};

template <class Target>
result<addition_kernel> prepare(elementwise_kind kind, const binary_spec& s) {
  return kind == elementwise_kind::sub ? sub<Target>::prepare(s) : add<Target>::prepare(s);
}

template <class Target> void expect_same(elementwise_kind kind) {
  const forced reference(arch::scalar);
  for_each_arch([&](arch on) {
    pair_shares seen;
    const auto kernel = [&]<class T>(const elementwise_case& c, std::span<const T> a,
                                     std::span<const T> b, std::span<T> y) {
      const forced here(on);
      const shape extents{c.count};
      const auto k =
          prepare<Target>(kind, {c.type, extents, extents, c.a(), c.b(), c.y(), c.fused});
      ASSERT_TRUE(k.has_value());
      seen.count(k->packed());
      const auto before = simd::runs_of(on);
      (*k)(a, b, y);
      ASSERT_EQ(k->runs_on(), on);
      ASSERT_EQ(simd::runs_of(on), before + 1);
    };
    const auto v = kind == elementwise_kind::sub ? conformance::check_sub<Target>(kernel)
                                                 : conformance::check_add<Target>(kernel);
    EXPECT_TRUE(v.passed) << simd::name_of(on) << ": " << v.text;
    EXPECT_EQ(seen.rules, 0);
    EXPECT_GT(seen.one_sided, 0);
    std::printf("%s %-22s %-12s lines %d, two-sided %d, tables %d\n",
                kind == elementwise_kind::sub ? "sub" : "add", std::string(Target::name).c_str(),
                simd::name_of(on).data(), seen.one_sided, seen.two_sided, seen.tables);
  });
}

TEST(pairs, sums_and_differences_give_the_integers_of_the_reference) {
  laws::for_each_target([&]<class Target>(std::type_identity<Target>) {
    expect_same<Target>(elementwise_kind::add);
    expect_same<Target>(elementwise_kind::sub);
  });
}

/// All pairs, in one call whose operands and result start at any address.
template <class Target, class T>
std::int64_t differences(elementwise_kind kind, const binary_spec& s, arch on, pair_shares& seen) {
  const forced here(on);
  const auto k = prepare<Target>(kind, s);
  if (!k) return 0;
  seen.count(k->packed());
  const code_range type = range_of(s.type);
  const std::size_t offset = static_cast<std::size_t>(seen.one_sided % 64);
  std::vector<T> a(65536 + offset), b(a), y(a);
  for (std::size_t i = 0; i < 65536; ++i) {
    a[offset + i] = static_cast<T>(type.low + static_cast<std::int64_t>(i / 256));
    b[offset + i] = static_cast<T>(type.low + static_cast<std::int64_t>(i % 256));
  }
  const auto all = [&](std::vector<T>& v) { return std::span<T>(v).subspan(offset); };
  (*k)(std::span<const T>(all(a)), std::span<const T>(all(b)), all(y));
  std::int64_t wrong = 0;
  for (std::size_t i = offset; i < y.size(); ++i) wrong += (*k)(a[i], b[i]) != y[i];
  return wrong;
}

TEST(pairs, every_pair_of_codes_gives_the_code_of_the_rule) {
  std::mt19937 random(11);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  // Ratios whose sums lie in the middle of two codes, or at 1 and above.
  static constexpr double plain[] = {1, 0.5, 2, 0.75, 1.5, 0.3, 4, 0.1};
  pair_shares on_arch[std::size(simd::every_arch)];
  for (int trial = 0; trial < 48; ++trial) {
    binary_spec s{.type = trial % 2 == 0 ? element_type::int8 : element_type::uint8,
                  .a_extents = {256, 256},
                  .b_extents = {256, 256}};
    const int middle = trial % 2 == 0 ? 0 : 128;
    const auto grid = [&](double scale) {
      const double zero =
          uniform(0, 1) < 0.2 ? (uniform(0, 1) < 0.5 ? -128 : 127) : uniform(-128, 127.9);
      return affine{static_cast<float>(scale), static_cast<std::int32_t>(zero) + middle};
    };
    const auto ratio = [&] {
      return trial % 3 == 0 ? plain[static_cast<std::size_t>(uniform(0, 7.99))]
                            : std::exp2(uniform(-3, 2));
    };
    s.output = grid(std::exp2(uniform(-7, 0)));
    const auto out = static_cast<double>(s.output.scale);
    s.a = grid(ratio() * out);
    s.b = grid(trial % 5 == 0 ? static_cast<double>(s.a.scale) : ratio() * out);
    s.fused = trial % 4 == 1   ? activation::relu6
              : trial % 4 == 2 ? activation::relu
                               : activation::none;
    laws::for_each_target([&]<class Target>(std::type_identity<Target>) {
      for_each_arch([&](arch on) {
        pair_shares& all = on_arch[static_cast<std::size_t>(on)];
        for (const auto kind : {elementwise_kind::add, elementwise_kind::sub}) {
          const std::int64_t wrong = trial % 2 == 0
                                         ? differences<Target, std::int8_t>(kind, s, on, all)
                                         : differences<Target, std::uint8_t>(kind, s, on, all);
          EXPECT_EQ(wrong, 0) << Target::name << " on " << simd::name_of(on) << ", trial " << trial;
        }
      });
    });
  }
  // A faulty line would be left for the table: exact, and slow. So each architecture has as many as the others.
  const pair_shares* first = nullptr;
  for_each_arch([&](arch on) {
    const pair_shares& all = on_arch[static_cast<std::size_t>(on)];
    std::printf("%-12s lines %d, two-sided %d, tables %d\n", simd::name_of(on).data(),
                all.one_sided, all.two_sided, all.tables);
    EXPECT_GT(all.one_sided, 100);
    EXPECT_GT(all.two_sided, 0);
    EXPECT_GT(all.tables, 0);
    if (first == nullptr) first = &all;
    EXPECT_EQ(all.one_sided, first->one_sided);
    EXPECT_EQ(all.two_sided, first->two_sided);
  });
}

TEST(pairs, every_count_and_in_place) {
  const forced reference(arch::scalar);
  for_each_arch([&](arch on) {
    for (std::int32_t count = 1; count <= 3 * 64 + 1; ++count) {
      const elementwise_case c{
          .count = count, .za = -3, .zb = 5, .sa = 300, .sb = 411, .sy = 600, .seed = 5};
      const binary_spec s{c.type, {count}, {count}, c.a(), c.b(), c.y(), c.fused};
      std::vector<std::int8_t> a = c.operand<std::int8_t>(1), b = c.operand<std::int8_t>(2),
                               want(a);
      const auto rule = add<targets::tflite_reference>::prepare(s);
      (*rule)(std::span<const std::int8_t>(a), std::span<const std::int8_t>(b), std::span(want));
      const forced here(on);
      const auto k = add<targets::tflite_reference>::prepare(s);
      (*k)(std::span<const std::int8_t>(a), std::span<const std::int8_t>(b), std::span(a));
      EXPECT_EQ(a, want) << simd::name_of(on) << ", " << count;
    }
  });
}

TEST(pairs, broadcast_operands_run_by_the_rule) {
  const forced here(simd::every_arch[simd::machine_has(arch::avx2) ? 1 : 0]);
  const auto k = add<targets::tflite_reference>::prepare(
      {element_type::int8, {4, 1}, {1, 4}, {0.5F, 1}, {0.25F, 2}, {0.5F, 3}});
  ASSERT_TRUE(k.has_value());
  EXPECT_EQ(k->runs_on(), arch::scalar);
}

}  // namespace
