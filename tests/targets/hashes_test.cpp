// SPDX-License-Identifier: Apache-2.0
// The integers of every named target, fixed: hashes of 1000 random layers that it runs, and of which others it
// refused, checked in beside this file. An integer of a named target never changes; new arithmetic of its maker is a
// new target with a line of its own.
// The layers are drawn from integers alone, so that no library's distributions or logarithms enter.
#include <gtest/gtest.h>

#include <bittwin/graph/sha256.hpp>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "layers.hpp"

#ifndef BITTWIN_SOURCE
#define BITTWIN_SOURCE "."
#endif

namespace {

using namespace bittwin;

/// SplitMix64. source  Steele, Lea, Flood 2014
class integers {
 public:
  explicit integers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  std::int32_t between(std::int32_t low, std::int32_t high) {
    return low + static_cast<std::int32_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }

 private:
  std::uint64_t state_;
};

/// What all kinds of layers have in common.
struct drawn {
  element_type type = element_type::int8;
  bool powers = false, symmetric = false;
  affine a, b, out;
  float filter = 1;
  activation fused = activation::none;
};

/// of_zeros: uint8 codes whose zero points are 0 too, for chips that hold nothing else.
drawn draw_layer(integers& draw, bool of_zeros) {
  drawn d;
  d.type = draw.between(0, 2) == 0 ? element_type::uint8 : element_type::int8;
  d.powers = draw.between(0, 1) == 0;
  d.symmetric = d.type == element_type::int8 && draw.between(0, 1) == 0;
  if (of_zeros) d.symmetric = true;
  const code_range range = range_of(d.type);
  const auto zero = [&] {
    return d.symmetric ? 0
                       : draw.between(static_cast<std::int32_t>(range.low),
                                      static_cast<std::int32_t>(range.high));
  };
  // mantissa * 2^exponent, exactly
  const auto scale = [&](int exponent) {
    const std::int32_t mantissa = d.powers ? 1 << 23 : draw.between(1 << 23, (1 << 24) - 1);
    return ieee::nearest<float>(false,
                                {static_cast<std::uint64_t>(mantissa), false, exponent - 23});
  };
  d.a = {scale(draw.between(-7, -3)), zero()};
  d.b = {scale(draw.between(-7, -3)), zero()};
  d.out = {scale(draw.between(-5, 0)), zero()};
  if (draw.between(0, 5) == 0) d.b.scale = d.out.scale = d.a.scale;
  d.filter = scale(draw.between(-9, -4));
  d.fused = draw.between(0, 5) == 0 ? activation::relu : activation::none;
  return d;
}

class recorder {
 public:
  void refused() { bytes_.push_back(std::byte{'R'}); }
  template <class T> void ran(const std::vector<T>& codes) {
    ++ran_;
    bytes_.push_back(std::byte{'C'});
    for (const T code : codes) bytes_.push_back(static_cast<std::byte>(code));
  }
  [[nodiscard]] int ran_layers() const { return ran_; }
  [[nodiscard]] std::string line() const {
    return graph::sha256_hex(bytes_) + " " + std::to_string(ran_);
  }

