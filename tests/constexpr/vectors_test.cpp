// SPDX-License-Identifier: Apache-2.0
// Published formulas as vectors from another program: the ids that a policy of ours models, each
// compared in full. A dead table (an id renamed, a column missing) fails.
#include <gtest/gtest.h>

#include <bittwin/bittwin.hpp>
#include <bittwin/policy/converter.hpp>
#include <bittwin/policy/mantissa.hpp>
#include <bittwin/policy/rescale_converter.hpp>
#include <bittwin/policy/rescale_q31_variants.hpp>
#include <bittwin/policy/rescale_shift.hpp>
#include <bittwin/policy/rescale_tosa.hpp>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <support/shared_folder.hpp>

namespace {

using namespace bittwin;
using nlohmann::json;
using rounding::half_away, rounding::half_even, rounding::half_up, rounding::toward_zero;

std::int64_t integer(const json& value) { return value.get<std::int64_t>(); }

/// A number, or a hexadecimal float as text.
double real(const json& value) {
  return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr)
                           : value.get<double>();
}
float narrow(const json& value) { return static_cast<float>(real(value)); }

class vectors : public testing::Test {
 protected:
  void SetUp() override {
    const auto folder = bittwin::test::shared_folder();
    if (folder.empty()) GTEST_SKIP() << "BITTWIN_SHARED names no folder with vectors/";
    std::ifstream file(folder / "vectors" / "arithmetic.json");
    ASSERT_TRUE(file) << "no vectors/arithmetic.json in " << folder;
    all_ = json::parse(file);
  }

  /// check(in, out) for each vector of one id.
  template <class Check> void each(const std::string& id, Check check) {
    int compared = 0;
    for (const json& one : all_["cases"])
      if (one["id"] == id)
        for (const json& vector : one["vectors"]) {
          SCOPED_TRACE(id + " " + vector.dump());
          check(vector["in"], vector["out"]);
          ++compared;
        }
    EXPECT_GE(compared, 5) << id;
  }

  [[nodiscard]] const json& table() const { return all_["cases"]; }

 private:
  json all_;
};

TEST_F(vectors, the_two_steps_of_double_rounding) {
  using two_step = rescale::q31_two_step<half_up, half_away>;
  each("srdhm_s32", [](const json& in, const json& out) {
    const auto a = static_cast<std::int32_t>(integer(in[0]));
    const auto b = static_cast<std::int32_t>(integer(in[1]));
    EXPECT_EQ(fixed_point::multiply(a, b), integer(out));
    EXPECT_EQ(two_step::apply(a, {b, 0, 0}), integer(out));
  });
  each("rdpot_s32", [](const json& in, const json& out) {
    const auto x = static_cast<std::int32_t>(integer(in[0]));
    const auto count = static_cast<int>(integer(in[1]));
    EXPECT_EQ(rounding::shift_right<half_away>(x, count), integer(out));
    EXPECT_EQ(fixed_point::divide_by_power(x, count), integer(out));
  });
  each("rshl_s32", [](const json& in, const json& out) {
    EXPECT_EQ(rounding::shift_right<half_up>(static_cast<std::int32_t>(integer(in[0])),
                                             static_cast<int>(integer(in[1]))),
              integer(out));
  });
}

TEST_F(vectors, q31_rescales_round_twice_or_once) {
  each("requant_tflite_compare", [](const json& in, const json& out) {
    const multiplier m{static_cast<std::int32_t>(integer(in[1])),
                       static_cast<std::int32_t>(integer(in[2])), 0};
    const std::int64_t acc = integer(in[0]);
    EXPECT_EQ((rescale::q31_two_step<half_up, half_away>::apply(acc, m)),
              integer(out["double_away"]));
    EXPECT_EQ((rescale::q31_two_step<half_up, half_up>::apply(acc, m)), integer(out["double_up"]));
    EXPECT_EQ(rescale::q31_one_step<half_up>::apply(acc, m), integer(out["single"]));
  });
}

TEST_F(vectors, q31_multipliers_are_made_from_reals) {
  each("quantize_multiplier", [](const json& in, const json& out) {
    const multiplier m = multipliers::q31<half_away>::of(real(in[0]));
    EXPECT_EQ(m.mantissa, integer(out["tflite"][0]));
    EXPECT_EQ(m.exponent, integer(out["tflite"][1]));
  });
}

