# baton_module(<folder> USES <folders...> LIBRARIES <targets...>)
#
# One folder under src/baton is one target. A target sees its own headers and those of the folders it
# USES, and nothing else: each folder gets an include root of its own (a link under build/*/include), so
# an include that the table in src/baton/CMakeLists.txt does not allow is a "file not found" error.
add_library(baton_flags INTERFACE)
# A designated initializer that leaves fields to their defaults is how we name arguments.
target_compile_options(baton_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Werror -Wno-missing-designated-field-initializers)
target_compile_definitions(baton_flags INTERFACE
  BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_DISABLE_BOOST_COROUTINE BATON_VERSION="${PROJECT_VERSION}")
target_link_libraries(baton_flags INTERFACE Threads::Threads)

include(BatonPch)
baton_pch(std fmt::fmt)
baton_pch(boost fmt::fmt Boost::json)

function(baton_module name)
  cmake_parse_arguments(ARG "" "" "USES;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  set(root "${CMAKE_BINARY_DIR}/include/${name}")
  file(MAKE_DIRECTORY "${root}/baton")
  file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}/${name}" "${root}/baton/${name}" SYMBOLIC)
  list(TRANSFORM ARG_USES PREPEND baton_)
  if(sources)
    add_library(baton_${name} STATIC ${sources})
    set(reach PUBLIC)
  else()
    add_library(baton_${name} INTERFACE)
    set(reach INTERFACE)
  endif()
  target_include_directories(baton_${name} ${reach} "${root}")
  target_link_libraries(baton_${name} ${reach} baton_flags ${ARG_USES} ${ARG_LIBRARIES})
  set(pch std)
  if("${ARG_LIBRARIES}" MATCHES "Boost::")
    set(pch boost)
  endif()
  foreach(used IN LISTS ARG_USES)
    get_target_property(used_pch ${used} BATON_PCH)
    if(used_pch STREQUAL "boost")
      set(pch boost)
    endif()
  endforeach()
  set_target_properties(baton_${name} PROPERTIES BATON_PCH ${pch})
  if(sources)
    target_precompile_headers(baton_${name} REUSE_FROM baton_pch_${pch})
  endif()
endfunction()
