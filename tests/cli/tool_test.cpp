// SPDX-License-Identifier: Apache-2.0
// The command-line tool as scripts see it: exit codes, JSON keys, one sentence for bad input, no half files.
#include <gtest/gtest.h>

#include <bittwin/analysis/npy.hpp>
#include <bittwin/graph/file.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/tflite_builder.hpp"
#include "support/tool_program.hpp"

namespace {

using namespace bittwin;
namespace fs = std::filesystem;
using nlohmann::json;

using test::outcome, test::read_text;

class tool : public test::tool_program {
 protected:
  void SetUp() override {
    test::tool_program::SetUp();
    write("small.tflite", test::tflite_builder::build(test::small_convolution()));
    write("input.npy", npy(element_type::int8, shape{1, 4, 4, 2}));
  }

  static std::vector<std::byte> npy(element_type type, const shape& extents) {
    std::vector<std::byte> data(static_cast<std::size_t>(extents.elements() * bytes_of(type)));
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(7 * i & 0xFF);
    return analysis::npy_bytes({type, extents, data});
  }
  void write(const std::string& name, const std::vector<std::byte>& bytes) {
    ASSERT_TRUE(graph::write_file(path(name), bytes));
  }
};

TEST_F(tool, explains_itself) {
  const outcome help = run("--help");
  EXPECT_EQ(help.code, 0);
  for (const char* verb : {"audit", "bundle", "compare", "demo", "drift", "extract", "import",
                           "info", "run", "targets"}) {
    EXPECT_NE(help.out.find(verb), std::string::npos) << verb;
    const outcome own = run(std::string(verb) + " --help");
    EXPECT_EQ(own.code, 0);
    EXPECT_NE(own.out.find("Example:"), std::string::npos) << verb;
  }
  const outcome version = run("--version");
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.out.starts_with("bittwin "));
}

TEST_F(tool, usage_errors_are_one_sentence) {
  expect_refusal("", "--help");
  expect_refusal("bogus", "there is no verb 'bogus'");
  expect_refusal("info", "MODEL is required");
  expect_refusal("info small.tflite --nonsense", "--nonsense");
  expect_refusal("run small.tflite --target nobody", "there is no target 'nobody'");
  expect_refusal("run small.tflite --limit many", "--limit 'many'");
}

TEST_F(tool, info_describes_a_model) {
  const outcome o = run("info small.tflite --json");
  ASSERT_EQ(o.code, 0) << o.err;
  const json j = json::parse(o.out);
  EXPECT_EQ(j["operators"][0]["op"], "CONV_2D");
  EXPECT_EQ(j["operators"][0]["options"]["stride_h"], 2);
  EXPECT_EQ(j["tensors"][1]["scale"], (std::vector<float>{0.25F, 0.5F, 1.0F}));
  EXPECT_EQ(j["macs"], 24);
  EXPECT_GT(j["arena"], 0);
  EXPECT_EQ(j["operators"][0]["targets"]["tflite-reference"]["as"], "tflite-reference");
  EXPECT_NE(run("info small.tflite").out.find("tflite-reference         runs 2 of 2"),
            std::string::npos);
  EXPECT_EQ(run("info small.tflite --verbose").code, 0);
}

TEST_F(tool, audit_reports_hazards_and_writes_a_model_without_exposed_clamps) {
  test::tflite_description m = test::small_convolution();
  m.tensors[3].scales = {0.2222F};
  m.tensors[3].zero_points = {-15};
  m.tensors[4] = m.tensors[3];
  m.tensors[4].name = "relu";
  write("relu6.tflite", test::tflite_builder::build(m));
  const outcome o = run("audit relu6.tflite --fix safe.tflite --json");
  ASSERT_EQ(o.code, 1) << o.err;
  const json j = json::parse(o.out);
  EXPECT_GE(j["checked"]["clamps"], 1);
  int exposed = 0;
  for (const json& h : j["hazards"])
    if (h["code"] == "CLAMP_EXPOSED" && h["op_name"] == "CONV_2D") {
      ++exposed;
      EXPECT_EQ(h["low"], -15);
      EXPECT_EQ(h["high"], 12);
      EXPECT_EQ(h["exposed_codes"], 228);
    }
  EXPECT_EQ(exposed, 1);
  EXPECT_EQ(j["fixed"]["remaining"], 0);
  EXPECT_EQ(j["fixed"]["differing"], 0);
  EXPECT_EQ(run("run safe.tflite").code, 0);
  expect_refusal("audit relu6.tflite --target nobody", "there is no target 'nobody'");
}

