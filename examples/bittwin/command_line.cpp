// SPDX-License-Identifier: Apache-2.0
// The one file that includes CLI11, whose headers cost more to compile than any verb.
#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/parallel/thread_pool.hpp>
#include <bittwin/version.hpp>
#include <memory>
#include <string>

#include "verb.hpp"

namespace bittwin::cli {
namespace {

/// A verb of the tool: `describe` adds its options, `verb` is run with them.
template <class Options, class Describe>
void add_verb(CLI::App& tool, int& code, const char* name, const char* text, const char* example,
              int (*verb)(const Options&), Describe describe) {
  CLI::App* const added = tool.add_subcommand(name, text);
  auto options = std::make_shared<Options>();
  describe(*added, *options);
  added->add_flag("--json", options->json, "print one JSON object on stdout");
  added->add_flag("-v,--verbose", options->verbose, "say more");
  added->footer(fmt::format("Example:\n  {}", example));
  added->callback([options, verb, &code] { code = verb(*options); });
}

void add_model(CLI::App& verb, std::string& model) {
  verb.add_option("MODEL", model, "a .tflite file")->required();
}

void add_baseline(CLI::App& verb, std::string& file, const char* of) {
  verb.add_option("--baseline", file,
                  fmt::format("findings that are accepted: what '{} --json' printed before", of))
      ->type_name("JSON");
}

void add_fail_on(CLI::App& verb, std::string& level) {
  verb.add_option("--fail-on", level, "which differences give exit code 1")
      ->check(CLI::IsMember({"any", "rounding", "named"}))
      ->capture_default_str();
}

/// Of verbs that look at layers.
void add_html(CLI::App& verb, std::string& file) {
  verb.add_option("--html", file,
                  "write one self-contained page: the layers in a strip, each with its pictures")
      ->type_name("FILE");
}

/// A target that may be a template.
template <class Options> void add_target(CLI::App& verb, Options& o, const char* what) {
  verb.add_option("--target", o.target, what)->capture_default_str();
  verb.add_option("--assume", o.assume,
                  "the target that stands in for what nobody knows of another");
}

/// What a verb runs on and by: the same flags wherever a model is run.
template <class Options> void add_input_and_target(CLI::App& verb, Options& o) {
  verb.add_option("--input", o.inputs,
                  "a .npy file, repeated in the model's order; or a folder with in0.npy, in1.npy "
                  "... or of a dump. Without it: random codes over the whole type (floats in "
                  "[-1, 1)) from --seed")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("X.npy|DIR");
  add_target(verb, o, "whose integers: a name of 'bittwin targets', or a JSON file");
  verb.add_option("--seed", o.seed, "of the input made without --input")->capture_default_str();
  verb.add_option("--limit", o.limit,
                  "multiply-accumulates to refuse above, instead of 2e9 (and a 1 GiB arena); "
                  "'none' for no limit")
      ->type_name("MAC|none");
}

void describe_demo(CLI::App& verb, demo_options& o) {
  verb.add_option("DIR", o.folder,
                  "write demo.tflite and one dump per target here, for 'bittwin compare'");
  verb.add_option("--images", o.images, "how many are drawn and classified; dumps are of the first")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}))
      ->capture_default_str();
  verb.add_option("--seed", o.seed, "of the images")->capture_default_str();
  add_html(verb, o.html);
}

void describe_audit(CLI::App& verb, audit_options& o) {
  add_model(verb, o.model);
  verb.add_option("--target", o.target, "report what this target refuses, too");
  verb.add_option("--fix", o.fix, "write a model in which every exposed clamp is spelled out");
  add_baseline(verb, o.baseline, "audit");
  add_html(verb, o.html);
}

void describe_bundle(CLI::App& verb, bundle_options& o) {
  add_model(verb, o.model);
  verb.add_option("--test", o.test, "the dump of the board")->type_name("DIR")->required();
  verb.add_option("--ref", o.reference, "a dump that holds what is expected, instead of a target's")
      ->type_name("DIR");
  add_target(verb, o, "whose integers are expected");
  verb.add_option("--op", o.op, "this operator alone, with what the board gave it")->type_name("K");
  verb.add_option("--out", o.out, "a new folder")->type_name("DIR")->required();
  verb.add_flag("--anonymize", o.anonymize, "leave names, texts and paths out; the integers stay");
  verb.add_option("--limit", o.limit, "as for 'run'")->type_name("MAC|none");
}