TEST_F(vectors, float32_rescales_round_half_even) {
  using by_float = rescale::float32_multiply<half_even>;
  each("xnn_requant_fp32_magic", [](const json& in, const json& out) {
    const code_range clamp{integer(in[3]), integer(in[4])};
    const std::int64_t scaled =
        by_float::apply(integer(in[0]), multipliers::float32::of(real(in[1])));
    const std::int64_t code =
        stages::clamp_then_offset::apply(scaled, integer(in[2]), clamp, {-128, 127});
    // Three ways to the same integers: lrintf, and the magic numbers of float and of int.
    for (const char* const way : {"lrintf", "fmagic", "imagic"}) EXPECT_EQ(code, integer(out[way]));
  });
  each("xnn_requant_rndnu", [](const json& in, const json& out) {
    const std::int64_t scaled =
        by_float::apply(integer(in[0]), multipliers::float32::of(real(in[1])));
    EXPECT_EQ(scaled, integer(out["fp32_qs8_zp0"]));
  });
  each("gemmini_acc_scale", [](const json& in, const json& out) {
    const std::int64_t scaled =
        by_float::apply(integer(in[0]), multipliers::float32::of(real(in[1])));
    EXPECT_EQ(clamp_to<std::int64_t>(scaled, -128, 127), integer(out));
  });
}

TEST_F(vectors, fully_connected_rescales_in_float64_or_in_integers) {
  each("fully_connected_float_requant", [](const json& in, const json& out) {
    const double m = scale_product::in_float64::of(narrow(in[1]), narrow(in[2]), narrow(in[3]));
    const multiplier q31 = multipliers::q31<half_away>::of(m);
    const std::int64_t acc = integer(in[0]);
    EXPECT_EQ(rescale::float64_multiply<half_away>::apply(acc, multipliers::float64::of(m)),
              integer(out["float_round"]));
    EXPECT_EQ((rescale::q31_two_step<half_up, half_away>::apply(acc, q31)),
              integer(out["int_double"]));
    EXPECT_EQ(rescale::q31_one_step<half_up>::apply(acc, q31), integer(out["int_single"]));
  });
}

TEST_F(vectors, sums_of_two_operands) {
  each("add_int8", [](const json& in, const json& out) {
    const auto zero = [&](std::size_t i) { return static_cast<std::int32_t>(integer(in[i])); };
    const binary_spec spec{.a_extents = {1},
                           .b_extents = {1},
                           .a = {narrow(in[2]), zero(5)},
                           .b = {narrow(in[3]), zero(6)},
                           .output = {narrow(in[4]), zero(7)}};
    const auto twice = add<targets::tflite_reference>::prepare(spec);
    const auto shift = add<targets::xnnpack>::prepare(spec);
    ASSERT_TRUE(twice && shift);
    EXPECT_EQ((*twice)(integer(in[0]), integer(in[1])), integer(out["tflite"]));
    EXPECT_EQ((*shift)(integer(in[0]), integer(in[1])), integer(out["xnnpack"]));

    addition_constants c{spec.a, spec.b, spec.output, 1, {}, {}, {}, 0, 0};
    using q31 = arithmetic::q31_double_rounding;
    using left_shifted = addition::left_shifted<20, q31::multiplier, q31::rescale>;
    ASSERT_TRUE(left_shifted::prepare(c));
    const json& tflite = out["tflite_params"];
    EXPECT_EQ(c.first.mantissa, integer(tflite["m1"]));
    EXPECT_EQ(c.first.exponent, integer(tflite["s1"]));
    EXPECT_EQ(c.second.mantissa, integer(tflite["m2"]));
    EXPECT_EQ(c.second.exponent, integer(tflite["s2"]));
    EXPECT_EQ(c.sum.mantissa, integer(tflite["mo"]));
    EXPECT_EQ(c.sum.exponent, integer(tflite["so"]));
    ASSERT_TRUE(addition::single_shift::prepare(c));
    const json& xnn = out["xnn_params"];
    EXPECT_EQ(c.first.mantissa, integer(xnn["am"]));
    EXPECT_EQ(c.second.mantissa, integer(xnn["bm"]));
    EXPECT_EQ(c.shift, integer(xnn["shift"]));
    EXPECT_EQ(c.bias, integer(xnn["bias"]));
  });
}

template <class R> std::int64_t pooled(const json& in) {
  return pool_division::of_raw_codes<R>::apply(integer(in[0]), integer(in[1]) * integer(in[2]), 0);
}

