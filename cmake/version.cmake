# SPDX-License-Identifier: Apache-2.0
# Sets BITTWIN_VERSION from include/bittwin/version.hpp, the one place that states it.
file(READ "${CMAKE_CURRENT_LIST_DIR}/../include/bittwin/version.hpp" header)
string(REGEX MATCH "version = \"([0-9]+\\.[0-9]+\\.[0-9]+)\"" match "${header}")
set(BITTWIN_VERSION "${CMAKE_MATCH_1}")
