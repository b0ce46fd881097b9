# SPDX-License-Identifier: Apache-2.0
# The library: bittwin::bittwin (levels 0 to 4, headers alone) and one target per component whose packages are found.
include(${CMAKE_CURRENT_LIST_DIR}/graph_library.cmake)
add_library(bittwin INTERFACE)
add_library(bittwin::bittwin ALIAS bittwin)
target_compile_features(bittwin INTERFACE cxx_std_20)
target_include_directories(bittwin INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>")

# xsimd is optional: the headers ask __has_include, so a plain include path behaves the same.
bittwin_find(xsimd)
if(BITTWIN_FOUND_xsimd)
  target_link_libraries(bittwin INTERFACE "$<BUILD_INTERFACE:bittwin::xsimd_headers>")
endif()

foreach(component IN LISTS bittwin_components)
  bittwin_find_needs(${component})
  if(BITTWIN_MISSING)
    list(JOIN BITTWIN_MISSING ", " missing)
    message(STATUS "bittwin: no component ${component}, not found: ${missing}")
    continue()
  endif()
  if(component STREQUAL "graph")
    bittwin_graph_library(bittwin_graph)
  else()
    add_library(bittwin_${component} INTERFACE)
    target_link_libraries(bittwin_${component} INTERFACE ${bittwin_${component}_links})
  endif()
  add_library(bittwin::${component} ALIAS bittwin_${component})
endforeach()
