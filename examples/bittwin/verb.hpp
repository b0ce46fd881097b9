// SPDX-License-Identifier: Apache-2.0
// What the verbs share: how they refuse, what every one accepts, and how each is added to the tool.
#pragma once

#include <CLI/CLI.hpp>
#include <bittwin/types/result.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace bittwin::cli {

/// Bad input: exit 2 and one sentence on stderr.
struct refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The value, or a refusal with the library's sentence.
template <class T> [[nodiscard]] T must(result<T> r) {
  if (!r) throw refusal(r.error().text);
  return *std::move(r);
}
inline void must(const status& s) {
  if (!s) throw refusal(s.error().text);
}

enum exit_code : int { nothing_found = 0, something_found = 1, bad_input = 2, interrupted = 130 };

/// Flags that every verb has.
struct common_options {
  bool json = false;
  bool verbose = false;

  void add_to(CLI::App& verb) {
    verb.add_flag("--json", json, "print one JSON object on stdout");
    verb.add_flag("-v,--verbose", verbose, "say more");
  }
};

/// Each adds its verb to the tool; the verb writes its exit code to `code`.
void add_audit(CLI::App& tool, int& code);
void add_info(CLI::App& tool, int& code);
void add_run(CLI::App& tool, int& code);
void add_compare(CLI::App& tool, int& code);
void add_demo(CLI::App& tool, int& code);
void add_targets(CLI::App& tool, int& code);

}  // namespace bittwin::cli
