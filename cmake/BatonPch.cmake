# baton_pch(<kind> <libraries...>)
#
# Makes cmake/pch/<kind>.hpp a precompiled header, compiled like a target that links these libraries. Targets with the same flags
# take it by target_precompile_headers(<target> REUSE_FROM baton_pch_<kind>); more definitions do no harm, another -O does.
# ccache never keeps it: it holds paths of its clone. docs/adr/0008-precompiled-headers.md says how its users are cached nevertheless.
# CMake would also name the header itself, as "-Xclang -include": ccache leaves that path as it is, and no clone would share with another.
set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -Xclang -include-pch -Xclang <PCH_FILE>)

function(baton_pch kind)
  set(source "${CMAKE_BINARY_DIR}/pch/${kind}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// CMake makes a precompiled header for a target with a source.\n")
  add_library(baton_pch_${kind} OBJECT EXCLUDE_FROM_ALL "${source}")
  target_link_libraries(baton_pch_${kind} PRIVATE baton_flags ${ARGN})
  # Relative to where CMake includes it from, so that clones have the same text there.
  file(RELATIVE_PATH header "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/baton_pch_${kind}.dir" "${CMAKE_SOURCE_DIR}/cmake/pch/${kind}.hpp")
  target_precompile_headers(baton_pch_${kind} PRIVATE "\"${header}\"")
  set_target_properties(baton_pch_${kind} PROPERTIES CXX_COMPILER_LAUNCHER "${CMAKE_SOURCE_DIR}/cmake/pch/compile;${CMAKE_SOURCE_DIR}")
endfunction()
