// SPDX-License-Identifier: Apache-2.0
// bittwin, the command-line tool: a user of the library, one verb a file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <bittwin/graph/printable_name.hpp>
#include <bittwin/version.hpp>
#include <cstdio>
#include <exception>
#include <new>

#include "interrupt.hpp"
#include "verb.hpp"

namespace {

using namespace bittwin::cli;

int run(int argc, char** argv) {
  int code = nothing_found;
  CLI::App tool("Exact quantized kernels: runs, dumps and compares quantized models bit for bit.",
                "bittwin");
  tool.set_version_flag("--version", fmt::format("bittwin {}", bittwin::version));
  tool.require_subcommand(1);
  tool.footer(
      "Exit codes: 0 nothing to report, 1 something was found, 2 bad input or usage.\n"
      "'bittwin VERB --help' shows the options of a verb and an example.");
  add_demo(tool, code);
  add_audit(tool, code);
  add_info(tool, code);
  add_run(tool, code);
  add_compare(tool, code);
  add_targets(tool, code);
  const auto named = [&](const CLI::App* verb) { return verb->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && tool.get_subcommands(named).empty())
    throw refusal(fmt::format("there is no verb {}; see 'bittwin --help'",
                              bittwin::graph::printable_name(argv[1])));
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

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = run(argc, argv);
    // A full disk shows when the last bytes leave.
    if (std::fflush(stdout) != 0) throw refusal("stdout: cannot be written");
    return code;
  } catch (const refusal& why) {
    fmt::print(stderr, "bittwin: {}\n", why.what());
  } catch (const interruption&) {
    fmt::print(stderr, "bittwin: interrupted; nothing half-written was left\n");
    return interrupted;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "bittwin: out of memory; give a smaller model or raise the limit\n");
  } catch (const std::exception& fault) {
    fmt::print(stderr, "bittwin: {}\n", fault.what());
  }
  return bad_input;
}
