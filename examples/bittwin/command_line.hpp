// SPDX-License-Identifier: Apache-2.0
// Reads the command line and runs the verb it names.
#pragma once

namespace bittwin::cli {

/// The verb's exit code. Throws what the verb throws, and refusal for a verb that there is none of.
[[nodiscard]] int run_command_line(int argc, char** argv);

}  // namespace bittwin::cli
