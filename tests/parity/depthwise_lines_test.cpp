// SPDX-License-Identifier: Apache-2.0
// Depthwise lines under every form, which prepare() would find for few layers only: sums by the textbook's loops, codes
// by the epilogue of another architecture where the machine has one.
#include <bittwin/kernel/pack_depthwise_lines.hpp>
#include <bittwin/kernel/pack_layer.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "parity/parity.hpp"

namespace {

using namespace parity;
using simd::form_kind;

/// A layer of lines, with tensors that no proof was asked about.
struct line_layer {
  packed_layer p;
  std::vector<std::uint8_t> input;
  std::vector<std::int16_t> weights;  ///< [ky, kx, channel]
  std::mt19937 random;

  line_layer(arch on, simd::line_window w, std::int32_t channels, unsigned seed) : random(seed) {
    p.kernels = simd::kernels_of(on);
    p.geometry = {.batch = 2,
                  .rows = place(padding_kind::same, 11, w.kernel, w.stride, 1),
                  .columns = place(padding_kind::same, 37, w.kernel, w.stride, 1),
                  .input_channels = channels,
                  .output_channels = channels,
                  .groups = channels};
    input.resize(static_cast<std::size_t>(p.geometry.input().elements()));
    weights.resize(static_cast<std::size_t>(p.geometry.taps() * channels));
    for (auto& x : input) x = static_cast<std::uint8_t>(random());
    for (auto& k : weights) k = static_cast<std::int8_t>(random());
    p.flip = seed % 2 == 0 ? 0x80 : 0;
    p.padding = static_cast<std::uint8_t>(random());
    p.tile.low = seed % 3 == 0 ? -100 : -128, p.tile.high = seed % 3 == 1 ? 90 : 127;
    p.tile.flip = seed % 5 < 2 ? 0x80 : 0;
    detail::divide_into_blocks(p);
    p.forms.resize(static_cast<std::size_t>(p.vectors()));
    p.first.resize(static_cast<std::size_t>(p.vectors()) * simd::lanes);
    for (std::int32_t c = 0; c < p.vectors() * simd::lanes; ++c)
      p.first.data()[c] = static_cast<std::int32_t>(random() % 4000) - 2000;
  }

  /// [n, oy, ox, vectors of 16]
  [[nodiscard]] std::vector<std::int32_t> sums() const {
    const convolution_geometry& g = p.geometry;
    const std::int64_t lanes = std::int64_t{p.vectors()} * simd::lanes;
    std::vector<std::int32_t> all;
    for (std::int32_t n = 0; n < g.batch; ++n)
      for (std::int32_t oy = 0; oy < g.rows.output; ++oy)
        for (std::int32_t ox = 0; ox < g.columns.output; ++ox)
          for (std::int32_t c = 0; c < lanes; ++c) {
            std::int32_t acc = p.first.data()[c];
            for (std::int32_t i = 0; i < g.taps() && c < g.output_channels; ++i) {
              const std::int32_t iy = oy * g.rows.stride - g.rows.before + i / g.columns.kernel;
              const std::int32_t ix =
                  ox * g.columns.stride - g.columns.before + i % g.columns.kernel;
              const bool inside = iy >= 0 && iy < g.rows.input && ix >= 0 && ix < g.columns.input;
              const std::int64_t at =
                  ((std::int64_t{n} * g.rows.input + iy) * g.columns.input + ix) *
                      g.input_channels +
                  c;
              const int code = inside ? input[static_cast<std::size_t>(at)] : p.padding;
              acc += (code ^ p.flip) *
                     weights[static_cast<std::size_t>(std::int64_t{i} * g.output_channels + c)];
            }
            all.push_back(acc);
          }
    return all;
  }

