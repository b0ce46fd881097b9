# SPDX-License-Identifier: Apache-2.0
# A failing law, in processes of their own: one seed gives one case, shrunk to one case, in every run.
function(fail_with seed to)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env BITTWIN_MUTANT=upper_bound_lost "RC_PARAMS=seed=${seed}" "${PROGRAM}"
            "--gtest_filter=dot_product_laws.outputs_lie_within_the_activation_for_every_target"
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(result EQUAL 0 OR NOT output MATCHES "Falsifiable after")
    message(FATAL_ERROR "the law holds for the seed ${seed}:\n${output}")
  endif()
  if(NOT output MATCHES "seed=${seed}")
    message(FATAL_ERROR "the seed ${seed} is not printed:\n${output}")
  endif()
  string(REGEX REPLACE "\\([0-9]+ ms( total)?\\)" "" output "${output}")
  set(${to} "${output}" PARENT_SCOPE)
endfunction()

foreach(seed 7 20260101)
  fail_with(${seed} first)
  fail_with(${seed} second)
  if(NOT first STREQUAL second)
    message(FATAL_ERROR "two runs with the seed ${seed} differ:\n${first}\nand\n${second}")
  endif()
endforeach()
