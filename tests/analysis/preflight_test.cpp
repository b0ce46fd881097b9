// SPDX-License-Identifier: Apache-2.0
// Each preflight code has a pair of recordings that shows it, and a healthy one that does not.
#include <gtest/gtest.h>
#include <bittwin/analysis/npy.hpp>

#include <algorithm>
#include <bittwin/analysis/dump_comparison.hpp>
#include <bittwin/analysis/dump_writer.hpp>
#include <bittwin/targets/tflite_reference.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/model_maker.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace bittwin;
using namespace bittwin::analysis;
using graph::operator_code;

/// By tensor, sample by sample.
using samples = std::map<std::int32_t, std::vector<array>>;

/// Two MINIMUMs of one input with constants: outputs of one shape and other values.
class preflight : public testing::Test {
 protected:
  void SetUp() override {
    test::model_maker m;
    const shape extents{1, 4, 4, 3};
    const std::int32_t x = m.codes(extents);
    const std::int32_t low = m.codes_of({1}, element_type::int8, {-40}, {0.1F}, 0, 0);
    const std::int32_t high = m.codes_of({1}, element_type::int8, {50}, {0.1F}, 0, 0);
    const std::int32_t a = m.codes(extents), b = m.codes(extents);
    m.apply(operator_code::minimum, {x, low}, {a}).version = 2;
    m.apply(operator_code::maximum, {x, high}, {b}).version = 2;
    model_ = m.finish({x}, {a, b});
    x_ = x, a_ = a, b_ = b;
    std::mt19937 random(3);
    for (int sample = 0; sample < 4; ++sample) {
      array in{element_type::int8, extents, {}}, least = in, most = in;
      for (int i = 0; i < 48; ++i) {
        const int code = std::uniform_int_distribution<>(-128, 127)(random);
        in.data.push_back(static_cast<std::byte>(code & 0xFF));
        least.data.push_back(static_cast<std::byte>(std::min(code, -40) & 0xFF));
        most.data.push_back(static_cast<std::byte>(std::max(code, 50) & 0xFF));
      }
      right_[x].push_back(in), right_[a].push_back(least), right_[b].push_back(most);
    }
  }

  dump write(const std::string& name, const samples& all) {
    for (std::size_t s = 0; s < all.begin()->second.size(); ++s) {
      auto w =
          dump_writer::create(folder_.path() / name / ("s000" + std::to_string(s)), model_, "", "");
      EXPECT_TRUE(w.has_value());
      for (const auto& [index, arrays] : all) EXPECT_TRUE(w->add(index, arrays[s]));
      EXPECT_TRUE(w->finish());
    }
    return *dump::open(folder_.path() / name);
  }
  std::set<std::string> codes(const samples& test, const samples* repeat = nullptr) {
    const dump r = write("ref", right_), t = write("test", test);
    std::optional<dump> again;
    if (repeat != nullptr) again = write("again", *repeat);
    comparison_settings settings{&model_, &graph::rules_of<targets::tflite_reference>()};
    settings.repeat = again ? &*again : nullptr;
    const auto c = compare_dumps(r, t, settings);
    EXPECT_TRUE(c.has_value()) << c.error().text;
    std::set<std::string> found;
    for (const finding& f : c->preflight) found.insert(f.code), text_ += f.text + "\n";
    std::filesystem::remove_all(folder_.path() / "ref");
    std::filesystem::remove_all(folder_.path() / "test");
    std::filesystem::remove_all(folder_.path() / "again");
    return found;
  }

  graph::model model_;
  std::int32_t x_ = 0, a_ = 0, b_ = 0;
  samples right_;
  std::string text_;
  test::temporary_folder folder_;
};

using code_set = std::set<std::string>;

TEST_F(preflight, a_healthy_pair_has_none) {
  EXPECT_EQ(codes(right_), code_set{});
  EXPECT_EQ(codes(right_, &right_), code_set{});
}

TEST_F(preflight, another_input_is_said_with_the_change_that_made_it) {
  const auto changed = [&](const std::function<int(int)>& f) {
    samples t = right_;
    for (array& a : t[x_])
      for (std::byte& b : a.data) b = static_cast<std::byte>(f(static_cast<std::int8_t>(b)) & 0xFF);
    text_.clear();
    EXPECT_EQ(codes(t), code_set{"INPUT_DIFFERS"});
    return text_;
  };
  EXPECT_NE(changed([](int c) { return c ^ 0x80; }).find("128 apart"), std::string::npos);
  EXPECT_NE(changed([](int c) { return (c + 300) / 4; }).find("normalised twice"),
            std::string::npos);
  samples t = right_;
  for (array& a : t[x_])
    for (std::size_t i = 0; i < a.data.size(); i += 3) std::swap(a.data[i], a.data[i + 2]);
  text_.clear();
  EXPECT_EQ(codes(t), code_set{"INPUT_DIFFERS"});
  EXPECT_NE(text_.find("channels are in another order"), std::string::npos);
}

TEST_F(preflight, outputs_that_changed_places) {
  samples t = right_;
  std::swap(t[a_], t[b_]);
  EXPECT_EQ(codes(t), code_set{"OUTPUT_ORDER"});
}

TEST_F(preflight, samples_that_lag) {
  samples t = right_;
  for (const std::int32_t index : {a_, b_})
    for (std::size_t s = 3; s > 0; --s) t[index][s] = right_[index][s - 1];
  EXPECT_EQ(codes(t), code_set{"SAMPLE_LAG"});
}

TEST_F(preflight, buffers_that_were_not_written) {
  samples constant = right_, stale = right_;
  for (array& a : constant[a_]) std::fill(a.data.begin(), a.data.end(), std::byte{0x55});
  EXPECT_EQ(codes(constant), code_set{"CONSTANT_BUFFER"});
  for (array& a : stale[a_]) a = right_[a_][0];
  EXPECT_EQ(codes(stale), code_set{"STALE_BUFFER"});
}

TEST_F(preflight, a_board_that_does_not_repeat_itself) {
  samples t = right_, again = right_;
  again[a_][2].data[7] ^= std::byte{1};
  EXPECT_EQ(codes(t, &again), code_set{"NONDETERMINISTIC"});
}

TEST_F(preflight, what_nothing_explains_wants_a_second_run) {
  samples t = right_;
  t[a_][1].data[5] ^= std::byte{0x11};
  t[a_][2].data[9] ^= std::byte{0x21};
  EXPECT_EQ(codes(t), code_set{"DETERMINISM_NOT_CHECKED"});
  EXPECT_EQ(codes(t, &t), code_set{});
}

}  // namespace
