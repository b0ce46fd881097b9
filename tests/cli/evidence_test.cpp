// SPDX-License-Identifier: Apache-2.0
// A board that gives other numbers, as its owner meets it: the audit warns, compare names the fault and counts it, the
// bundle shows it again to whoever gets it. The board is plain loops of this test, which nothing of the library helps.
#include <gtest/gtest.h>

#include <algorithm>
#include <bittwin/analysis/npy.hpp>
#include <bittwin/graph/file.hpp>
#include <bittwin/graph/write_tflite.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "analysis/naive_board.hpp"
#include "support/model_maker.hpp"
#include "support/tool_program.hpp"

namespace {

using namespace bittwin;
namespace fs = std::filesystem;
using nlohmann::json;
using test::outcome, test::read_text;

/// NXP community 2415701: scale 0.2222, zero point 113, ReLU6, 720 000 outputs.
class relu6_of_the_report : public test::tool_program {
 protected:
  static constexpr int size = 150, inputs = 2, outputs = 32;
  static constexpr std::int32_t x = 0, y = 3;

  void SetUp() override {
    test::tool_program::SetUp();
    if (IsSkipped()) return;
    layer_.size = size, layer_.inputs = inputs, layer_.outputs = outputs;
    layer_.kernel = 1, layer_.stride = 1, layer_.is_unsigned = true;
    layer_.low = 0, layer_.high = 6;
    layer_.output_scale = double{0.2222F}, layer_.output_zero = 113;
    layer_.input_scale = layer_.output_scale / 16, layer_.input_zero = 100;
    layer_.weight_zero = 120;
    layer_.weight_scales = {1.0 / 64};
    std::mt19937 random(7);
    std::uniform_int_distribution<> code(0, 255), weight(-60, 60), bias(-3000, 9000);
    for (int i = 0; i < size * size * inputs; ++i) layer_.x.push_back(code(random));
    // Even weights and biases over a power of two: every way to round to nearest gives the same.
    for (int i = 0; i < outputs * inputs; ++i) layer_.w.push_back(120 + 2 * weight(random));
    for (int i = 0; i < outputs; ++i) layer_.bias.push_back(2 * bias(random));
    healthy_ = test::run_naive(layer_);
    faulty_ = test::run_naive(layer_, {"UPPER_CLAMP_MISSING"});
    for (std::size_t i = 0; i < healthy_.size(); ++i) {
      if (healthy_[i] == faulty_[i]) continue;
      ++violations_;
      largest_ = std::max(largest_, faulty_[i]);
    }
    write_model();
    write_array("x.npy", layer_.x, {1, size, size, inputs});
    fs::create_directory(path("board"));
    write_array("board/t000.npy", layer_.x, {1, size, size, inputs});
    write_array("board/t003.npy", faulty_, {1, size, size, outputs});
  }

  void write_model() {
    test::model_maker m;
    const element_type u8 = element_type::uint8;
    m.codes({1, size, size, inputs}, layer_.input_zero, u8, static_cast<float>(layer_.input_scale));
    m.codes_of({outputs, 1, 1, inputs}, u8, layer_.w, layer_.weight_scales, layer_.weight_zero, 0);
    m.codes_of({outputs}, element_type::int32, layer_.bias,
               {layer_.input_scale * layer_.weight_scales[0]}, 0, 0);
    m.codes({1, size, size, outputs}, 113, u8, 0.2222F);
    graph::conv_2d_options options;
    options.fused = activation::relu6;
    m.apply(graph::operator_code::conv_2d, {x, 1, 2}, {y}, options);
    graph::model made = m.finish({x}, {y});
    made.tensors[x].name = "secret/input";
    made.tensors[y].name = "secret/Relu6";
    made.description = "secret description";
    ASSERT_TRUE(graph::write_tflite_file(path("model.tflite"), made));
  }
  void write_array(const std::string& name, const std::vector<int>& codes, const shape& extents) {
    analysis::array a{element_type::uint8, extents, {}};
    for (const int code : codes) a.data.push_back(static_cast<std::byte>(code));
    ASSERT_TRUE(analysis::write_npy_file(path(name), a));
  }
  /// The command of a bundle's page that compares.
  [[nodiscard]] std::string rerun_of(const std::string& folder) const {
    const std::string page = read_text(path(folder) / "README.md");
    const std::size_t at = page.find("\nbittwin compare ");
    if (at == page.npos) return "no command";
    return page.substr(at + 9, page.find('\n', at + 1) - at - 9);
  }
  [[nodiscard]] static std::vector<std::string> codes_of(const json& compared) {
    std::vector<std::string> codes;
    for (const json& s : compared["segments"])
      for (const json& f : s["signature"]) codes.push_back(f["code"]);
    return codes;
  }

