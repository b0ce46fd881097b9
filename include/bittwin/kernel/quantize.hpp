// SPDX-License-Identifier: Apache-2.0
// QUANTIZE and DEQUANTIZE under a target.
//   quantize:    float32 -> code, by the target's float_code
//   requantize:  code -> code of another grid or type, by its requantize room
//   dequantize:  code -> float32(code - zero_point) * scale, the same everywhere
#pragma once

#include <bittwin/kernel/byte_table.hpp>
#include <bittwin/kernel/checks.hpp>
#include <bittwin/kernel/float_steps.hpp>
#include <bittwin/kernel/represented.hpp>
#include <bittwin/requantize/requantizer.hpp>
#include <bittwin/types/expects.hpp>
#include <span>
#include <utility>

namespace bittwin::inline v1 {

struct quantize_spec {
  element_type type = element_type::int8;  ///< of the result
  affine out{};
};

struct requantize_spec {
  element_type from = element_type::int8;
  element_type to = element_type::int8;
  affine in{}, out{};
};

[[nodiscard]] inline layer_facts facts_of(const quantize_spec& s) noexcept {
  return {.input = element_type::float32, .output = s.type};
}

[[nodiscard]] inline layer_facts facts_of(const requantize_spec& s) noexcept {
  layer_facts facts{.input = s.from, .output = s.to, .equal_quantization = s.in == s.out};
  state_grids(facts, {s.in, s.out});
  return facts;
}

/// What a float_code policy says, as a function.
struct float_code_rule {
  std::int64_t (*of)(float, affine, code_range) noexcept = nullptr;
  bool monotone = false;  ///< in the sense of policy/float_code.hpp

  template <class Policy> [[nodiscard]] static constexpr float_code_rule from() noexcept {
    float_code_rule r{&Policy::of};
    if constexpr (requires { Policy::is_monotone; }) r.monotone = Policy::is_monotone;
    return r;
  }
};

template <target Target>
[[nodiscard]] constexpr float_code_rule quantize_rule(const layer_facts& layer) {
  static_assert(check_room<Target, room::quantize>());
  float_code_rule rule;
  choose<axis_value<Target, room::quantize, axis::float_code>>(
      layer, [&]<class P>(std::type_identity<P>) { rule = float_code_rule::from<P>(); });
  return rule;
}

/// Const, usable from many threads, cannot fail.
class quantize_kernel {
 public:
  quantize_kernel(float_code_rule rule, const quantize_spec& spec) : rule_(rule), spec_(spec) {
    if (rule.monotone && bytes_of(spec.type) == 1) steps_ = float_steps(*this, spec.out);
  }

  [[nodiscard]] std::int64_t operator()(float x) const noexcept {
    return rule_.of(x, spec_.out, range_of(spec_.type));
  }

  template <class T> void operator()(std::span<const float> x, std::span<T> y) const noexcept {
    BITTWIN_EXPECTS(holds_codes<T>(spec_.type));
    for (std::size_t i = 0; i < x.size(); ++i)
      y[i] = static_cast<T>(steps_.holds(x[i]) ? steps_(x[i]) : (*this)(x[i]));
  }

 private:
  float_code_rule rule_;
  quantize_spec spec_;
  float_steps steps_;
};

/// Const, usable from many threads, cannot fail. In place where both types are of one size.
class requantize_kernel {
 public:
  requantize_kernel(requantizer requantize, const requantize_spec& spec,
                    proof::monotone_function monotone = nullptr, bool packs = true)
      : requantize_(std::move(requantize)), spec_(spec) {
    if (!packs || bytes_of(spec.to) != 1) return;
    if (bytes_of(spec.from) == 1)
      packed_ = pack_every_code(spec.from, *this);
    else if (spec.from == element_type::int32 && is_linked(pack_scale))
      packed_ = pack_scale({requantize_, spec.in.zero_point, monotone});
  }

