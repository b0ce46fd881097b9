// SPDX-License-Identifier: Apache-2.0
// The verbs, and how they refuse.
#pragma once

#include <bittwin/types/result.hpp>
#include <stdexcept>
#include <utility>

#include "options.hpp"

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

/// Each is one verb and returns its exit code.
[[nodiscard]] int audit(const audit_options& options);
[[nodiscard]] int bundle(const bundle_options& options);
[[nodiscard]] int compare(const compare_options& options);
[[nodiscard]] int demo(const demo_options& options);
[[nodiscard]] int drift(const drift_options& options);
[[nodiscard]] int extract(const extract_options& options);
[[nodiscard]] int import_folder(const import_options& options);
[[nodiscard]] int info(const info_options& options);
[[nodiscard]] int run(const run_options& options);
[[nodiscard]] int list_targets(const targets_options& options);

}  // namespace bittwin::cli
