# baton_embed_migrations(<target> <folder> <header> <namespace>)
#
# Writes the numbered .sql files of a folder into a source file of the target, so that the binary needs no file beside it.
# <namespace>::embedded_migrations is declared in <header> and returns them in the order of their numbers. A changed file configures
# anew.
function(baton_embed_migrations target folder header namespace)
  file(GLOB files CONFIGURE_DEPENDS "${folder}/*.sql")
  list(SORT files)
  set(entries "")
  foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME)
    string(REGEX MATCH "^([0-9][0-9][0-9][0-9])_([a-z0-9_]+)[.]sql$" matched "${name}")
    if(NOT matched)
      message(FATAL_ERROR "${file}: a migration is named like 0001_what_it_is_about.sql")
    endif()
    set(stem "${CMAKE_MATCH_2}")
    string(REGEX REPLACE "^0+" "" number "${CMAKE_MATCH_1}")
    file(READ "${file}" text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    string(APPEND entries "    {.number = ${number}, .name = \"${stem}\", .sql = R\"sql(${text})sql\"},\n")
  endforeach()
  string(REPLACE "::" "_" file_name "${namespace}_migrations.cpp")
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${file_name}")
  file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT "// Made from the files in migrations/ when the build is configured.
#include \"@header@\"

#include <span>

namespace @namespace@ {

namespace {

constexpr Migration kMigrations[] = {
@entries@};

} // namespace

std::span<const Migration> embedded_migrations() {
    return kMigrations;
}

} // namespace @namespace@
")
  target_sources(${target} PRIVATE "${output}")
endfunction()

# baton_embed_pages(<target> <header> <function> <file as served>...)
#
# Puts files into the target byte by byte: <served path>=<file>. One with a .gz beside it brings that along. <function> is declared
# in <header> and returns all of them. A changed file configures anew, so that its tag changes with it.
function(baton_embed_pages target header function)
  set(externs "")
  set(entries "")
  set(bytes "")
  set(number 0)
  foreach(pair IN LISTS ARGN)
    string(REGEX MATCH "^([^=]+)=(.+)$" matched "${pair}")
    set(served "${CMAKE_MATCH_1}")
    set(file "${CMAKE_MATCH_2}")
    file(SHA256 "${file}" digest)
    string(SUBSTRING "${digest}" 0 16 tag)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    set(packed "{}")
    set(kinds plain)
    if(EXISTS "${file}.gz")
      list(APPEND kinds packed)
      set(packed "span_of(asset_${number}_packed, asset_${number}_packed_end)")
    endif()
    foreach(kind IN LISTS kinds)
      set(source "${file}")
      if(kind STREQUAL "packed")
        set(source "${file}.gz")
      endif()
      string(APPEND bytes "asset_${number}_${kind}:\\n.incbin \\\"${source}\\\"\\nasset_${number}_${kind}_end:\\n.byte 0\\n")
      string(APPEND externs "extern const char asset_${number}_${kind}[];\nextern const char asset_${number}_${kind}_end[];\n")
      string(APPEND sources "${source};")
    endforeach()
    string(APPEND entries "    {.path = \"${served}\", .plain = span_of(asset_${number}_plain, asset_${number}_plain_end), .packed = ${packed}, .tag = \"${tag}\"},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${target}_pages.cpp")
  file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT "// Made from web/ when the build is configured.
#include \"@header@\"

#include <span>
#include <string_view>
#include <vector>

__asm__(\".section .rodata\\n@bytes@.previous\\n\");

extern \"C\" {
@externs@}

namespace baton::api {

namespace {

std::string_view span_of(const char* begin, const char* end) {
    return {begin, static_cast<std::size_t>(end - begin)};
}

} // namespace

std::span<const Asset> @function@() {
    static const std::vector<Asset> kAssets{
@entries@    };
    return kAssets;
}

} // namespace baton::api
")
  set_source_files_properties("${output}" PROPERTIES OBJECT_DEPENDS "${sources}")
  target_sources(${target} PRIVATE "${output}")
endfunction()

# baton_embed_yaml(<target> <folder> <header> <type> <function> [<namespace>])
#
# Writes the .yml files of a folder into a source file of the target: `std::span<const <type>> <function>()` of baton::<namespace>, which is
# wire when left out. A changed file configures anew.
function(baton_embed_yaml target folder header type function)
  set(namespace wire)
  if(ARGC GREATER 5)
    set(namespace "${ARGV5}")
  endif()
  file(GLOB files CONFIGURE_DEPENDS "${folder}/*.yml")
  list(SORT files)
  set(entries "")
  foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME)
    file(READ "${file}" text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    string(APPEND entries "    {.name = \"${name}\", .text = R\"yml(${text})yml\"},\n")
  endforeach()
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${target}_${function}.cpp")
  file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT "// Made from YAML files when the build is configured.
#include \"@header@\"

#include <span>

namespace baton::@namespace@ {

namespace {

constexpr @type@ kFiles[] = {
@entries@};

} // namespace

std::span<const @type@> @function@() {
    return kFiles;
}

} // namespace baton::@namespace@
")
  target_sources(${target} PRIVATE "${output}")
endfunction()
