# SPDX-License-Identifier: Apache-2.0
# bittwin_embed(<target> <file> <function>): the bytes of a file as  std::span<const std::byte> <function>()  in
# namespace bittwin::embedded. As a script it writes the source.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${INPUT}" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes
                       "${bytes}")
  file(WRITE "${OUTPUT}.new"
       "#include <cstddef>\n#include <span>\n\nnamespace bittwin::embedded {\n\n"
       "alignas(16) static const unsigned char bytes[] = {\n${bytes}};\n\n"
       "std::span<const std::byte> ${FUNCTION}() { return std::as_bytes(std::span(bytes)); }\n\n"
       "}  // namespace bittwin::embedded\n")
  file(RENAME "${OUTPUT}.new" "${OUTPUT}")
  return()
endif()

set(BITTWIN_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")
function(bittwin_embed target file function)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp")
  add_custom_command(
    OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" -DINPUT=${file} -DOUTPUT=${source} -DFUNCTION=${function} -P "${BITTWIN_EMBED_SCRIPT}"
    DEPENDS "${file}" "${BITTWIN_EMBED_SCRIPT}"
    VERBATIM)
  target_sources(${target} PRIVATE "${source}")
  set_source_files_properties("${source}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()