  test::naive_layer layer_;
  std::vector<int> healthy_, faulty_;
  int violations_ = 0, largest_ = 0;
};

TEST_F(relu6_of_the_report, is_predicted_named_counted_and_shown_again) {
  ASSERT_EQ(healthy_.size(), 720000u);
  ASSERT_GT(violations_, 1000);
  ASSERT_LT(violations_, 360000);

  const outcome audit = run("audit model.tflite --json");
  EXPECT_EQ(audit.code, 1) << audit.err;
  bool predicted = false;
  const json hazards = json::parse(audit.out)["hazards"];
  for (const json& h : hazards)
    predicted |= h["code"] == "CLAMP_EXPOSED" && h["low"] == 113 && h["high"] == 140;
  EXPECT_TRUE(predicted) << audit.out;

  ASSERT_EQ(run("run model.tflite --input x.npy --dump ref").code, 0);
  const auto made = analysis::read_npy_file(path("ref/t003.npy"));
  ASSERT_TRUE(made.has_value());
  for (std::size_t i = 0; i < healthy_.size(); ++i)
    ASSERT_EQ(std::to_integer<int>(made->data[i]), healthy_[i]) << i;

  const outcome compare = run("compare ref board --model model.tflite --json");
  EXPECT_EQ(compare.code, 1) << compare.err;
  const json first = json::parse(compare.out);
  EXPECT_EQ(codes_of(first), std::vector<std::string>{"UPPER_CLAMP_MISSING"});
  EXPECT_EQ(first["segments"][0]["verdict"], "NAMED");
  EXPECT_EQ(first["segments"][0]["mismatches"], violations_);
  EXPECT_EQ(first["segments"][0]["out_of_range"], violations_);
  EXPECT_EQ(first["segments"][0]["elements"], 720000);

  const outcome bundle = run("bundle model.tflite --test board --out evidence --json");
  EXPECT_EQ(bundle.code, 1) << bundle.err;
  EXPECT_EQ(json::parse(bundle.out)["comparison"],
            json::parse(read_text(path("evidence/comparison.json"))));
  const std::string page = read_text(path("evidence/README.md"));
  EXPECT_NE(page.find("CONV_2D: NAMED UPPER_CLAMP_MISSING"), std::string::npos) << page;
  EXPECT_NE(page.find("every upper bound from " + std::to_string(largest_) + " up explains all " +
                      std::to_string(violations_) + ", the model's 140 explains none"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("| accumulator |"), std::string::npos) << page;

  // Somebody else has the folder alone.
  fs::rename(path("evidence"), path("elsewhere"));
  for (const char* name : {"ref", "board"}) fs::remove_all(path(name));
  for (const char* name : {"model.tflite", "x.npy"}) fs::remove(path(name));
  const outcome again = run(rerun_of("elsewhere") + " --json", "elsewhere");
  EXPECT_EQ(again.code, 1) << rerun_of("elsewhere") << "\n" << again.err;
  EXPECT_EQ(json::parse(again.out)["segments"], first["segments"]);
  EXPECT_EQ(
      std::system(
          ("cd '" + path("elsewhere").string() + "' && sha256sum --quiet -c SHA256SUMS").c_str()),
      0);
  ASSERT_EQ(run("run model.tflite --input inputs --output y.npy", "elsewhere").code, 0);
  EXPECT_EQ(read_text(path("elsewhere/y.npy")), read_text(path("elsewhere/expected/t003.npy")));
}

TEST_F(relu6_of_the_report, says_no_name_where_that_is_asked) {
  ASSERT_EQ(run("bundle model.tflite --test board --op 0 --anonymize --out evidence").code, 1);
  for (const auto& entry : fs::recursive_directory_iterator(path("evidence"))) {
    if (!entry.is_regular_file()) continue;
    const std::string text = read_text(entry.path());
    EXPECT_EQ(text.find("secret"), std::string::npos) << entry.path();
    EXPECT_EQ(text.find(folder_.path().string()), std::string::npos) << entry.path();
  }
  const outcome again = run(rerun_of("evidence") + " --json", "evidence");
  EXPECT_EQ(again.code, 1) << again.err;
  const json found = json::parse(again.out);
  EXPECT_EQ(codes_of(found), std::vector<std::string>{"UPPER_CLAMP_MISSING"});
  EXPECT_EQ(found["segments"][0]["mismatches"], violations_);
}

TEST_F(relu6_of_the_report, is_bundled_whole_or_not_at_all) {
  expect_refusal("bundle model.tflite --test board --op 1 --out evidence",
                 "there is no operator 1");
  expect_refusal("bundle model.tflite --test board --target real --out evidence", "makes reals");
  expect_refusal("bundle model.tflite --test nowhere --out evidence", "nowhere");
  expect_refusal("bundle model.tflite --test board --out x.npy", "x.npy: is there already");
  expect_refusal("bundle model.tflite --test board --out x.npy/evidence", "cannot be made");
  // A folder cannot take the place of the one that the tool stands in: the last step fails.
  fs::create_directory(path("void"));
  EXPECT_EQ(run("bundle ../model.tflite --test ../board --out .", "void").code, 2);
  EXPECT_TRUE(fs::is_empty(path("void")));
  fs::remove(path("board/t000.npy"));
  expect_refusal("bundle model.tflite --test board --out evidence",
                 "board: did not record the input tensor 0 'secret/input'");
  expect_refusal("bundle model.tflite --test board --op 0 --out evidence",
                 "did not record tensor 0 'secret/input'");
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    EXPECT_EQ(entry.path().string().find("evidence"), std::string::npos) << entry.path();
}

TEST_F(relu6_of_the_report, is_accepted_where_a_baseline_knows_it) {
  ASSERT_EQ(run("run model.tflite --input x.npy --dump ref").code, 0);
  const std::string compare = "compare ref board --model model.tflite";
  const outcome before = run(compare + " --json");
  ASSERT_EQ(before.code, 1);
  std::ofstream(path("known.json")) << before.out;
  const outcome known = run(compare + " --baseline known.json");
  EXPECT_EQ(known.code, 0) << known.out;
  EXPECT_NE(known.out.find("1 accepted, 0 new or worse"), std::string::npos) << known.out;
  // One element more is worse.
  const auto at = std::find(faulty_.begin(), faulty_.end(), 140);
  ASSERT_NE(at, faulty_.end());
  *at = 141;
  write_array("board/t003.npy", faulty_, {1, size, size, outputs});
  const outcome worse = run(compare + " --baseline known.json --json");
  EXPECT_EQ(worse.code, 1);
  EXPECT_EQ(json::parse(worse.out)["baseline"]["tensors"], json::array({3}));
  expect_refusal(compare + " --baseline board/t003.npy", "is not what 'bittwin compare --json'");
  const outcome audit = run("audit model.tflite --json");
  std::ofstream(path("hazards.json")) << audit.out;
  EXPECT_EQ(run("audit model.tflite --baseline hazards.json").code, 0);
  expect_refusal(compare + " --baseline hazards.json", "is of another verb");
  expect_refusal("audit model.tflite --baseline known.json", "is of another verb");
}

TEST_F(relu6_of_the_report, can_be_held_against_a_template_with_what_is_assumed_listed) {
  const std::string bundle = "bundle model.tflite --test board --target neutron --out evidence";
  expect_refusal(bundle, "neutron is a template");
  expect_refusal("compare board board --model model.tflite --target neutron",
                 "neutron is a template");
  const std::string assume = " --assume tflite-reference";
  const outcome made = run(bundle + assume + " --json");
  ASSERT_EQ(made.code, 1) << made.err;
  const json assumed = json::parse(made.out)["assumptions"];
  ASSERT_FALSE(assumed.empty());
  EXPECT_NE(assumed.dump().find("as tflite-reference"), std::string::npos) << assumed;
  const std::string text = read_text(path("evidence") / "README.md");
  const std::string again =
      "compare expected observed --model model.tflite --target neutron --assume tflite-reference";
  EXPECT_EQ(rerun_of("evidence"), again);
  for (const auto& line : assumed)
    EXPECT_NE(text.find(line.get<std::string>()), std::string::npos) << line;
  const outcome rerun = run(again + " --json", "evidence");
  EXPECT_EQ(rerun.code, 1) << rerun.err;
  for (const auto& line : assumed)
    EXPECT_NE(json::parse(rerun.out)["assumptions"].dump().find(line.get<std::string>()),
              std::string::npos);
}

/// The demo's dumps: targets that round otherwise, and devices with one fault.
class releases : public test::tool_program {
 protected:
  void SetUp() override {
    test::tool_program::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(run("demo dumps --images 1").code, 0);
  }
  json drift(const std::string& a, const std::string& b, int code, const std::string& more = "") {
    const outcome o =
        run("drift dumps/" + a + " dumps/" + b + " --model dumps/demo.tflite --json " + more);
    EXPECT_EQ(o.code, code) << a << " " << b << "\n" << o.out << o.err;
    return o.code == 2 ? json() : json::parse(o.out);
  }
  [[nodiscard]] static std::map<std::string, int> changes(const json& d) {
    std::map<std::string, int> counts;
    for (const json& s : d["segments"]) ++counts[s["change"]];
    return counts;
  }
};

TEST_F(releases, that_are_the_same_have_not_changed) {
  for (const char* name : {"tflite-reference", "xnnpack", "fault-upper-clamp-dropped"}) {
    const json d = drift(name, name, 0);
    EXPECT_EQ(changes(d).size(), 1u) << name;
    EXPECT_EQ(changes(d).count("UNCHANGED"), 1u) << name;
    EXPECT_TRUE(d["first"].is_null());
  }
}

TEST_F(releases, break_and_fix_what_has_a_name) {
  const json broken = drift("tflite-reference", "fault-upper-clamp-dropped", 1);
  EXPECT_EQ(broken["first"]["ops"], json::array({0}));
  EXPECT_EQ(broken["first"]["change"], "BROKEN");
  EXPECT_EQ(broken["segments"][0]["a"]["verdict"], "EXACT");
  EXPECT_EQ(broken["segments"][0]["b"]["signature"][0]["code"], "UPPER_CLAMP_MISSING");
  const json fixed = drift("fault-upper-clamp-dropped", "tflite-reference", 0);
  EXPECT_EQ(fixed["first"]["change"], "FIXED");
  EXPECT_EQ(changes(fixed).count("BROKEN"), 0u);
  drift("fault-upper-clamp-dropped", "tflite-reference", 1, "--fail-on any");
}

TEST_F(releases, that_round_otherwise_have_changed_rules_by_name) {
  const json d = drift("tflite-reference", "xnnpack", 1);
  EXPECT_EQ(d["first"]["change"], "CHANGED_RULE");
  for (const json& s : d["segments"]) {
    const std::string change = s["change"];
    EXPECT_TRUE(change == "CHANGED_RULE" || change == "INHERITED" || change == "UNCHANGED") << s;
    if (change != "CHANGED_RULE") continue;
    const auto has = [](const json& side, const char* name) {
      return std::find(side["rules"].begin(), side["rules"].end(), name) != side["rules"].end();
    };
    EXPECT_TRUE(has(s["a"], "tflite-reference")) << s;
    EXPECT_TRUE(has(s["b"], "xnnpack")) << s;
    EXPECT_FALSE(has(s["a"], "xnnpack")) << s;
  }
}

TEST_F(releases, can_be_held_against_a_template) {
  const json d = drift("tflite-reference", "fault-upper-clamp-dropped", 1,
                       "--target neutron --assume tflite-reference");
  EXPECT_FALSE(d["assumptions"].empty());
  EXPECT_EQ(d["first"]["change"], "BROKEN");
  EXPECT_TRUE(drift("xnnpack", "xnnpack", 0)["assumptions"].empty());
  expect_refusal("drift dumps/xnnpack dumps/xnnpack --model dumps/demo.tflite --target neutron",
                 "neutron is a template");
}

TEST_F(releases, that_broke_what_is_accepted_break_nothing_new) {
  const std::string broken =
      "drift dumps/tflite-reference dumps/fault-upper-clamp-dropped --model dumps/demo.tflite "
      "--json";
  std::ofstream(path("known.json")) << run(broken).out;
  const outcome same = run(broken + " --baseline known.json");
  EXPECT_EQ(same.code, 0) << same.err;
  const json accepted = json::parse(same.out)["baseline"];
  EXPECT_EQ(accepted["accepted"], 7);  // convolutions whose clamp the type does not imply
  EXPECT_TRUE(accepted["tensors"].empty());
  // One of them with more mismatches than were accepted, and one of another kind.
  json less = json::parse(read_text(path("known.json")));
  less["segments"][0]["mismatches"] = less["segments"][0]["mismatches"].get<int>() - 1;
  less["segments"][2]["b"]["signature"][0]["code"] = "PAD_WITH_ZERO";
  std::ofstream(path("less.json")) << less;
  const outcome more = run(broken + " --baseline less.json");
  EXPECT_EQ(more.code, 1) << more.err;
  EXPECT_EQ(json::parse(more.out)["baseline"]["tensors"],
            json::array({less["segments"][0]["tensor"], less["segments"][2]["tensor"]}));
  // Baselines of other verbs.
  const std::string compare =
      "compare dumps/tflite-reference dumps/fault-upper-clamp-dropped --model dumps/demo.tflite";
  std::ofstream(path("compared.json")) << run(compare + " --json").out;
  expect_refusal(broken + " --baseline compared.json", "what 'bittwin drift --json' printed");
  expect_refusal(compare + " --baseline known.json", "what 'bittwin compare --json' printed");
}

TEST_F(releases, show_what_changed_on_a_page) {
  ASSERT_EQ(run("drift dumps/fault-upper-clamp-dropped dumps/xnnpack --model dumps/demo.tflite "
                "--html page.html")
                .code,
            1);
  const std::string page = read_text(path("page.html"));
  for (const char* text :
       {"bittwin drift", "FIXED", "UPPER_CLAMP_MISSING", "was at fault, and is right",
        "A: the upper bound of the activation is not applied", "demo.tflite"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
  EXPECT_EQ(page.find("B: the upper bound"), std::string::npos);
  expect_refusal("drift dumps/xnnpack dumps/xnnpack --model dumps/demo.tflite --html no/page.html",
                 "no/page.html");
}

TEST_F(releases, may_have_names_of_their_own) {
  fs::create_directory(path("theirs"));
  fs::copy(path("dumps/xnnpack/t000.npy"), path("theirs/image.npy"));
  fs::copy(path("dumps/xnnpack/t003.npy"), path("theirs/first_conv.npy"));
  std::ofstream(path("map.csv")) << "image,0\nfirst_conv,stem\n";
  const std::string compare = "compare dumps/tflite-reference theirs --model dumps/demo.tflite";
  const outcome o = run(compare + " --names map.csv --json");
  EXPECT_EQ(o.code, 0) << o.err;
  const json segments = json::parse(o.out)["segments"];
  EXPECT_EQ(segments[0]["tensor"], 3);
  EXPECT_EQ(segments[0]["verdict"], "ROUNDING");
  EXPECT_EQ(segments[1]["verdict"], "NOT_OBSERVED");
  expect_refusal(compare, "theirs: holds no tNNN.npy");
  expect_refusal(compare + " --names theirs/image.npy", "is not NAME,TENSOR");
}

TEST_F(releases, need_the_inputs_and_a_target_of_codes) {
  fs::copy(path("dumps/tflite-reference"), path("dumps/cut"));
  fs::remove(path("dumps/cut/t000.npy"));
  expect_refusal("drift dumps/xnnpack dumps/cut --model dumps/demo.tflite",
                 "dumps/cut: did not record the input tensor 0");
  expect_refusal("drift dumps/xnnpack dumps/xnnpack --model dumps/demo.tflite --target real",
                 "makes reals");
  expect_refusal("drift dumps/xnnpack dumps/xnnpack", "--model");
}

}  // namespace
