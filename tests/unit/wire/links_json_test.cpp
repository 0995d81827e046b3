#include "baton/base/time.hpp"
#include "baton/quality/link_notes.hpp"
#include "baton/wire/links_json.hpp"
#include "baton/wire/visible_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace baton::wire {

namespace {

using testing::HasSubstr;

constexpr const char* kNotes = R"({
  "schema": "cpq-links/1",
  "links": [
    {"url": "https://a/", "checked": "2026-10-12T00:00:00.000Z", "open": true, "login": false, "closed_since": null, "detail": "", "text": "ab"},
    {"url": "https://b/\"", "checked": "2026-10-13T00:00:00.000Z", "open": false, "login": true, "closed_since": "2026-10-12T00:00:00.000Z", "detail": "it leads to a login", "text": ""}]
}
)";

TEST(LinksJson, IsReadAndWrittenTheSame) {
    const auto notes = read_links(kNotes);
    ASSERT_TRUE(notes) << notes.error().detail;
    ASSERT_EQ(notes->size(), 2U);
    const auto& closed = notes->at("https://b/\"");
    EXPECT_TRUE(closed.login);
    EXPECT_EQ(to_rfc3339(*closed.closed_since), "2026-10-12T00:00:00.000Z");
    EXPECT_EQ(links_json(*notes), kNotes);
    EXPECT_EQ(read_links(links_json({}))->size(), 0U);
}

TEST(LinksJson, SaysWhatNotesLack) {
    for (const auto& [json, what] : {
             std::pair{"[]", ""},
             std::pair{R"({"schema": "cpq-links/2"})", "/schema: expected cpq-links/1"},
             std::pair{R"({"schema": "cpq-links/1"})", "/links: expected a list"},
             std::pair{R"({"schema": "cpq-links/1", "links": [1]})", "/links: expected a list"},
             std::pair{R"({"schema": "cpq-links/1", "links": [{}]})", "/url: expected"},
             std::pair{
                 R"({"schema": "cpq-links/1", "links": [{"url": "u", "checked": "soon", "detail": "", "text": ""}]})",
                 "/checked: expected a time"
             },
         }) {
        const auto notes = read_links(json);
        ASSERT_FALSE(notes) << json;
        EXPECT_THAT(notes.error().detail, HasSubstr(what));
    }
}

TEST(VisibleText, IsWhatAReaderSees) {
    const std::pair<const char*, const char*> kPages[]{
        {"<!DOCTYPE html><title>A</title>\n<p class=x>b  <b>c</b></p>", "A b c"},
        {"<HTML><Script>if (a<b) f();</SCRIPT ><style>p {}</style>text", "text"},
        {"<html><!-- a > b --> c<template><p>d</p></template>", "c"},
        {"<html><script src=x", ""},
        {"<html><", ""},
        {"<html>a<!-- never closed", "a"},
        {"no <b>markup</b>  here", "no <b>markup</b>  here"},
        {"", ""},
    };
    for (const auto& [page, text] : kPages) {
        EXPECT_EQ(visible_text(page), text) << page;
    }
}

TEST(VisibleText, IsOneForTwoWaysToWriteAPage) {
    EXPECT_EQ(
        visible_text("<html><body><p>a b</p><script>token = 1</script>"),
        visible_text("<html lang=en>\n<body>\n<div>a\n b</div><script>token = 2</script>\n")
    );
}

} // namespace

} // namespace baton::wire