TEST_F(tool, extract_writes_a_piece_that_runs_to_its_expected_outputs) {
  const outcome whole = run("run small.tflite --input input.npy --dump whole");
  ASSERT_EQ(whole.code, 0) << whole.err;
  const outcome o = run("extract small.tflite --op 1 --out piece --input input.npy --json");
  ASSERT_EQ(o.code, 0) << o.err;
  const json j = json::parse(o.out);
  EXPECT_EQ(j["ops"], json::array({1}));
  EXPECT_EQ(j["pieces"][0]["differing"], 0);
  EXPECT_EQ(read_text(path("piece/in0.npy")), read_text(path("whole/t003.npy")));
  EXPECT_EQ(read_text(path("piece/out0.npy")), read_text(path("whole/t004.npy")));
  const outcome alone = run("run piece/model.tflite --input piece --json");
  ASSERT_EQ(alone.code, 0) << alone.err;
  EXPECT_EQ(json::parse(alone.out)["outputs"][0]["sha256"], j["pieces"][0]["sha256"][0]);
  test::tflite_description wide = test::small_convolution();
  for (const std::size_t t : {std::size_t{3}, std::size_t{4}}) wide.tensors[t].zero_points = {-28};
  write("wide.tflite", test::tflite_builder::build(wide));
  const outcome three =
      run("extract wide.tflite --op 0 --out three --activation none --activation relu "
          "--activation relu6 --sandwich");
  EXPECT_EQ(three.code, 0) << three.err;
  for (const char* folder : {"three/none", "three/relu", "three/relu6"})
    EXPECT_EQ(run("run " + std::string(folder) + "/model.tflite --input " + folder).code, 0)
        << folder;
  EXPECT_NE(read_text(path("three/none/out0.npy")), read_text(path("three/relu/out0.npy")));
  expect_refusal("extract small.tflite --out piece", "one of --op K, --upto K and --from K");
  expect_refusal("extract small.tflite --out piece --op 0 --from 1",
                 "one of --op K, --upto K and --from K");
  expect_refusal("extract small.tflite --out piece --op 2",
                 "there is no operator 2; it has operators 0 to 1");
  expect_refusal("extract small.tflite --out piece --op -1", "there is no operator -1");
  expect_refusal("extract small.tflite --out small.tflite/x --op 1", "cannot be made a folder");
  expect_refusal("extract small.tflite --out none --op 1 --target real --sandwich",
                 "makes reals and no codes");
  expect_refusal("extract small.tflite --out none --op 1 --activation relu",
                 "has no fused activation");
  EXPECT_FALSE(fs::exists(path("none")));
}

TEST_F(tool, models_that_nothing_runs_are_described_and_refused_by_name) {
  test::tflite_description foreign = test::small_convolution();
  foreign.codes[1] = {.deprecated = 32, .builtin = 32, .version = 1, .custom = "Foo"};
  write("foreign.tflite", test::tflite_builder::build(foreign));
  const std::string text = run("info foreign.tflite").out;
  EXPECT_NE(text.find("tflite-reference         runs 1 of 2"), std::string::npos) << text;
  EXPECT_NE(text.find("operator 1 custom Foo: version 1"), std::string::npos) << text;
  EXPECT_NE(text.find("the nearest supported form is a builtin operator"), std::string::npos)
      << text;
  expect_refusal("run foreign.tflite", "foreign.tflite: operator 1 custom Foo");
}

TEST_F(tool, bad_files_are_refused_with_name_and_remedy) {
  expect_refusal("info nothere.tflite", "nothere.tflite: no such file");
  expect_refusal("info .", "is not a regular file");
  expect_refusal("info input.npy", "a NumPy array");
  std::vector<std::byte> cut = test::tflite_builder::build(test::small_convolution());
  cut.resize(cut.size() / 2);
  write("cut.tflite", cut);
  expect_refusal("run cut.tflite", "cut.tflite: ");
  test::tflite_description scale = test::small_convolution();
  scale.tensors[3].scales = {0.0F};
  write("scale.tflite", test::tflite_builder::build(scale));
  expect_refusal("run scale.tflite", "tensor 3 'conv' has the scale 0");
}