  [[nodiscard]] std::int64_t operator()(std::int64_t code) const noexcept {
    return requantize_(code - spec_.in.zero_point, 0);
  }

  /// parallel  threads of the caller; what is not packed runs on the one that calls
  template <class From, class To>
  void operator()(std::span<const From> x, std::span<To> y,
                  const parallel_for& parallel = {}) const noexcept {
    BITTWIN_EXPECTS(holds_codes<From>(spec_.from) && holds_codes<To>(spec_.to));
    if (run_stream(packed_, spec_.from, x, y, parallel)) return;
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<To>((*this)(std::int64_t{x[i]}));
  }

  /// What was proved, and which forms run.
  [[nodiscard]] explanation explain() const { return bittwin::explain(packed_); }

  /// What runs: the architecture of the packed kernel, or scalar for the target's own rule.
  [[nodiscard]] simd::arch runs_on() const noexcept {
    return packed_ ? arch_of(*packed_) : simd::arch::scalar;
  }

 private:
  requantizer requantize_;
  requantize_spec spec_;
  packed_pointer<packed_stream> packed_;
};

/// What a requantize room says, as functions.
struct requantize_room {
  requantize_rule rule;
  proof::monotone_function monotone = nullptr;  ///< null: not known to be
  bool packs = true;                            ///< false: the rule itself is called for every code
};

template <target Target>
[[nodiscard]] constexpr requantize_room requantize_room_of(const layer_facts& layer) {
  requantize_room r{requantizer_of<Target, room::requantize>(layer)};
  choose_pipeline<Target, room::requantize>(
      layer, [&]<class Rescale, class Stages, class Narrowing>(
                 detail::pipeline<Rescale, Stages, Narrowing>) {
        r.monotone = proof::monotone_pipeline<Rescale, Stages, Narrowing>();
      });
  return r;
}

[[nodiscard]] inline result<quantize_kernel> prepare_quantize(float_code_rule rule,
                                                              const quantize_spec& s) {
  if (auto c = check_affine(s.out, s.type, "the output"); !c) return c.error();
  return quantize_kernel(rule, s);
}

[[nodiscard]] inline result<requantize_kernel> prepare_requantize(const requantize_room& room,
                                                                  const requantize_spec& s) {
  if (auto c = check_affine(s.in, s.from, "the input"); !c) return c.error();
  if (auto c = check_affine(s.out, s.to, "the output"); !c) return c.error();
  if (auto c = check_rule(room.rule); !c) return c.error();
  if (auto c = check_multiplier(room.rule, s.in.scale, 1.0F, s.out.scale); !c) return c.error();
  return requantize_kernel(bind(room.rule, s.in.scale, 1.0F, s.out, activation::none, s.to), s,
                           room.monotone, room.packs);
}

template <target Target> struct quantize {
  static_assert(check_room<Target, room::quantize>());
  [[nodiscard]] static result<quantize_kernel> prepare(const quantize_spec& spec) {
    return prepare_quantize(quantize_rule<Target>(facts_of(spec)), spec);
  }
};

template <target Target> struct requantize {
  static_assert(check_room<Target, room::requantize>());
  [[nodiscard]] static result<requantize_kernel> prepare(const requantize_spec& spec) {
    return prepare_requantize(requantize_room_of<Target>(facts_of(spec)), spec);
  }
};

template <class T> void dequantize(std::span<const T> x, affine grid, std::span<float> y) noexcept {
  constexpr std::size_t codes = 256;  // of a byte: then their reals are worth a table
  if (sizeof(T) == 1 && x.size() > codes) {
    float real[codes];
    for (std::size_t byte = 0; byte < codes; ++byte)
      real[byte] = float_code::real_of(std::int64_t{static_cast<T>(byte)}, grid);
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = real[static_cast<std::uint8_t>(x[i])];
    return;
  }
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = float_code::real_of(std::int64_t{x[i]}, grid);
}

}  // namespace bittwin::inline v1