void describe_drift(CLI::App& verb, drift_options& o) {
  verb.add_option("DUMP_A", o.first, "what the older release made")->required();
  verb.add_option("DUMP_B", o.second, "what the newer release made of the same model and input")
      ->required();
  verb.add_option("--model", o.model, "the .tflite file")->type_name("M")->required();
  add_target(verb, o, "that both are held against");
  add_baseline(verb, o.baseline, "drift");
  add_fail_on(verb, o.fail_on);
  verb.add_option("--limit", o.limit, "as for 'run'")->type_name("MAC|none");
  add_html(verb, o.html);
}

void describe_run(CLI::App& verb, run_options& o) {
  add_model(verb, o.model);
  add_input_and_target(verb, o);
  verb.add_option("--output", o.outputs, "write an output, repeated in the model's order")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("Y.npy");
  verb.add_option("--dump", o.dump, "write every tensor and a manifest")->type_name("DIR");
  add_html(verb, o.html);
  verb.add_option("--threads", o.threads,
                  "how many run an operator; the integers are the same on any number")
      ->check(CLI::Range(1, static_cast<int>(thread_pool::most_threads)))
      ->capture_default_str();
}

void describe_extract(CLI::App& verb, extract_options& o) {
  add_model(verb, o.model);
  verb.add_option("--op", o.op, "this operator alone")->type_name("K");
  verb.add_option("--upto", o.upto, "this operator and all that it needs")->type_name("K");
  verb.add_option("--from", o.from, "this operator and all behind it")->type_name("K");
  verb.add_option("--out", o.out, "for model.tflite, inN.npy and outN.npy, the expected outputs")
      ->type_name("DIR")
      ->required();
  verb.add_option("--activation", o.activations,
                  "the piece with this fused activation in operator K, in a folder of that name; "
                  "repeated: one each, to tell a clamp from the rest")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(CLI::IsMember({"none", "relu", "relu6"}));
  verb.add_flag("--sandwich", o.sandwich,
                "float32 in and out: QUANTIZE before, DEQUANTIZE behind; the codes stay the same");
  add_input_and_target(verb, o);
}

void describe_import(CLI::App& verb, import_options& o) {
  verb.add_option("DIR", o.folder, "what a board wrote: .npy, .bin, .raw, .txt, .csv")->required();
  verb.add_option("--model", o.model, "the .tflite file that the board ran")
      ->type_name("M")
      ->required();
  verb.add_option("--map", o.map, "lines file,tensor: which file is which tensor, by name or index")
      ->type_name("CSV");
  verb.add_option(
          "--pattern", o.pattern,
          "a regular expression for file names; its one group is the tensor's name or index")
      ->type_name("RE");
  verb.add_option("--layout", o.layouts,
                  "how files are laid out, repeated where it is one of several: nhwc, nchw or "
                  "nc1hwc2, with :c=16,row=512,plane=4096 in elements. Without it: all that fit")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("LAYOUT");
  verb.add_option("--dtype", o.type, "of files without a header: i8, u8, i16, i32, f16, f32, f64");
  verb.add_option("--input", o.inputs,
                  "what the board was given, where DIR does not hold it: as for 'run'")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("X.npy|DIR");
  verb.add_option("--out", o.out, "for the dump")->type_name("DUMP")->required();
  verb.add_option("--target", o.target, "whose run decides where values have to")
      ->capture_default_str();
  verb.add_option("--limit", o.limit, "as for 'run'")->type_name("MAC|none");
}

void describe_compare(CLI::App& verb, compare_options& o) {
  verb.add_option("REF_DIR", o.reference, "the dump that is right")->required();
  verb.add_option("TEST_DIR", o.test, "the dump in question")->required();
  verb.add_option("--model", o.model,
                  "the .tflite file: each operator is also run alone on TEST's inputs")
      ->type_name("M");
  add_target(verb, o, "whose operators are run alone");
  verb.add_flag("--repair", o.repair,
                "replay TEST without its first fault, where that is one missing clamp, padding or "
                "layout: what goes away, and what is left");
  verb.add_option("--repeat", o.repeat, "a second run of TEST's board on the same input")
      ->type_name("DIR2");
  verb.add_option("--names", o.names,
                  "lines 'name in TEST_DIR,tensor of the model': TEST_DIR holds NAME.npy, or a "
                  "manifest with these names")
      ->type_name("CSV");
  add_fail_on(verb, o.fail_on);
  add_baseline(verb, o.baseline, "compare");
  verb.add_option("--limit", o.limit, "as for 'run'")->type_name("MAC|none");
  verb.add_option("--explain", o.explain,
                  "one element, as 7[123], stage by stage under --target and --against, on TEST's "
                  "operands")
      ->type_name("TENSOR[i]");
  verb.add_option("--against", o.against, "the second target of --explain");
  add_html(verb, o.html);
}