TEST_F(vectors, averages_of_pooling_windows) {
  each("avg_pool_sum", [](const json& in, const json& out) {
    EXPECT_EQ(pooled<half_away>(in), integer(out["tflite_cmsis_espnn_half_away"]));
    EXPECT_EQ(pooled<toward_zero>(in),
              integer(out["trunc_toward_zero_max78000default_k210_pulpu8"]));
    EXPECT_EQ(pooled<half_even>(in), integer(out["onednn_rne"]));
    EXPECT_EQ(pooled<half_up>(in), integer(out["espdl_s3_half_up"]));
  });
}

TEST_F(vectors, pairs_of_products_saturate_at_16_bits) {
  each("pmaddubsw_pair", [](const json& in, const json& out) {
    const auto code = [&](std::size_t i) { return static_cast<std::int32_t>(integer(in[i])); };
    accumulator::int16_saturating_pairs paired(0);
    accumulator::wrapping<std::int32_t> exact(0);
    for (const std::size_t i : {0U, 2U}) {
      paired.add({code(i), 0, code(i + 1), 0});
      exact.add({code(i), 0, code(i + 1), 0});
    }
    EXPECT_EQ(paired.value(), integer(out["pmaddubsw"]));
    EXPECT_EQ(exact.value(), integer(out["exact"]));
  });
}

template <class R> std::int64_t shifted(const json& in) {
  return rounding::shift_right<R>(integer(in[0]), static_cast<int>(integer(in[1])));
}

TEST_F(vectors, all_ten_roundings_of_a_shift) {
  each("aie_srs_modes", [](const json& in, const json& out) {
    EXPECT_EQ(shifted<rounding::floor>(in), integer(out["floor"]));
    EXPECT_EQ(shifted<rounding::ceil>(in), integer(out["ceil"]));
    EXPECT_EQ(shifted<toward_zero>(in), integer(out["sym_floor"]));
    EXPECT_EQ(shifted<rounding::away_from_zero>(in), integer(out["sym_ceil"]));
    EXPECT_EQ(shifted<half_up>(in), integer(out["pos_inf"]));
    EXPECT_EQ(shifted<rounding::half_down>(in), integer(out["neg_inf"]));
    EXPECT_EQ(shifted<half_away>(in), integer(out["sym_inf"]));
    EXPECT_EQ(shifted<rounding::half_toward_zero>(in), integer(out["sym_zero"]));
    EXPECT_EQ(shifted<half_even>(in), integer(out["conv_even"]));
    EXPECT_EQ(shifted<rounding::half_odd>(in), integer(out["conv_odd"]));
  });
  each("pow2_requant", [](const json& in, const json& out) {
    EXPECT_EQ(shifted<rounding::floor>(in), integer(out["floor_ne16_pulp_nnomtrunc"]));
    EXPECT_EQ(shifted<half_up>(in), integer(out["half_up_esp32s3_nnom_dpu_tidl"]));
    EXPECT_EQ(shifted<half_even>(in), integer(out["half_even_esp32p4_gemmini"]));
    EXPECT_EQ(shifted<half_away>(in), integer(out["half_away_nvdla"]));
  });
  each("mli_asr_rnd", [](const json& in, const json& out) {
    EXPECT_EQ(shifted<half_up>(in), integer(out["up"]));
    EXPECT_EQ(shifted<half_even>(in), integer(out["convergent"]));
  });
}

std::int32_t narrow_integer(const json& value) { return static_cast<std::int32_t>(integer(value)); }

TEST_F(vectors, where_32_bits_end) {
  each("dhm_nosat_s32", [](const json& in, const json& out) {
    EXPECT_EQ((rescale::q31_two_step_wrapping<half_up, half_away>::apply(
                  integer(in[0]), {narrow_integer(in[1]), 0, 0})),
              integer(out));
  });
  each("requant_tflite_compare", [](const json& in, const json& out) {
    const multiplier m{narrow_integer(in[1]), narrow_integer(in[2]), 0};
    EXPECT_EQ((rescale::q31_two_step_wrapping<half_up, half_away>::apply(integer(in[0]), m)),
              integer(out["cmsis_default"]));
  });
  each("requant_s64_reduced", [](const json& in, const json& out) {
    const multiplier m{narrow_integer(in[1]), narrow_integer(in[2]), 0};
    EXPECT_EQ(rescale::q15_reduced<half_up>::apply(integer(in[0]), m), integer(out["tflite"]));
    EXPECT_EQ(rescale::q15_reduced_int32::apply(integer(in[0]), m), integer(out["cmsis_s64"]));
  });
  each("espnn_fast_vs_exact", [](const json& in, const json& out) {
    const multiplier m{narrow_integer(in[1]), narrow_integer(in[2]), 0};
    EXPECT_EQ(rescale::q31_two_step_int32_sum::apply(integer(in[0]), m), integer(out["fast"]));
    EXPECT_EQ((rescale::q31_two_step<half_up, half_away>::apply(integer(in[0]), m)),
              integer(out["exact"]));
  });
}