TEST_F(tool, inputs_of_another_type_or_shape_are_refused) {
  write("u8.npy", npy(element_type::uint8, shape{1, 4, 4, 2}));
  write("flat.npy", npy(element_type::int8, shape{32}));
  expect_refusal("run small.tflite --input u8.npy", "u8.npy: is uint8[1,4,4,2]");
  expect_refusal("run small.tflite --input flat.npy", "tensor 0 'input', is int8[1,4,4,2]");
  expect_refusal("run small.tflite --input input.npy --input input.npy", "2 inputs given");
  expect_refusal("run small.tflite --input small.tflite", "is not a .npy array");
  expect_refusal("run small.tflite --output a --output b", "2 times --output");
}

TEST_F(tool, run_writes_outputs_and_says_their_hash) {
  const outcome o = run("run small.tflite --input input.npy --output y.npy --json");
  ASSERT_EQ(o.code, 0) << o.err;
  const json j = json::parse(o.out);
  EXPECT_EQ(j["outputs"][0]["tensor"], 4);
  EXPECT_EQ(j["outputs"][0]["file"], "y.npy");
  EXPECT_EQ(j["outputs"][0]["sha256"].get<std::string>().size(), 64u);
  EXPECT_EQ(j["macs"], 24);
  EXPECT_TRUE(j["assumed"].is_array());
  const auto y = analysis::read_npy_file(path("y.npy"));
  ASSERT_TRUE(y) << y.error().text;
  EXPECT_EQ(y->extents, (shape{1, 2, 2, 3}));
}

TEST_F(tool, a_run_without_input_is_the_same_every_time) {
  const auto digest = [&](const std::string& arguments) {
    return json::parse(run("run small.tflite --json " + arguments).out)["outputs"][0]["sha256"]
        .get<std::string>();
  };
  EXPECT_EQ(digest(""), digest("--seed 0"));
  EXPECT_NE(digest(""), digest("--seed 1"));
  for (const char* const threads : {"1", "2", "3", "7"})
    EXPECT_EQ(digest(std::string("--threads ") + threads), digest("")) << threads;
}

TEST_F(tool, impossible_numbers_of_threads_are_refused) {
  for (const char* const threads : {"0", "-1", "1025", "99999999999999999999", "two", ""})
    expect_refusal(std::string("run small.tflite --threads '") + threads + "'", "--threads");
}

TEST_F(tool, compare_finds_the_operator_that_parts) {
  ASSERT_EQ(run("run small.tflite --dump a").code, 0);
  ASSERT_EQ(run("run small.tflite --input a --dump b").code, 0) << "a dump is an input";
  EXPECT_EQ(run("compare a b").code, 0);
  auto conv = analysis::read_npy_file(path("b/t003.npy"));
  auto relu = analysis::read_npy_file(path("b/t004.npy"));
  ASSERT_TRUE(conv.has_value() && relu.has_value());
  for (auto* changed : {&conv, &relu}) (*changed)->data[4] ^= std::byte{1};
  ASSERT_TRUE(analysis::write_npy_file(path("b/t003.npy"), *conv));
  ASSERT_TRUE(analysis::write_npy_file(path("b/t004.npy"), *relu));
  const outcome o = run("compare a b --model small.tflite --json");
  EXPECT_EQ(o.code, 1) << o.err;
  const json j = json::parse(o.out);
  EXPECT_EQ(j["first"]["ops"], std::vector<int>{0});
  EXPECT_EQ(j["first"]["tensor"], 3);
  EXPECT_EQ(j["segments"][0]["verdict"], "UNDETERMINED");
  EXPECT_EQ(j["segments"][0]["one_step"]["mismatches"], 1);
  EXPECT_EQ(j["segments"][1]["verdict"], "INHERITED");
  EXPECT_EQ(j["segments"][1]["one_step"]["mismatches"], 0);
  EXPECT_EQ(j["segments"][1]["mismatches"], 1);
}

TEST_F(tool, what_inherits_fails_only_on_any) {
  ASSERT_EQ(run("run small.tflite --seed 1 --dump a").code, 0);
  ASSERT_EQ(run("run small.tflite --seed 1 --dump b").code, 0);
  EXPECT_EQ(run("compare a b --fail-on any").code, 0);
  expect_refusal("compare a b --fail-on never", "--fail-on");
  expect_refusal("compare a .", "holds no tNNN.npy");
}

TEST_F(tool, a_dump_that_fails_leaves_nothing) {
  write("file", {});
  expect_refusal("run small.tflite --dump file", "cannot be made a folder");
  expect_refusal("run small.tflite --dump d --output nowhere/y.npy", "nowhere/y.npy");
  EXPECT_FALSE(fs::exists(path("nowhere")));
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
    EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
}