void add_verbs(CLI::App& tool, int& code) {
  add_verb(tool, code, "demo",
           "the main job on the embedded model: who is right how often, who parts first, where",
           "bittwin demo dumps && bittwin compare dumps/tflite-reference dumps/xnnpack "
           "--model dumps/demo.tflite",
           demo, describe_demo);
  add_verb(tool, code, "audit",
           "what a model will meet on chips that clamp, round, pad or add otherwise",
           "bittwin audit model.tflite --fix safe.tflite", audit, describe_audit);
  add_verb(tool, code, "bundle",
           "the evidence to send to a vendor: model, inputs, expected and observed outputs, a page",
           "bittwin bundle model.tflite --test board/ --op 7 --anonymize --out evidence", bundle,
           describe_bundle);
  add_verb(tool, code, "drift", "what changed between two releases of a toolchain",
           "bittwin drift release-1/ release-2/ --model model.tflite", drift, describe_drift);
  add_verb(tool, code, "extract",
           "a piece of a model, its exact inputs and expected outputs, as files",
           "bittwin extract model.tflite --op 7 --out piece && bittwin run piece/model.tflite "
           "--input piece",
           extract, describe_extract);
  add_verb(tool, code, "import",
           "a vendor's dump as a dump: names, layouts, padding, types and codes, or why not",
           "bittwin import board_out/ --model model.tflite --out board/ && bittwin compare "
           "reference/ board/ --model model.tflite",
           import_folder, describe_import);
  add_verb(
      tool, code, "info",
      "operators, tensors, quantization, size, MACs and arena of a model, and which target runs it",
      "bittwin info model.tflite --verbose", info, [](CLI::App& verb, info_options& o) {
        add_model(verb, o.model);
        verb.add_flag("--proofs", o.proofs,
                      "what was proved of each operator, and the shares of channels by the form "
                      "that makes their codes");
        verb.add_option("--target", o.target, "whose rules --proofs asks")->capture_default_str();
      });
  add_verb(tool, code, "run", "run a model bit-exactly under a target",
           "bittwin run model.tflite --input x.npy --target xnnpack --dump out/", run,
           describe_run);
  add_verb(tool, code, "compare", "compare two dumps: which operator parts first, and by how much",
           "bittwin compare reference/ board/ --model model.tflite", compare, describe_compare);
  add_verb(tool, code, "targets",
           "every target: name, version, confidence; one in detail, axis by axis",
           "bittwin targets xnnpack", list_targets, [](CLI::App& verb, targets_options& o) {
             verb.add_option("NAME", o.name, "a target to show in detail: a name, or a JSON file");
           });
}

}  // namespace

int run_command_line(int argc, char** argv) {
  int code = nothing_found;
  CLI::App tool("Exact quantized kernels: runs, dumps and compares quantized models bit for bit.",
                "bittwin");
  tool.set_version_flag("--version", fmt::format("bittwin {}", bittwin::version));
  tool.require_subcommand(1);
  tool.footer(
      "Exit codes: 0 nothing to report, 1 something was found, 2 bad input or usage.\n"
      "'bittwin VERB --help' shows the options of a verb and an example.");
  add_verbs(tool, code);
  const auto named = [&](const CLI::App* verb) { return verb->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && tool.get_subcommands(named).empty())
    throw refusal(
        fmt::format("there is no verb {}; see 'bittwin --help'", graph::printable_name(argv[1])));
  try {
    tool.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return tool.exit(asked);
  } catch (const CLI::ParseError& wrong) {
    const auto chosen = tool.get_subcommands();
    fmt::print(stderr, "bittwin: {}; see 'bittwin {}--help'\n", wrong.what(),
               chosen.empty() ? "" : chosen.front()->get_name() + " ");
    return bad_input;
  }
  return code;
}

}  // namespace bittwin::cli
