// SPDX-License-Identifier: Apache-2.0
// What the command line may say, verb by verb.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bittwin::cli {

inline constexpr std::string_view default_target = "tflite-reference";

/// Flags that every verb has.
struct common_options {
  bool json = false;
  bool verbose = false;
};

struct audit_options : common_options {
  std::string model;
  std::string target;
  std::string fix;
  std::string baseline;
  std::string html;
};

struct bundle_options : common_options {
  std::string model;
  std::string test;
  std::string reference;
  std::string target{default_target};
  std::string assume;
  std::optional<std::int64_t> op;
  std::string out;
  bool anonymize = false;
  std::string limit;
};

struct compare_options : common_options {
  std::string reference;
  std::string test;
  std::string model;
  std::string target{default_target};
  std::string assume;
  std::string fail_on = "named";
  std::string repeat;
  std::string baseline;
  std::string names;
  bool repair = false;
  std::string limit;
  std::string explain;
  std::string against;
  std::string html;
};

struct demo_options : common_options {
  std::string folder;
  std::uint64_t images = 500;
  std::uint64_t seed = 0;
  std::string html;
};

struct drift_options : common_options {
  std::string first;
  std::string second;
  std::string model;
  std::string baseline;
  std::string html;
  std::string target{default_target};
  std::string assume;
  std::string fail_on = "named";
  std::string limit;
};

struct extract_options : common_options {
  std::string model;
  std::optional<std::int64_t> op, upto, from;  ///< one of them
  std::string out;
  std::vector<std::string> activations;
  bool sandwich = false;
  std::vector<std::string> inputs;
  std::string target{default_target};
  std::string assume;
  std::uint64_t seed = 0;
  std::string limit;
};

struct import_options : common_options {
  std::string folder;
  std::string model;
  std::string map;
  std::string pattern;
  std::vector<std::string> layouts;
  std::string type;
  std::vector<std::string> inputs;
  std::string out;
  std::string target{default_target};
  std::string limit;
};

struct info_options : common_options {
  std::string model;
  bool proofs = false;
  std::string target{default_target};
};

struct run_options : common_options {
  std::string model;
  std::vector<std::string> inputs;
  std::string target{default_target};
  std::string assume;
  std::vector<std::string> outputs;
  std::string dump;
  std::string html;
  int threads = 1;
  std::uint64_t seed = 0;
  std::string limit;
};

struct targets_options : common_options {
  std::string name;
};

}  // namespace bittwin::cli