  /// Constants of no rule in particular, under which codes spread over the type.
  void draw_forms(form_kind kind) {
    const auto real = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    for (std::int32_t v = 0; v < p.vectors(); ++v) {
      simd::channel_form& f = p.forms.data()[v];
      f.kind = kind;
      for (int i = 0; i < simd::lanes; ++i) {
        f.scale64[i] = real(0.0005, 0.003), f.offset64[i] = real(-20, 20);
        f.offset64_below[i] = f.offset64[i] - real(1, 9);
        f.seam64[i] = real(-3000, 3000);
        f.scale[i] = static_cast<float>(f.scale64[i]);
        f.offset[i] = static_cast<float>(f.offset64[i]);
        f.offset_below[i] = static_cast<float>(f.offset64_below[i]);
        f.seam[i] = static_cast<std::int32_t>(kind == form_kind::float32_product ? f.offset64[i]
                                                                                 : f.seam64[i]);
        f.shift[i] = 10 + i % 3;
        f.multiplier[i] = static_cast<std::int32_t>(std::ldexp(f.scale64[i], 30 + f.shift[i]));
        f.add[i] = static_cast<std::int32_t>(std::ldexp(f.offset64[i], f.shift[i]));
        f.add_below[i] = static_cast<std::int32_t>(std::ldexp(f.offset64_below[i], f.shift[i]));
      }
    }
  }

  [[nodiscard]] std::vector<std::uint8_t> codes_of(std::vector<std::int32_t> sums) const {
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(p.geometry.output().elements()));
    simd::code_tile tile = p.tile;
    tile.acc = sums.data();
    tile.vectors = p.vectors();
    tile.pixels = static_cast<std::int32_t>(sums.size()) / (p.vectors() * simd::lanes);
    tile.channels = p.geometry.output_channels;
    tile.forms = p.forms.data();
    tile.codes = codes.data();
    tile.pixel_step = p.geometry.output_channels;
    const simd::float_environment environment;
    const bool other = p.kernels->of == arch::avx2 && simd::machine_has(arch::avx512_vnni);
    simd::kernels_of(other ? arch::avx512_vnni : arch::avx2)->requantize(tile);
    return codes;
  }

  [[nodiscard]] std::vector<std::uint8_t> codes_of_lines() {
    detail::choose_lines(p);
    detail::pack_lines(p, weights);
    for (const auto& b : p.blocks) EXPECT_GE(b.line, 0);
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(p.geometry.output().elements()));
    const simd::float_environment environment;
    run_packed_lines(
        p, input_images(nhwc_view<const std::uint8_t>(input.data(), p.geometry.input())),
        output_images(nhwc_view<std::uint8_t>(codes.data(), p.geometry.output())),
        {0, p.geometry.batch, 0, p.geometry.rows.output, 0, p.geometry.output_channels});
    return codes;
  }
};

void expect_codes(arch on, simd::line_window w, form_kind kind, std::int32_t channels,
                  unsigned seed) {
  line_layer layer(on, w, channels, seed);
  const auto sums = layer.sums();
  layer.draw_forms(kind);
  const auto want = layer.codes_of(sums);
  EXPECT_EQ(layer.codes_of_lines(), want)
      << simd::name_of(on) << ", " << w.kernel << " stride " << w.stride << ", "
      << simd::name_of(kind) << ", " << channels << " channels";
  // Codes that are all alike would prove nothing.
  std::vector<int> seen(256);
  for (const std::uint8_t code : want) ++seen[code];
  for (const int count : seen) EXPECT_LT(count, static_cast<int>(want.size()) / 3);
}

TEST(depthwise_lines, make_the_codes_of_every_form) {
  unsigned seed = 0;
  for_each_arch([&](arch on) {
    for (const simd::line_window w : simd::line_windows)
      for (const form_kind kind : simd::every_form)
        for (const std::int32_t channels :
             {112, 109, 60, 30})  // blocks of 64, 32 and 16, and parts of each
          expect_codes(on, w, kind, channels, ++seed);
  });
}

TEST(depthwise_lines, are_left_where_forms_differ_or_none_was_proved) {
  for_each_arch([](arch on) {
    line_layer layer(on, {3, 1}, 160, 1);  // blocks of 64, 64 and 32
    layer.draw_forms(form_kind::float32);
    layer.p.forms.data()[1].kind = form_kind::float64;
    layer.p.forms.data()[8].kind = layer.p.forms.data()[9].kind = form_kind::scalar;
    detail::choose_lines(layer.p);
    EXPECT_EQ(layer.p.blocks[0].line, -1);
    EXPECT_EQ(layer.p.blocks[1].line, 0);
    EXPECT_EQ(layer.p.blocks[2].line, -1);
  });
}

}  // namespace
