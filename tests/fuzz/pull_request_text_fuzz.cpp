// What people write under pull requests, and what strangers' words become in ours.

#include "baton/base/text.hpp"
#include "baton/domain/command.hpp"
#include "baton/domain/markdown.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

constexpr std::size_t kMost = 200;

void check_command(std::string_view text) {
    const auto command = domain::command_in(text);
    if (!command) {
        return;
    }
    promise(text.find('@') != std::string_view::npos, "somebody was addressed");
    promise(fuzz::is_inert(command->target), "a target is one plain word");
    promise(command->target.find(' ') == std::string::npos, "a target is one word");
}

void check_markdown(std::string_view text) {
    const auto code = domain::inert_markdown(text, kMost);
    promise(!broken_utf8_at(code), "what we post is UTF-8");
    promise(code.find('\n') == std::string::npos, "it stays on its line");
    promise(code.find('|') == std::string::npos, "it stays in its cell");
    promise(code.empty() || (code.front() == '`' && code.back() == '`'), "it stands in code");
    if (code.size() > 2) {
        const auto inside = std::string_view(code).substr(1, code.size() - 2);
        promise(inside.find('`') == std::string_view::npos, "and nothing ends the code early");
    }
    if (const auto link = domain::link_to("the run", text)) {
        promise(lower(*link).starts_with("[the run](http"), "a link leads to the web");
        promise(link->find_first_of(" \n<>|`") == link->find(' '), "and nothing ends it early");
        promise(link->find(')') == link->size() - 1, "but its own end");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::text_of(data, size);
    check_command(text);
    check_markdown(text);
    return 0;
}