/// A result, or null where the specification leaves it undefined.
template <class Rescale> json tosa(const json& in) {
  const multiplier m{narrow_integer(in[1]), -narrow_integer(in[2]), 0};
  return Rescale::defined(integer(in[0]), m) ? json(Rescale::apply(integer(in[0]), m)) : json();
}

TEST_F(vectors, tosa_says_what_is_undefined) {
  each("tosa_apply_scale_32", [](const json& in, const json& out) {
    EXPECT_EQ(tosa<rescale::tosa_half_up>(in), out["single"]);
    EXPECT_EQ(tosa<rescale::tosa_double_half_away>(in), out["double_round"]);
  });
  each("tosa_apply_scale_16",
       [](const json& in, const json& out) { EXPECT_EQ(tosa<rescale::tosa_16_half_up>(in), out); });
  each("tosa_reciprocal_scale", [](const json& in, const json& out) {
    const multiplier m = pool_division::reciprocal_of(integer(in[0]));
    EXPECT_EQ(m.mantissa, integer(out[0]));
    EXPECT_EQ(-m.exponent, integer(out[1]));
  });
}

TEST_F(vectors, averages_without_a_division) {
  each("avg_pool_sum", [](const json& in, const json& out) {
    const std::int64_t sum = integer(in[0]), rows = integer(in[1]), columns = integer(in[2]);
    EXPECT_EQ(pool_division::by_reciprocal::apply(sum, rows * columns, 0),
              integer(out["tosa_reciprocal"]));
    const auto register_of = [](std::int64_t extent) {
      return rounding::divide<half_away>(1 << 16, extent);
    };
    EXPECT_EQ(pool_division::two_reciprocals<half_away>::apply(sum, register_of(columns),
                                                               register_of(rows)),
              integer(out["nvdla_2stage"]));
    ASSERT_EQ(rows, columns);
    EXPECT_EQ(
        pool_division::by_fraction<half_up>::apply(sum, pool_division::fraction_of_square(rows)),
        integer(out["dpu_approx_N_over_2M"]));
  });
}

TEST_F(vectors, shifts_of_other_kinds) {
  each("pow2_requant", [](const json& in, const json& out) {
    const multiplier m{1, -narrow_integer(in[1]), 0};
    EXPECT_EQ(rescale::carry_shift::apply(integer(in[0]), m),
              integer(out["k210_banker_as_written"]));
    EXPECT_EQ(rescale::power_of_two<half_up>::apply(integer(in[0]), m),
              integer(out["vai_method2_half_up"]));
    EXPECT_EQ(rescale::power_of_two<half_away>::apply(integer(in[0]), m),
              integer(out["vai_method3_std"]));
    EXPECT_EQ(rescale::power_of_two<rounding::half_even_negative_up>::apply(integer(in[0]), m),
              integer(out["vai_method5_neg_up_pos_even"]));
  });
  each("k210_act_carry_shift", [](const json& in, const json& out) {
    EXPECT_EQ(rescale::carry_shift::apply(integer(in[0]), {1, -narrow_integer(in[1]), 0}),
              integer(out));
  });
  each("max78000_conv_out", [](const json& in, const json& out) {
    const std::int64_t scaled =
        rescale::power_of_two<half_up>::apply(integer(in[0]), {1, narrow_integer(in[1]) - 7, 0});
    EXPECT_EQ(clamp_to<std::int64_t>(scaled, -128, 127), integer(out));
  });
}

