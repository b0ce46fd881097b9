// SPDX-License-Identifier: Apache-2.0
// Packed kernels give the integers of the scalar reference, on every architecture that this machine has, for every
// shipped target.
#include <cstdio>

#include "laws/targets.hpp"
#include "parity/parity.hpp"

namespace {

using namespace parity;
using conformance::layer_kind;

void expect_same_everywhere(layer_kind kind) {
  const forced reference(arch::scalar);
  laws::for_each_target([&]<class Target>(std::type_identity<Target>) {
    for_each_arch([&](arch a) {
      shares seen;
      kernel_on<Target> kernel{a, &seen};
      const auto v = conformance::detail::check_kernel<Target>(kernel, {.kind = kind});
      EXPECT_TRUE(v.passed) << simd::name_of(a) << ": " << v.text;
      EXPECT_GT(seen.packed, seen.all / 4) << Target::name << " on " << simd::name_of(a);
      std::printf("%-17s %-22s %-12s %d of %d calls packed",
                  std::string(conformance::name_of(kind)).c_str(),
                  std::string(Target::name).c_str(), simd::name_of(a).data(), seen.packed,
                  seen.all);
      print_forms(seen.forms);
    });
  });
}

TEST(parity, conv2d_gives_the_integers_of_the_reference) {
  expect_same_everywhere(layer_kind::conv2d);
}
TEST(parity, depthwise_conv2d_gives_the_integers_of_the_reference) {
  expect_same_everywhere(layer_kind::depthwise_conv2d);
}
TEST(parity, fully_connected_gives_the_integers_of_the_reference) {
  expect_same_everywhere(layer_kind::fully_connected);
}

}  // namespace
