"""The lint itself: for each rule a sample it must find and a neighbour it must leave alone."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "lint"))

import awaits
import calls
import clang
import headers
import layers
import migrations
import queries
import rules
import shape
from source import Tree, code_of

TABLE = """
baton_module(base    LIBRARIES fmt::fmt)
baton_module(domain  USES base)
baton_module(wire    USES domain LIBRARIES Boost::json)
baton_module(ports   USES domain LIBRARIES Boost::headers)
baton_module(relay   USES ports wire)
baton_module(net     USES base)
baton_module(store   USES ports LIBRARIES SQLite::SQLite3)
baton_module(obs     USES ports)
baton_module(app     USES relay net store obs)
"""


def tree(files, table=TABLE):
    return Tree({"src/baton/CMakeLists.txt": table, **files})


def messages(rule, files, table=TABLE):
    return [f"{finding.path}:{finding.line} {finding.message}" for finding in rule.check(tree(files, table))]


class Code(unittest.TestCase):
    def test_comments_and_literals_are_blanked_in_place(self):
        text = 'int a; // co_await\nauto s = "getenv"; /* x\n y */ auto r = R"q(sleep")q"; char c = \'"\'; int n = 1\'000;'
        code = code_of(text)
        self.assertEqual(len(code), len(text))
        self.assertEqual(code.count("\n"), text.count("\n"))
        for word in ("co_await", "getenv", "sleep"):
            self.assertNotIn(word, code)
        self.assertIn("int n = 1'000;", code)


class Layers(unittest.TestCase):
    def test_reads_the_table(self):
        graph = layers.graph_of(TABLE)
        self.assertEqual(graph["relay"], {"ports", "wire"})
        self.assertEqual(graph["base"], set())
        self.assertEqual(layers.reach(graph, "relay"), {"relay", "ports", "wire", "domain", "base"})

    def test_an_edge_that_the_table_lacks_is_found(self):
        self.assertEqual([], messages(layers, {"src/baton/relay/a.cpp": '#include "baton/ports/store.hpp"\n'}))
        found = messages(layers, {"src/baton/relay/a.cpp": '\n#include "baton/store/sqlite/store.hpp"\n'})
        self.assertEqual(1, len(found))
        self.assertIn("src/baton/relay/a.cpp:2 relay may not include store", found[0])

    def test_attribution_is_seen_by_nothing_that_decides(self):
        advice = {
            "src/baton/domain/attribution.hpp": "#pragma once\n",
            "src/baton/ports/views.hpp": '#include "baton/domain/attribution.hpp"\n',
        }
        for path, include in [
            ("src/baton/domain/gate_jobs.cpp", "baton/domain/attribution.hpp"),
            ("src/baton/domain/checks.hpp", "baton/domain/attribution.hpp"),
            ("src/baton/relay/gate_watch.cpp", "baton/ports/views.hpp"),
        ]:
            found = messages(layers, {**advice, path: f'#include "{include}"\n'})
            self.assertEqual(1, len(found), path)
            self.assertIn("decides nothing", found[0])
        self.assertEqual([], messages(layers, advice))

    def test_libraries_stay_where_they_belong(self):
        bad = {
            "src/baton/domain/a.hpp": "#include <boost/asio/awaitable.hpp>\n",
            "src/baton/ports/b.hpp": "#include <boost/asio/steady_timer.hpp>\n",
            "src/baton/relay/c.cpp": "#include <sqlite3.h>\n",
            "src/baton/relay/d.cpp": "#include <boost/beast/http/parser.hpp>\n",
            "src/baton/wire/e.cpp": "#include <openssl/evp.h>\n",
            "src/baton/store/f.cpp": "#include <spdlog/spdlog.h>\n",
            "src/baton/domain/g.cpp": "#include <unistd.h>\n",
            "src/baton/net/h.cpp": "#include <curl/curl.h>\n",
            "src/baton/net/i.cpp": '#include "parsers.hpp"\n',
        }
        for path, text in bad.items():
            with self.subTest(path):
                self.assertEqual(1, len(messages(layers, {path: text})))
        good = {
            "src/baton/domain/a.hpp": "#include <vector>\n#include <fmt/format.h>\n",
            "src/baton/ports/b.hpp": "#include <boost/asio/awaitable.hpp>\n",
            "src/baton/net/c.cpp": "#include <boost/beast/http/parser.hpp>\n#include <sys/socket.h>\n",
            "src/baton/wire/d.cpp": "#include <boost/json/parse.hpp>\n",
        }
        self.assertEqual([], messages(layers, good))

    def test_one_word_in_the_table_cannot_undo_the_rules(self):
        found = messages(layers, {}, TABLE.replace("relay   USES ports wire", "relay   USES ports wire store"))
        self.assertTrue(any("relay reaches store" in message for message in found))
        found = messages(layers, {}, TABLE.replace("domain  USES base", "domain  USES base net"))
        self.assertTrue(any("domain reaches net" in message for message in found))

    def test_a_header_does_not_show_a_hidden_library_to_other_folders(self):
        files = {
            "src/baton/net/inner.hpp": "#include <boost/beast/core.hpp>\n",
            "src/baton/net/outer.hpp": '#include "baton/net/inner.hpp"\n',
            "src/baton/net/server.cpp": '#include "baton/net/outer.hpp"\n',
        }
        self.assertEqual([], messages(layers, files))
        found = messages(layers, {**files, "src/baton/app/run.cpp": '#include "baton/net/outer.hpp"\n'})
        self.assertEqual(1, len(found))
        self.assertIn('"baton/net/outer.hpp" shows boost/beast/ to app', found[0])


class Calls(unittest.TestCase):
    BAD = [
        "auto t = std::chrono::system_clock::now();",
        "auto t = steady_clock::now();",
        "std::random_device device;",
        "std::this_thread::sleep_for(1s);",
        'const char* x = std::getenv("X");',
        "asio::co_spawn(ex, work(), asio::detached);",
        "std::time(nullptr);",
        'std::cerr << "x";',
    ]

    def test_finds_what_only_app_may_do(self):
        for line in self.BAD:
            with self.subTest(line):
                self.assertEqual(1, len(messages(calls, {"src/baton/relay/a.cpp": line})))

    def test_leaves_app_timers_and_look_alikes_alone(self):
        good = {
            "src/baton/app/clock.cpp": "return std::chrono::system_clock::now();",
            "src/baton/async/a.cpp": "auto t = std::chrono::steady_clock::now();",
            "src/baton/relay/b.cpp": "co_await clock_.sleep_until(when); // std::getenv\nrow.time(0); const bool detached_one = true;",
        }
        self.assertEqual([], messages(calls, good))

    def test_tests_do_not_sleep_either(self):
        self.assertEqual(1, len(messages(calls, {"tests/unit/relay/a_test.cpp": "std::this_thread::sleep_for(1s);"})))


class Awaits(unittest.TestCase):
    BAD = [
        "auto r = co_await send(Request{.method = get});",
        "auto r = co_await send(net::Request{a, b});",
        "auto r = co_await send(x, {a, b});",
        "auto r = co_await pool.run([this, id] { return id; });",
        "auto r = co_await send(quick ? a : b);",
        "if (co_await store_.insert(row)) {",
        "while (!(co_await bell->rung())) {",
        "auto r = sum(co_await first(), co_await second());",
        "BATON_CO_TRY(const auto r, co_await send(Request{a}));",
    ]
    GOOD = [
        "auto r = co_await send(std::move(request));",
        "const auto [error, bytes] = co_await socket.async_read_some(buffer, asio::as_tuple(asio::use_awaitable));",
        "static_cast<void>(co_await timer.async_wait(asio::use_awaitable));",
        "BATON_CO_TRY(const auto r, co_await send(request));",
        "if (ready) { co_await step(); }",
        "co_await race.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);",
        "co_await pool.run([] { return 1; });",
    ]

    def test_finds_what_is_made_inside_an_await(self):
        for line in self.BAD:
            with self.subTest(line):
                self.assertGreaterEqual(len(messages(awaits, {"src/baton/relay/a.cpp": line})), 1)

    def test_leaves_named_operands_alone(self):
        for line in self.GOOD:
            with self.subTest(line):
                self.assertEqual([], messages(awaits, {"src/baton/relay/a.cpp": line}))


class Headers(unittest.TestCase):
    def test_a_source_includes_its_own_header_first(self):
        header = {"src/baton/base/text.hpp": "#pragma once\n"}
        good = '#include "baton/base/text.hpp"\n\n#include <string>\n'
        self.assertEqual([], messages(headers, {**header, "src/baton/base/text.cpp": good}))
        bad = '#include <string>\n#include "baton/base/text.hpp"\n'
        self.assertEqual(1, len(messages(headers, {**header, "src/baton/base/text.cpp": bad})))

    def test_headers_without_a_source_are_compiled_by_themselves(self):
        files = {"src/baton/base/a.hpp": "", "src/baton/base/b.hpp": "", "src/baton/base/b.cpp": ""}
        self.assertEqual(["src/baton/base/a.hpp"], headers.unproven(tree(files)))


class Queries(unittest.TestCase):
    def test_finds_columns_without_names_also_across_literals(self):
        for sql in ('"SELECT * FROM job"', '"SELECT "\n    "* FROM job"', '"SELECT j.* FROM job AS j"', '"SELECT a, b.*, c FROM b"',
                    '"INSERT INTO job VALUES (1)"', '"INSERT INTO "\n    "job SELECT 1"', '"INSERT OR IGNORE INTO job VALUES (1)"'):
            with self.subTest(sql=sql):
                found = messages(queries, {"src/baton/store/sql/a.cpp": f"// a\nconstexpr Query k{{\n    {sql}\n}};\n"})
                self.assertEqual(1, len(found), found)
                self.assertIn("src/baton/store/sql/a.cpp:3 ", found[0])

    def test_leaves_counts_products_names_and_other_folders_alone(self):
        for sql in ('"SELECT count(*) FROM job"', '"SELECT 2 * n FROM job"', '"INSERT INTO job (id) VALUES (1)"',
                    '"INSERT INTO job (id) SELECT 1"', "(*job.tests).*number", "day.*count"):
            self.assertEqual([], messages(queries, {"src/baton/store/sql/a.cpp": f"x = {sql};\n"}), sql)
        self.assertEqual([], messages(queries, {"tests/unit/store/a_test.cpp": '"SELECT * FROM job"\n'}))


class Migrations(unittest.TestCase):
    def found(self, sql, name="0018_next"):
        return messages(migrations, {f"migrations/postgres/{name}.sql": f"-- {name}.sql\n-- Why.\n{sql}\n"})

    def test_a_step_says_who_may_go_on_beside_it(self):
        for said in ("", "-- beside: 18", "-- beside: 0019"):
            self.assertIn("`-- beside: NNNN`", self.found(said)[0])
        self.assertEqual([], self.found("-- beside: 0018\nDROP TABLE job;"))
        self.assertEqual([], self.found("DROP TABLE job;", "0016_before"))

    def test_a_step_beside_older_programs_takes_nothing_away(self):
        for sql in ("DROP TABLE job;", "ALTER TABLE job DROP COLUMN name;", "ALTER TABLE job RENAME COLUMN a TO b;",
                    "ALTER TABLE job RENAME TO task;", "ALTER TABLE job ALTER COLUMN n SET NOT NULL;",
                    "ALTER TABLE job ALTER COLUMN n TYPE text;", "ALTER TABLE job ADD COLUMN n bigint NOT NULL;",
                    "ALTER TABLE job ADD COLUMN n bigint NOT NULL CHECK (n > 0);"):
            with self.subTest(sql=sql):
                found = self.found(f"-- beside: 0017\n\n{sql}")
                self.assertEqual(1, len(found), found)
                self.assertIn("0018_next.sql:5 ", found[0])

    def test_a_step_beside_older_programs_may_add(self):
        for sql in ("CREATE TABLE task (n bigint NOT NULL);", "ALTER TABLE job ADD COLUMN n bigint NOT NULL DEFAULT 0;",
                    "ALTER TABLE job ADD COLUMN n bigint;", "CREATE INDEX a ON job (n);", "-- DROP TABLE job",
                    "ALTER TABLE job ADD COLUMN n bigint DEFAULT 0 NOT NULL;", "DROP TRIGGER a;\nCREATE TRIGGER a AFTER DELETE ON job;"):
            self.assertEqual([], self.found(f"-- beside: 0017\n{sql}"), sql)


class Shape(unittest.TestCase):
    def test_long_functions_are_found_and_short_ones_are_not(self):
        def body(lines):
            return "int work(int x) const {\n" + "    step();\n" * lines + "}\n"

        user = {"src/baton/base/b.cpp": '#include "baton/base/a.hpp"\n'}
        self.assertEqual([], messages(shape, {**user, "src/baton/base/a.hpp": body(60)}))
        found = messages(shape, {**user, "src/baton/base/a.hpp": body(80)})
        self.assertEqual(1, len(found))
        self.assertIn("work has 82 lines", found[0])

    def test_a_namespace_or_a_lambda_in_an_initialiser_is_no_function(self):
        text = "namespace x {\nstruct S {\n    Group group{ex(), [this](int w) {\n    }};\n" + "    int a;\n" * 90 + "};\n}\n"
        self.assertEqual([], list(shape.sizes("src/a.cpp", text)))

    def test_long_files_are_found(self):
        self.assertEqual(1, len(messages(shape, {"src/baton/base/a.cpp": "\n" * 401})))

    def test_work_for_later_names_an_owner_and_a_condition(self):
        later = "TO" + "DO"
        self.assertEqual(1, len(messages(shape, {"src/a.cpp": f"// {later}: tidy up\n"})))
        self.assertEqual(1, len(messages(shape, {"src/a.cpp": f"// {later}(someone): tidy up\n"})))
        self.assertEqual([], messages(shape, {"src/a.cpp": f"// {later}(store, with PostgreSQL): share the statement\n"}))

    def test_paths_of_one_machine_and_package_hosts_do_not_belong(self):
        self.assertEqual(1, len(messages(shape, {"docs/a.md": "see /ho" + "me/ann/notes\n"})))
        self.assertEqual(1, len(messages(shape, {"docs/a.md": "from https://registry.npm" + "js.org/x\n"})))
        self.assertEqual([], messages(shape, {"docs/a.md": "see docs/wo" + "rk/flow.md and https://github.com/a/b\n"}))

    def test_a_header_that_only_its_own_files_know_is_dead(self):
        files = {
            "src/baton/base/a.hpp": "",
            "src/baton/base/a.cpp": '#include "baton/base/a.hpp"\n',
            "tests/unit/base/a_test.cpp": '#include "baton/base/a.hpp"\n',
        }
        self.assertEqual(1, len(messages(shape, files)))
        self.assertEqual([], messages(shape, {**files, "src/baton/wire/b.cpp": '#include "baton/base/a.hpp"\n'}))


class Exceptions(unittest.TestCase):
    FILES = {"src/baton/base/a.cpp": "\n" * 401}

    def findings(self, exceptions):
        return list(rules.findings_of(tree({**self.FILES, rules.EXCEPTIONS: exceptions})))

    def test_a_listed_exception_needs_a_reason(self):
        self.assertEqual(1, len(self.findings("size src/baton/base/a.cpp\n")))
        self.assertEqual(0, len(self.findings("size src/baton/base/a.cpp one table, read from top to bottom\n")))

    def test_an_exception_that_nobody_needs_is_a_finding(self):
        found = self.findings("size src/baton/base/a.cpp a table\nsize src/baton/base/gone.cpp it was long\n")
        self.assertEqual(["exceptions"], [finding.check for finding in found])


class Clang(unittest.TestCase):
    def test_a_changed_header_is_read_through_a_source_that_includes_it(self):
        files = tree({
            "src/baton/base/a.hpp": "",
            "src/baton/base/a.cpp": "",
            "src/baton/ports/b.hpp": "",
            "src/baton/relay/c.cpp": '#include "baton/ports/b.hpp"\n',
        })
        self.assertEqual("src/baton/base/a.cpp", clang.reader_of(files, "src/baton/base/a.hpp"))
        self.assertEqual("src/baton/relay/c.cpp", clang.reader_of(files, "src/baton/ports/b.hpp"))

    def test_commands_lose_their_precompiled_header_and_nothing_else(self):
        command = "clang++-19 -Werror -Winvalid-pch -Xclang -include-pch -Xclang /b/cmake_pch.hxx.pch -o a.o -c a.cpp"
        self.assertEqual("clang++-19 -Werror -o a.o -c a.cpp", clang.without_precompiled(command))

    def test_understands_a_diagnostic(self):
        match = clang.DIAGNOSTIC.match("src/a.cpp:3:7: error: no name [readability-identifier-naming,-warnings-as-errors]")
        self.assertEqual(("src/a.cpp", "3", "no name"), (match["path"], match["line"], match["text"]))


class Reading(unittest.TestCase):
    def test_a_folder_without_git_is_walked(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "build").mkdir()
            Path(folder, "build", "x.cpp").write_text("")
            Path(folder, "a.cpp").write_text("int a;\n")
            Path(folder, "b.bin").write_bytes(b"\0\1")
            self.assertEqual({"a.cpp": "int a;\n"}, Tree.read(folder).files)


if __name__ == "__main__":
    unittest.main()