TEST_F(tool, targets_tell_how_well_each_rule_is_known) {
  const json j = json::parse(run("targets --json").out);
  ASSERT_GE(j["targets"].size(), 5u);
  EXPECT_EQ(j["targets"][0]["name"], "tflite-reference");
  EXPECT_EQ(j["targets"][0]["rooms"][0]["axes"][0]["confidence"], "published_code");
  EXPECT_NE(run("targets xnnpack").out.find("half-even"), std::string::npos);
  expect_refusal("targets nobody", "there is no target");
}

TEST_F(tool, a_target_in_detail_has_formula_sources_and_what_to_measure) {
  const std::string ethos = run("targets ethos-u").out;
  for (const char* const part : {"formula", "confidence", "source", "to measure", "half_away",
                                 "add  refused: an axis is unknown"})
    EXPECT_NE(ethos.find(part), std::string::npos) << part;
  const std::string list = run("targets").out;
  EXPECT_NE(list.find("templates: axes that nobody outside knows"), std::string::npos);
  EXPECT_LT(list.find("xnnpack-neon"), list.find("templates:"));
  EXPECT_GT(list.find("tidl"), list.find("templates:"));
  const json j = json::parse(run("targets tidl --json").out);
  EXPECT_EQ(j["targets"][0]["template"], true);
  EXPECT_EQ(j["targets"][0]["unknown"][0], "conv2d.accumulator");
}

TEST_F(tool, a_target_from_a_file_runs) {
  const auto write_text = [&](const std::string& name, std::string_view text) {
    std::ofstream(path(name)) << text;
  };
  write_text("my_npu.json", R"({
  "schema": 1,
  "name": "my-npu",
  "version": "1",
  "base": "tflite-reference",
  "rooms": {
    "conv2d": {"rescale": "q31-one-step<half-even>"}
  }
})");
  const outcome mine = run("run small.tflite --input input.npy --target my_npu.json --json");
  ASSERT_EQ(mine.code, 0) << mine.err;
  EXPECT_EQ(json::parse(mine.out)["target"], "my_npu.json");
  EXPECT_NE(run("targets my_npu.json").out.find("q31-one-step<half-even>"), std::string::npos);
  write_text("bad.json", R"({"schema": 1, "name": "n", "base": "nobody"})");
  expect_refusal("run small.tflite --target bad.json", "base is no target; there are");
  expect_refusal("run small.tflite --target none.json", "none.json");
}

TEST_F(tool, a_template_runs_with_a_base_and_lists_what_is_assumed) {
  expect_refusal("run small.tflite --target hexagon", "--assume tflite-reference");
  expect_refusal("run small.tflite --target hexagon --assume tidl", "a template cannot stand in");
  const outcome o =
      run("run small.tflite --input input.npy --target hexagon --assume tflite-reference --json");
  ASSERT_EQ(o.code, 0) << o.err;
  const json j = json::parse(o.out);
  ASSERT_FALSE(j["assumed"].empty());
  EXPECT_TRUE(
      j["assumed"][0].get<std::string>().starts_with("conv2d.scale_product as tflite-reference: "));
  // All of its arithmetic is the base's, so its integers are.
  const json base = json::parse(run("run small.tflite --input input.npy --json").out);
  EXPECT_EQ(j["outputs"][0]["sha256"], base["outputs"][0]["sha256"]);
}

TEST_F(tool, import_makes_a_dump_that_compares_and_says_what_it_assumed) {
  ASSERT_EQ(run("run small.tflite --input input.npy --dump ref").code, 0);
  fs::create_directory(path("board"));
  for (const auto& [from, to] :
       {std::pair{"t000", "input"}, {"t003", "0001_conv"}, {"t004", "relu"}})
    fs::copy_file(path("ref/" + std::string(from) + ".npy"),
                  path("board/" + std::string(to) + ".npy"));
  const std::string call = "import board --model small.tflite --out made";
  const outcome all = run(call + " --json");
  EXPECT_EQ(all.code, 0) << all.out << all.err;
  const json found = json::parse(all.out);
  EXPECT_EQ(found["dump"], "made");
  EXPECT_EQ(found["found"].size(), 3);
  EXPECT_EQ(found["found"][1]["tensor"], 3);
  EXPECT_EQ(found["found"][1]["layout"], "nhwc");
  EXPECT_TRUE(found["refused"].empty() && found["not_found"].empty() && found["left_over"].empty());
  EXPECT_NE(found["assumptions"].dump().find("'0001_conv.npy' is tensor 3 'conv', by 'conv'"),
            std::string::npos)
      << found["assumptions"].dump(1);
  EXPECT_EQ(run("compare ref made --model small.tflite --fail-on any").code, 0);

  // One file too short: the others are written, and it is said.
  write("board/relu.bin", std::vector<std::byte>(5));
  fs::remove(path("board/relu.npy"));
  const outcome some = run(call);
  EXPECT_EQ(some.code, 1) << some.err;
  EXPECT_NE(some.out.find("'relu.bin' has 5 bytes, but tensor 4 'relu' is int8[1,2,2,3]"),
            std::string::npos)
      << some.out;
  EXPECT_NE(some.out.find("2 of 3 tensors found, files refused 1, left over 0: made"),
            std::string::npos)
      << some.out;
  EXPECT_FALSE(json::parse(run(call + " --json").out)["refused"][0]["text"].empty());
}

