// SPDX-License-Identifier: Apache-2.0
// bittwin, the command-line tool: a user of the library, one verb a file.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>

#include "command_line.hpp"
#include "interrupt.hpp"
#include "verb.hpp"

int main(int argc, char** argv) {
  using namespace bittwin::cli;
  try {
    const int code = run_command_line(argc, argv);
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
