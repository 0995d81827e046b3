#include "baton/wire/yaml.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/text.hpp"
#include "baton/wire/byte_order_mark.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire::yaml {

namespace {

/// Leaves yaml-cpp's parser from within an event; what is wrong has been noted already.
struct Stop {};

/// Turns byte offsets into lines and columns. Columns count characters, as editors do.
class Ruler {
public:
    explicit Ruler(std::string_view text)
        : text_(text) {
        const auto continues = [](char c) {
            return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
        };
        if (std::ranges::any_of(text, continues)) {
            continuations_.reserve(text.size() + 1);
            std::uint32_t count = 0;
            for (const char c : text) {
                continuations_.push_back(count);
                count += continues(c) ? 1 : 0;
            }
            continuations_.push_back(count);
        }
    }

    Place at(const YAML::Mark& mark) const {
        if (mark.pos < 0 || mark.line < 0 || mark.column < 0) {
            return {};
        }
        const auto end = std::min(static_cast<std::size_t>(mark.pos), text_.size());
        const auto bytes = std::min(static_cast<std::size_t>(mark.column), end);
        const auto hidden =
            continuations_.empty() ? 0 : continuations_[end] - continuations_[end - bytes];
        return {.line = mark.line + 1, .column = static_cast<int>(bytes - hidden) + 1};
    }

    Place at_offset(std::size_t offset) const {
        const auto before = text_.substr(0, offset);
        const auto line = std::ranges::count(before, '\n');
        const auto start = before.rfind('\n');
        const auto bytes = start == std::string_view::npos ? offset : offset - start - 1;
        YAML::Mark mark;
        mark.pos = static_cast<int>(offset);
        mark.line = static_cast<int>(line);
        mark.column = static_cast<int>(bytes);
        return at(mark);
    }

    /// Where a value is missing: yaml-cpp marks what follows, often on a later line; people look at
    /// the dash or colon before it.
    Place at_missing(YAML::Mark mark) const {
        const auto written = word_at(mark);
        if (written.starts_with('~') || written.starts_with('n') || written.starts_with('N')) {
            return at(mark);
        }
        auto end = std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), text_.size());
        auto column = static_cast<std::size_t>(std::max(mark.column, 0));
        const int line = mark.line;
        while (end > 0 && std::string_view(" \t\r\n").find(text_[end - 1]) != std::string_view::npos
        ) {
            --end;
            mark.line -= text_[end] == '\n' ? 1 : 0;
            column -= std::min<std::size_t>(column, 1);
        }
        if (end == 0) {
            return {.line = 1, .column = 1};
        }
        if (mark.line != line) {
            const auto start = text_.rfind('\n', end - 1);
            column = start == std::string_view::npos ? end : end - start - 1;
        }
        mark.pos = static_cast<int>(end) - 1;
        mark.column = static_cast<int>(column) - 1;
        return at(mark);
    }

    /// The word that starts at a mark, as somebody would quote it.
    std::string_view word_at(const YAML::Mark& mark) const {
        if (mark.pos < 0 || static_cast<std::size_t>(mark.pos) >= text_.size()) {
            return {};
        }
        const auto rest = text_.substr(static_cast<std::size_t>(mark.pos));
        return rest.substr(0, rest.find_first_of(" \t\r\n,]}#"));
    }

    bool indented_with_tab(const YAML::Mark& mark) const {
        if (mark.pos < mark.column || mark.column < 0) {
            return false;
        }
        const auto start = std::min(static_cast<std::size_t>(mark.pos - mark.column), text_.size());
        const auto line = text_.substr(start);
        return line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string_view::npos;
    }

private:
    std::string_view text_;
    std::vector<std::uint32_t> continuations_; // bytes before each offset that start no character
};

/// Builds the tree from yaml-cpp's events. YAML::Node would hide what we have to see: keys that
/// stand twice, aliases and merge keys.
class Builder : public YAML::EventHandler {
public:
    Builder(const Ruler& ruler, Findings& findings)
        : ruler_(ruler)
        , findings_(findings) {}

    Node take_root() { return std::move(root_); }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ > 1) {
            findings_.error(
                ruler_.at(mark), "one document only: what starts here does not belong to the first"
            );
            throw Stop{};
        }
    }

    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
        auto node = made(Kind::null, mark);
        node.at = ruler_.at_missing(mark);
        close(std::move(node));
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
        findings_.error(ruler_.at(mark), "aliases (*name) are not used here: write the value out");
        close(made(Kind::null, mark));
    }

    void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
        findings_.error(
            ruler_.at(mark), fmt::format("anchors (&{}) are not used here: drop it", inert(name))
        );
    }

    void OnScalar(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t /*anchor*/,
        const std::string& value
    ) override {
        check_tag(mark, tag);
        auto node = made(Kind::scalar, mark);
        node.text = value;
        node.quoted = tag != "?";
        close(std::move(node));
    }

    void OnSequenceStart(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t /*anchor*/,
        YAML::EmitterStyle::value /*style*/
    ) override {
        open(Kind::sequence, mark, tag);
    }

    void OnSequenceEnd() override { close_top(); }

    void OnMapStart(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t /*anchor*/,
        YAML::EmitterStyle::value /*style*/
    ) override {
        open(Kind::mapping, mark, tag);
    }

    void OnMapEnd() override { close_top(); }

