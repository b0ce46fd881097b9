# SPDX-License-Identifier: Apache-2.0
# The components, and how their dependencies are found: used by this build and, installed, by bittwinConfig.cmake.
include_guard()

set(bittwin_components graph analysis conformance)
set(bittwin_graph_needs flatbuffers)
set(bittwin_graph_links bittwin::bittwin bittwin::flatbuffers_headers)
set(bittwin_analysis_needs flatbuffers nlohmann_json)
set(bittwin_analysis_links bittwin::graph nlohmann_json::nlohmann_json)
set(bittwin_conformance_needs rapidcheck)
set(bittwin_conformance_links bittwin::bittwin rapidcheck)

# bittwin_find(<package>) sets BITTWIN_FOUND_<package>. Of xsimd and FlatBuffers only the headers are used, as
# targets bittwin::<package>_headers: Debian's target xsimd wants to link a library xtl that does not exist, and
# FlatBuffers' targets bring its library.
macro(bittwin_find package)
  set(BITTWIN_FOUND_${package} FALSE)
  if("${package}" MATCHES "^(xsimd|flatbuffers)$")
    string(REPLACE "flatbuffers" "FlatBuffers" bittwin_name ${package})   # the case of its file changed once
    find_package(${package} CONFIG QUIET NAMES ${package} ${bittwin_name})
    set(bittwin_hint "")
    foreach(bittwin_candidate ${package} ${package}::${package} ${package}::${package}_shared)
      if(TARGET ${bittwin_candidate})
        get_target_property(bittwin_hint ${bittwin_candidate} INTERFACE_INCLUDE_DIRECTORIES)
      endif()
    endforeach()
    find_path(BITTWIN_${package}_INCLUDE_DIR ${package}/${package}.h ${package}/${package}.hpp HINTS ${bittwin_hint})
    mark_as_advanced(BITTWIN_${package}_INCLUDE_DIR)
    unset(bittwin_hint)
    if(BITTWIN_${package}_INCLUDE_DIR)
      set(BITTWIN_FOUND_${package} TRUE)
      if(NOT TARGET bittwin::${package}_headers)
        add_library(bittwin::${package}_headers INTERFACE IMPORTED)
        target_include_directories(bittwin::${package}_headers INTERFACE "${BITTWIN_${package}_INCLUDE_DIR}")
      endif()
    endif()
  else()
    find_package(${package} CONFIG QUIET)
    if(${package}_FOUND)
      set(BITTWIN_FOUND_${package} TRUE)
    endif()
  endif()
endmacro()

# bittwin_find_needs(<component>) sets BITTWIN_MISSING to the packages of a component that are not found.
macro(bittwin_find_needs component)
  set(BITTWIN_MISSING "")
  foreach(bittwin_package IN LISTS bittwin_${component}_needs)
    bittwin_find(${bittwin_package})
    if(NOT BITTWIN_FOUND_${bittwin_package})
      list(APPEND BITTWIN_MISSING ${bittwin_package})
    endif()
  endforeach()
endmacro()