TEST_F(vectors, converters_order_their_own_stages) {
  constexpr code_range s8{-128, 127}, u8{0, 255};
  each("nvdla_sdp_cvt", [&](const json& in, const json& out) {
    EXPECT_EQ(converter::nvdla_sdp::apply(
                  integer(in[0]),
                  {narrow_integer(in[2]), narrow_integer(in[3]), narrow_integer(in[1])}, s8),
              integer(out));
  });
  each("rk3588_out_cvt", [&](const json& in, const json& out) {
    const converter::settings s{narrow_integer(in[1]), narrow_integer(in[2]),
                                narrow_integer(in[3])};
    EXPECT_EQ(converter::scale_then_offset<half_even>::apply(integer(in[0]), s, s8),
              integer(out["cvt_round0_half_even"]));
    EXPECT_EQ(converter::scale_then_offset<half_away>::apply(integer(in[0]), s, s8),
              integer(out["cvt_round1_half_away"]));
  });
  each("pulp_nn_quant_u8", [&](const json& in, const json& out) {
    const converter::settings s{narrow_integer(in[1]), narrow_integer(in[2]), 0};
    EXPECT_EQ(converter::int16_before_clip::apply(integer(in[0]), s, u8), integer(out["quant_u8"]));
    EXPECT_EQ(converter::folded_normalisation::apply(integer(in[0]), s, u8),
              integer(out["bn_quant_u8_lambda0"]));
    // The same as a rescale, whose clip is the type's.
    const multiplier m{s.scale, -s.shift, 0};
    using quantised = rescale::in_converter<converter::int16_before_clip>;
    using normalised = rescale::in_converter<converter::folded_normalisation>;
    EXPECT_EQ(clamp_to<std::int64_t>(quantised::apply(integer(in[0]), m), 0, 255),
              integer(out["quant_u8"]));
    EXPECT_EQ(clamp_to<std::int64_t>(normalised::apply(integer(in[0]), m), 0, 255),
              integer(out["bn_quant_u8_lambda0"]));
  });
  each("ethosn_ple_rescale", [&](const json& in, const json& out) {
    EXPECT_EQ(converter::half_of_int16::apply(
                  integer(in[0]),
                  {narrow_integer(in[2]), narrow_integer(in[3]), narrow_integer(in[1])}, s8),
              integer(out));
  });
}

/// [mantissa, shift], or null where the target rejects the multiplier.
template <class Mantissa> json registers_of(double real) {
  const auto made = Mantissa::of(real);
  return made ? json{made->mantissa, made->shift} : json();
}

TEST_F(vectors, registers_are_cut_from_real_multipliers) {
  each("quantize_multiplier", [](const json& in, const json& out) {
    const double value = real(in[0]);
    EXPECT_EQ(registers_of<mantissas::rounded_31<half_away>>(value), out["vela_mult_rshift"]);
    EXPECT_EQ(registers_of<mantissas::all_of_float32>(value), out["xnnpack_rndnu_mult24_rshift"]);
    EXPECT_EQ(registers_of<mantissas::q31_of_float32>(value), out["qnnpack_q31_mult_rshift"]);
    EXPECT_EQ(registers_of<mantissas::truncated<15>>(value), out["intel_npu_mult15_rshift"]);
    EXPECT_EQ(registers_of<mantissas::truncated<16>>(value), out["ethosn_u16_rshift"]);
    EXPECT_EQ(registers_of<mantissas::fifteen_bits_plus_one>(value), out["rk3588_mul_rshift"]);
  });
}

TEST_F(vectors, products_of_24_and_of_15_bits) {
  each("xnn_requant_rndnu", [](const json& in, const json& out) {
    const auto made = mantissas::all_of_float32::of(real(in[1]));
    ASSERT_TRUE(made);
    const multiplier m{static_cast<std::int32_t>(made->mantissa), -made->shift, 0};
    const auto code = [&](std::int64_t scaled, std::int64_t zero, code_range type) {
      return stages::clamp_then_offset::apply(scaled, zero, type, type);
    };
    const std::int64_t one = rescale::shifted_product<half_up>::apply(integer(in[0]), m);
    EXPECT_EQ(code(one, 0, {-128, 127}), integer(out["rndnu_qs8_zp0"]));
    EXPECT_EQ(code(one, 128, {0, 255}), integer(out["rndnu_qu8_zp128"]));
    EXPECT_EQ(code(rescale::preshifted_16::apply(integer(in[0]), m), 128, {0, 255}),
              integer(out["rndnu16_qu8_zp128"]));
  });
}

/// A table of ids that grew holds rules that nothing here is tied to.
TEST_F(vectors, none_is_left_out) { EXPECT_EQ(table().size(), 27U); }

}  // namespace