private:
    struct Open {
        Node node;
        std::optional<Node> key;             // read, its value not yet
        std::map<std::string, Place> places; // of the keys so far
    };

    Node made(Kind kind, const YAML::Mark& mark) {
        if (++nodes_ > limits::kYamlNodesMax) {
            findings_.error(
                ruler_.at(mark), fmt::format("more than {} values", limits::kYamlNodesMax)
            );
            throw Stop{};
        }
        return Node{.kind = kind, .at = ruler_.at(mark)};
    }

    void check_tag(const YAML::Mark& mark, const std::string& tag) {
        if (tag != "?" && tag != "!" && !tag.empty()) {
            findings_.error(
                ruler_.at(mark), fmt::format("tags ({}) are not used here: drop it", inert(tag))
            );
        }
    }

    void open(Kind kind, const YAML::Mark& mark, const std::string& tag) {
        check_tag(mark, tag);
        auto node = made(kind, mark);
        if (stack_.size() >= limits::kYamlDepthMax) {
            findings_.error(
                node.at, fmt::format("nested deeper than {} levels", limits::kYamlDepthMax)
            );
            throw Stop{};
        }
        stack_.push_back({.node = std::move(node), .key = {}, .places = {}});
    }

    void close_top() {
        auto done = std::move(stack_.back().node);
        stack_.pop_back();
        close(std::move(done));
    }

    /// A value is complete: it becomes the root, an item, a key or the value of the key before it.
    void close(Node node) {
        if (stack_.empty()) {
            root_ = std::move(node);
            return;
        }
        auto& top = stack_.back();
        if (top.node.kind == Kind::sequence) {
            top.node.children.push_back(std::move(node));
        } else if (!top.key) {
            top.key = std::move(node);
        } else {
            auto key = std::move(*top.key);
            top.key.reset();
            if (accept_key(top, key)) {
                node.key = std::move(key.text);
                node.key_at = key.at;
                top.node.children.push_back(std::move(node));
            }
        }
    }

    bool accept_key(Open& top, const Node& key) {
        if (key.kind != Kind::scalar) {
            findings_.error(key.at, "a key has to be text");
            return false;
        }
        if (key.text == "<<" && !key.quoted) {
            findings_.error(key.at, "merge keys (<<) are not used here: write the values out");
            return false;
        }
        const auto [first, fresh] = top.places.try_emplace(key.text, key.at);
        if (!fresh) {
            findings_.error(
                key.at,
                fmt::format(
                    "\"{}\" stands twice in this mapping, first in line {}: join the two",
                    inert(key.text),
                    first->second.line
                )
            );
        }
        return fresh;
    }

    const Ruler& ruler_;
    Findings& findings_;
    Node root_;
    std::vector<Open> stack_;
    std::size_t nodes_{0};
    int documents_{0};
};

/// yaml-cpp's words, and what to do about the commonest mistakes.
std::string explain(const YAML::Exception& error, const Ruler& ruler) {
    const std::string_view words = error.msg;
    if (words == YAML::ErrorMsg::TAB_IN_INDENTATION || ruler.indented_with_tab(error.mark)) {
        return "indented with a tab: use blanks";
    }
    if (words == YAML::ErrorMsg::UNKNOWN_TOKEN) {
        const auto word = ruler.word_at(error.mark);
        if (!word.empty()) {
            return fmt::format(
                "a value cannot start with {}; quote it: '{}'",
                inert(word.substr(0, 1)),
                inert(word)
            );
        }
    }
    if (words == YAML::ErrorMsg::MAP_VALUE) {
        return "a second \": \" in one line: quote the text that holds it, or start a new line";
    }
    if (words == YAML::ErrorMsg::END_OF_MAP || words == YAML::ErrorMsg::END_OF_SEQ) {
        return "this line fits neither the mapping nor the list above it: look at the indentation";
    }
    if (words == YAML::ErrorMsg::END_OF_MAP_FLOW || words == YAML::ErrorMsg::END_OF_SEQ_FLOW) {
        return "a bracket was opened and not closed, or a comma is missing";
    }
    return fmt::format("not YAML: {}", inert(words));
}

/// YAML allows neither; and yaml-cpp takes byte 4 for the end of the file.
bool has_clean_bytes(std::string_view text, const Ruler& ruler, Findings& findings) {
    if (const auto broken = broken_utf8_at(text)) {
        findings.error(ruler.at_offset(*broken), "not UTF-8 from here on");
        return false;
    }
    const auto control = std::ranges::find_if(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
    });
    if (control != text.end()) {
        const auto offset = static_cast<std::size_t>(control - text.begin());
        findings.error(
            ruler.at_offset(offset),
            fmt::format("control character {}", inert(text.substr(offset, 1)))
        );
        return false;
    }
    return true;
}

std::optional<Node> parse(std::string_view text, const Ruler& ruler, Findings& findings) {
    Builder builder(ruler, findings);
    try {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
        return builder.take_root();
    } catch (const Stop&) {
        return std::nullopt;
    } catch (const YAML::Exception& error) {
        findings.error(ruler.at(error.mark), explain(error, ruler));
    } catch (const std::exception& error) {
        findings.error({}, fmt::format("cannot be read: {}", inert(error.what())));
    }
    return std::nullopt;
}

} // namespace

const Node* Node::find(std::string_view wanted) const {
    const auto found = std::ranges::find(children, wanted, &Node::key);
    return kind != Kind::mapping || found == children.end() ? nullptr : &*found;
}

std::string_view name_of(Kind kind) {
    switch (kind) {
    case Kind::null:
        return "nothing";
    case Kind::scalar:
        return "text";
    case Kind::sequence:
        return "a list";
    case Kind::mapping:
        return "a mapping";
    }
    return "unknown";
}

std::optional<Node> read(std::string_view text, Findings& findings) {
    text.remove_prefix(byte_order_mark(text).size());
    const Ruler ruler(text);
    if (!has_clean_bytes(text, ruler, findings)) {
        return std::nullopt;
    }
    return parse(text, ruler, findings);
}

} // namespace baton::wire::yaml