TEST_F(tool, import_refuses_what_it_cannot_begin_with_and_writes_nothing) {
  fs::create_directory(path("board"));
  const std::string call = "import board --model small.tflite --out made";
  expect_refusal(call, "board: holds no file");
  expect_refusal("import none --model small.tflite --out made", "none: is not a folder");
  write("board/relu.bin", std::vector<std::byte>(5));
  expect_refusal(call + " --layout hwc", "--layout hwc is not a layout");
  expect_refusal(call + " --dtype i4", "--dtype 'i4' is not a type");
  expect_refusal(call + " --pattern '('", "is not a regular expression");
  expect_refusal(call + " --map missing.csv", "missing.csv: no such file");
  expect_refusal("import board --model small.tflite --out board", "is the folder that is read");
  const outcome nothing = run(call);
  EXPECT_EQ(nothing.code, 1) << nothing.err;
  EXPECT_NE(nothing.out.find("nothing was written"), std::string::npos) << nothing.out;
  EXPECT_FALSE(fs::exists(path("made")));
}

TEST_F(tool, compare_explains_an_element) {
  ASSERT_EQ(run("run small.tflite --input input.npy --dump ref").code, 0);
  ASSERT_EQ(
      run("run small.tflite --input input.npy --dump test --target tflite-single-rounding").code,
      0);
  const std::string both = "compare ref test --model small.tflite";
  const json info = json::parse(run("info small.tflite --json").out);
  const std::string output = std::to_string(info["operators"][0]["outputs"][0].get<int>());
  const outcome o =
      run(both + " --explain '" + output + "[0]' --against tflite-single-rounding --json");
  ASSERT_NE(o.code, 2) << o.err;
  const json e = json::parse(o.out)["explain"];
  EXPECT_EQ(e["op_name"], "CONV_2D");
  EXPECT_EQ(e["second"], "tflite-single-rounding");
  EXPECT_EQ(e["stages"][0]["stage"], "accumulator");
  EXPECT_EQ(e["stages"][0]["first"], e["stages"][0]["second"]);
  EXPECT_NE(run(both + " --explain '" + output + "[0]' --against ruy").err.find("no room"),
            std::string::npos);
  expect_refusal(both + " --explain '" + output + "[0]'", "--explain takes --against");
  expect_refusal(both + " --explain seven --against xnnpack", "write TENSOR[i]");
  expect_refusal(both + " --explain '" + output + "[99999]' --against xnnpack", "is none of them");
}

TEST_F(tool, compare_names_the_faults_of_the_demo) {
  ASSERT_EQ(run("demo dumps --images 1").code, 0);
  const auto first = [&](const std::string& device) {
    const outcome o =
        run("compare dumps/tflite-reference dumps/" + device + " --model dumps/demo.tflite --json");
    EXPECT_EQ(o.code, 1) << o.err;
    const json found = json::parse(o.out);
    for (const json& s : found["segments"])
      if (s["ops"] == found["first"]["ops"])
        return s["op"].get<std::string>() + " " + s["signature"][0]["code"].get<std::string>();
    return std::string();
  };
  EXPECT_EQ(first("fault-upper-clamp-dropped"), "CONV_2D UPPER_CLAMP_MISSING");
  EXPECT_EQ(first("fault-Add-ignores-operand-scales"), "ADD ADD_SCALE_IGNORED");
  // Another way to round is no fault.
  for (const char* target : {"tflite-builtin", "tflite-single-rounding", "xnnpack"})
    EXPECT_EQ(run(std::string("compare dumps/tflite-reference dumps/") + target +
                  " --model dumps/demo.tflite")
                  .code,
              0)
        << target;
}

}  // namespace