 private:
  std::vector<std::byte> bytes_;
  int ran_ = 0;
};

std::vector<std::byte> random_bytes(integers& draw, std::size_t count) {
  std::vector<std::byte> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(static_cast<std::byte>(draw.next() >> 56));
  return all;
}

template <class T> std::vector<T> codes_of(const std::vector<std::byte>& bytes) {
  std::vector<T> codes;
  for (const std::byte b : bytes) codes.push_back(static_cast<T>(b));
  return codes;
}

/// Any kernel on one or two operands of bytes.
template <class Kernel>
void run_dense(recorder& to, const Kernel& kernel, element_type type,
               const std::vector<std::byte>& x, std::size_t outputs) {
  const auto run = [&]<class T>(T) {
    const auto codes = codes_of<T>(x);
    std::vector<T> y(outputs);
    kernel(std::span<const T>(codes), std::span<T>(y));
    to.ran(y);
  };
  type == element_type::uint8 ? run(std::uint8_t{}) : run(std::int8_t{});
}
template <class Kernel>
void run_pair(recorder& to, const Kernel& kernel, element_type type,
              const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  const auto run = [&]<class T>(T) {
    const auto x = codes_of<T>(a), w = codes_of<T>(b);
    std::vector<T> y(x.size());
    kernel(std::span<const T>(x), std::span<const T>(w), std::span<T>(y));
    to.ran(y);
  };
  type == element_type::uint8 ? run(std::uint8_t{}) : run(std::int8_t{});
}

void dot_product(recorder& to, integers& draw, const drawn& d, const graph::target_rules& rules) {
  const int kind = draw.between(0, 2);
  const std::int32_t ic = draw.between(1, 9), oc = kind == 1 ? ic : draw.between(1, 9);
  const std::int32_t side = kind == 2 ? 1 : 5, taps = kind == 2 ? 1 : 3;
  const bool around_128 = draw.between(0, 1) == 0, biased = draw.between(0, 1) == 0;
  const std::int32_t filter_zero = d.type == element_type::int8 ? 0
                                   : around_128                 ? 128
                                                                : draw.between(0, 255);
  const bool channels = draw.between(0, 3) == 0 && d.type == element_type::int8;
  std::vector<float> scales(channels ? static_cast<std::size_t>(oc) : 1U, d.filter);
  for (float& s : scales)
    if (channels)
      s = ieee::multiply(s,
                         ieee::from_integer<float>(1 + static_cast<std::int64_t>(draw.next() % 2)));
  const dot_product_quantization q{.type = d.type,
                                   .input = d.a,
                                   .filter_scales = scales,
                                   .filter_zero_point = filter_zero,
                                   .output = d.out,
                                   .fused = d.fused,
                                   .has_bias = biased};
  const auto w =
      random_bytes(draw, static_cast<std::size_t>(taps * taps * oc * (kind == 1 ? 1 : ic)));
  const auto x = random_bytes(draw, static_cast<std::size_t>(side * side * ic));
  std::vector<std::int64_t> bias;
  for (std::int32_t c = 0; biased && c < oc; ++c) bias.push_back(draw.between(-4000, 4000));
  const auto finish = [&](const result<dot_product_kernel>& kernel) {
    if (!kernel) return to.refused();
    run_dense(to, *kernel, d.type, x, static_cast<std::size_t>(kernel->output().elements()));
  };
  const nhwc input{1, side, side, ic};
  if (kind == 0) {
    const conv2d_spec s{.input = input, .filter = {oc, 3, 3, ic}, .quantization = q};
    if (rules.conv2d == nullptr) return to.refused();
    return finish(prepare_conv2d(rules.conv2d(facts_of(s)), s, w, bias));
  }
  if (kind == 1) {
    const depthwise_conv2d_spec s{.input = input, .filter_h = 3, .filter_w = 3, .quantization = q};
    if (rules.depthwise_conv2d == nullptr) return to.refused();
    return finish(prepare_depthwise_conv2d(rules.depthwise_conv2d(facts_of(s)), s, w, bias));
  }
  const fully_connected_spec s{.rows = 1, .depth = ic, .outputs = oc, .quantization = q};
  if (rules.fully_connected == nullptr) return to.refused();
  finish(prepare_fully_connected(rules.fully_connected(facts_of(s)), s, w, bias));
}

void pair(recorder& to, integers& draw, const drawn& d, const graph::target_rules& rules) {
  const int kind = draw.between(0, 2);
  const binary_spec s{.type = d.type,
                      .a_extents = {40},
                      .b_extents = {40},
                      .a = d.a,
                      .b = d.b,
                      .output = d.out,
                      .fused = d.fused};
  const auto a = random_bytes(draw, 40), b = random_bytes(draw, 40);
  if (kind == 2) {
    if (rules.mul == nullptr) return to.refused();
    const auto kernel = prepare_mul(rules.mul(facts_of(s)), s);
    return kernel ? run_pair(to, *kernel, d.type, a, b) : to.refused();
  }
  const auto& rule = kind == 0 ? rules.add : rules.sub;
  if (rule == nullptr) return to.refused();
  const auto kernel = prepare_addition(rule(facts_of(s)), s, kind == 0 ? 1 : -1);
  kernel ? run_pair(to, *kernel, d.type, a, b) : to.refused();
}

void pool(recorder& to, integers& draw, const drawn& d, const graph::target_rules& rules) {
  const auto& rule = draw.between(0, 1) == 0 ? rules.average_pool2d : rules.max_pool2d;
  const std::int32_t window = draw.between(1, 4);
  const pool2d_spec s{.type = d.type,
                      .input = {1, 6, 5, 2},
                      .filter_h = window,
                      .filter_w = window,
                      .grid = d.out,
                      .fused = d.fused};
  const auto x = random_bytes(draw, 60);
  if (rule == nullptr) return to.refused();
  const auto kernel = prepare_pool2d(rule(facts_of(s)), s);
  if (!kernel) return to.refused();
  run_dense(to, *kernel, d.type, x, static_cast<std::size_t>(kernel->output().elements()));
}

std::string hash_of(const graph::target_rules& rules) {
  integers draw(1);
  recorder to;
  for (int layer = 0; to.ran_layers() < 1000 && layer < 300'000; ++layer) {
    const drawn d = draw_layer(draw, layer >= 100'000);
    // Each layer from a seed of its own: what a target refuses does not move what follows.
    integers own(draw.next());
    const int kind = layer % 5;
    kind < 3    ? dot_product(to, own, d, rules)
    : kind == 3 ? pair(to, own, d, rules)
                : pool(to, own, d, rules);
  }
  return to.line();
}

TEST(hashes, of_1000_layers_of_every_target_are_those_checked_in) {
  std::ifstream file(std::string(BITTWIN_SOURCE) + "/tests/targets/hashes.txt");
  ASSERT_TRUE(file);
  std::map<std::string, std::string> known;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t space = line.find(' ');
    known[line.substr(0, space)] = line.substr(space + 1);
  }
  std::string all;
  for (const graph::target_rules* rules : test::all_targets()) {
    if (rules->is_real) continue;  // no codes
    const std::string hash = hash_of(*rules), name(rules->name);
    all += name + " " + hash + "\n";
    EXPECT_EQ(known[name], hash) << name;
    EXPECT_EQ(hash.substr(hash.find(' ') + 1), "1000") << name << ": too few of its layers ran";
    known.erase(name);
  }
  EXPECT_TRUE(known.empty()) << known.begin()->first << " is no target";
  if (HasFailure()) std::printf("%s", all.c_str());
}

}  // namespace
