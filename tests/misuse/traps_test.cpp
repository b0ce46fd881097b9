// SPDX-License-Identifier: Apache-2.0
// The traps of targets as types, each with what would have caught it: nested types that bind early,
// rooms that are other rooms, provenance that is inherited.
#include <gtest/gtest.h>

#include <bittwin/bittwin.hpp>
#include <bittwin/targets/all.hpp>
#include <span>
#include <type_traits>
#include <vector>

namespace {

using namespace bittwin;
using targets::tflite_builtin, targets::tflite_reference;

// ---- no room is, or derives from, another room of its target
// -------------------------------------

template <class Target, class One, class Other> constexpr bool apart() {
  if constexpr (std::is_same_v<One, Other> || !One::template in<Target> ||
                !Other::template in<Target>)
    return true;
  else
    return !std::is_base_of_v<typename One::template of<Target>,
                              typename Other::template of<Target>>;  // also false where equal
}

template <class Target, class One, class... Rooms> constexpr bool apart_from(room::list<Rooms...>) {
  if constexpr (One::template in<Target>)
    return (apart<Target, One, Rooms>() && ...);
  else
    return true;
}

template <class Target, class... Rooms> constexpr bool rooms_apart(room::list<Rooms...> all) {
  return (apart_from<Target, Rooms>(all) && ...);
}

template <class... Targets> constexpr bool all_apart(targets::list<Targets...>) {
  return (rooms_apart<Targets>(room::all{}) && ...);
}
static_assert(all_apart(targets::all{}));

struct shares_a_room : tflite_reference {
  struct depthwise_conv2d : tflite_reference::conv2d {
    using channel_order = bittwin::channel_order::input_major;
  };
};
struct aliases_a_room : tflite_reference {
  using relu6 = tflite_reference::relu;
};
static_assert(!rooms_apart<shares_a_room>(room::all{}));
static_assert(!rooms_apart<aliases_a_room>(room::all{}));

// ---- provenance is not inherited
// -----------------------------------------------------------------

struct my_npu : tflite_builtin {
  static constexpr std::string_view name = "my-npu";
  struct conv2d : tflite_builtin::conv2d {
    using rescale = bittwin::rescale::q31_one_step<rounding::floor>;
  };
};
static_assert(overrides<my_npu, tflite_builtin>("conv2d.rescale"));

template <class Target> constexpr bool everything_is(confidence level) {
  return []<class... Rooms>(room::list<Rooms...>, confidence wanted) {
    return ([]<class Room, class... Axes>(std::type_identity<Room>, axis::list<Axes...>,
                                          confidence each) {
      return ((provenance<Target, Room, Axes>.level == each) && ...);
    }(std::type_identity<Rooms>{}, typename Rooms::axes{}, wanted) &&
            ...);
  }(room::all{}, level);
}
static_assert(everything_is<my_npu>(confidence::assumed));
static_assert(!everything_is<tflite_builtin>(confidence::assumed));
static_assert(provenance<tflite_builtin, room::conv2d, axis::rescale>.level ==
              confidence::published_code);

// ---- an override reaches every layer of its room, and no other room
// ------------------------------

/// Inputs 1 and 2, weights 6, multiplier 1/8. Two groups: 0.75 and 1.5. One group: 18 / 8 = 2.25.
/// Floor and nearest tell all of them apart but the last.
template <class Target, class T> std::vector<int> codes_of(std::int32_t groups) {
  const std::vector<float> scales{0.125F};
  conv2d_spec spec{.input = {1, 1, 1, 2}, .filter = {2, 1, 1, 2 / groups}};
  spec.quantization = {
      .type = element_type_of<T>, .input = {1.0F, 0}, .filter_scales = scales, .output = {1.0F, 0}};
  const std::vector<T> w(static_cast<std::size_t>(spec.filter.elements()), T{6});
  const std::vector<T> x{1, 2};
  std::vector<T> y(2);
  const auto kernel = conv2d<Target>::prepare(spec, std::span(w));
  EXPECT_TRUE(kernel) << kernel.error().text;
  if (kernel) (*kernel)(std::span(x), std::span(y));
  return {y.begin(), y.end()};
}

// The shipped room chooses by element type and by groups; the user's rescale replaces all of it.
TEST(traps, an_overridden_rescale_reaches_uint8_and_grouped_layers) {
  EXPECT_EQ((codes_of<tflite_builtin, std::int8_t>(1)), (std::vector<int>{2, 2}));
  EXPECT_EQ((codes_of<tflite_builtin, std::int8_t>(2)), (std::vector<int>{1, 2}));
  EXPECT_EQ((codes_of<tflite_builtin, std::uint8_t>(2)), (std::vector<int>{1, 2}));
  EXPECT_EQ((codes_of<my_npu, std::int8_t>(2)), (std::vector<int>{0, 1}));
  EXPECT_EQ((codes_of<my_npu, std::uint8_t>(2)), (std::vector<int>{0, 1}));
}

/// 15 / 8 = 1.875 through the door of DEPTHWISE_CONV_2D.
template <class Target> int depthwise_code() {
  const std::vector<float> scales{0.125F};
  depthwise_conv2d_spec spec{};
  spec.quantization = {.input = {1.0F, 0}, .filter_scales = scales, .output = {1.0F, 0}};
  const std::vector<std::int8_t> w{3}, x{5};
  std::vector<std::int8_t> y(1);
  const auto kernel = depthwise_conv2d<Target>::prepare(spec, std::span(w));
  EXPECT_TRUE(kernel) << kernel.error().text;
  if (kernel) (*kernel)(std::span(x), std::span(y));
  return y[0];
}

struct depthwise_floors : tflite_builtin {
  static constexpr std::string_view name = "depthwise-floors";
  struct depthwise_conv2d : tflite_builtin::depthwise_conv2d {
    using rescale = bittwin::rescale::q31_one_step<rounding::floor>;
  };
};
static_assert(overrides<depthwise_floors, tflite_builtin>("depthwise_conv2d.rescale"));

TEST(traps, an_overridden_rescale_stays_in_its_room) {
  EXPECT_EQ(depthwise_code<tflite_builtin>(), 2);
  EXPECT_EQ(depthwise_code<my_npu>(), 2);
  EXPECT_EQ(depthwise_code<depthwise_floors>(), 1);
  EXPECT_EQ((codes_of<depthwise_floors, std::int8_t>(2)), (std::vector<int>{1, 2}));
}

// ---- what types cannot say is said by prepare()
// --------------------------------------------------

struct q31_for_a_float : tflite_reference {
  static constexpr std::string_view name = "q31-for-a-float";
  struct conv2d : tflite_reference::conv2d {
    using rescale = bittwin::rescale::float32_multiply<rounding::half_even>;
  };
};

TEST(traps, a_rescale_of_another_representation_is_refused) {
  const std::vector<float> scales{0.125F};
  const std::vector<std::int8_t> w{3};
  conv2d_spec spec{};
  spec.quantization.filter_scales = scales;
  const auto kernel = conv2d<q31_for_a_float>::prepare(spec, std::span(w));
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().code, error_code::unsupported);
  EXPECT_NE(kernel.error().text.find("multiplier and rescale"), std::string::npos);
}

}  // namespace
