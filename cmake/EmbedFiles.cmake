# baton_embed_migrations(<target> <folder> <header> <function>)
#
# Writes the numbered .sql files of a folder into a source file of the target, so that the binary needs no file beside it.
# <function> is declared in <header> and returns them in the order of their numbers. A changed file configures anew.
function(baton_embed_migrations target folder header function)
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
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${target}_migrations.cpp")
  file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT "// Made from the files in migrations/ when the build is configured.
#include \"@header@\"

#include <span>

namespace baton::store::sqlite {

namespace {

constexpr Migration kMigrations[] = {
@entries@};

} // namespace

std::span<const Migration> @function@() {
    return kMigrations;
}

} // namespace baton::store::sqlite
")
  target_sources(${target} PRIVATE "${output}")
endfunction()
