# SPDX-License-Identifier: Apache-2.0
# bittwin_own(<target>...): our own programs compile with every warning that the library promises to be free of.
function(bittwin_own)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion $<$<BOOL:${BITTWIN_WERROR}>:-Werror>)
  endforeach()
endfunction()
