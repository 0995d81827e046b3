#include "support/disk_model.hpp"

#include "baton/sim/seeded_chance.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::test {

namespace {

/// A write, or a truncation to `offset`.
struct Change {
    std::size_t offset{0};
    std::string bytes;
    bool truncates{false};
};

void make_change(std::string& content, const Change& change) {
    if (change.truncates) {
        content.resize(change.offset, '\0');
        return;
    }
    const auto end = change.offset + change.bytes.size();
    if (content.size() < end) {
        content.resize(end, '\0');
    }
    content.replace(change.offset, change.bytes.size(), change.bytes);
}

/// A write as the disk performs it: sector by sector.
std::vector<Change> sectors_of(const std::vector<Change>& changes) {
    std::vector<Change> sectors;
    for (const auto& change : changes) {
        if (change.truncates) {
            sectors.push_back(change);
            continue;
        }
        for (std::size_t done = 0; done < change.bytes.size();) {
            const auto at = change.offset + done;
            const auto room = DiskModel::kSectorBytes - (at % DiskModel::kSectorBytes);
            const auto size = std::min(room, change.bytes.size() - done);
            sectors.push_back({.offset = at, .bytes = change.bytes.substr(done, size)});
            done += size;
        }
    }
    return sectors;
}

/// What a disk happened to do with what was not synced. Extremes come often: real disks do them
/// most.
struct Mood {
    double written{0}; // the share of sectors
    bool in_order{false};
    bool noise{false}; // the head was over a sector when the power went
};

Mood drawn_mood(sim::SeededChance& chance) {
    Mood mood{.written = 1, .in_order = chance.draw().below(3) == 0};
    switch (chance.draw().below(6)) {
    case 0:
        mood.written = 0;
        break;
    case 1:
    case 2:
        break;
    case 3:
        mood.noise = true;
        break;
    default:
        mood.written = chance.draw().unit();
    }
    return mood;
}

std::string
torn(std::string content, const std::vector<Change>& changes, sim::SeededChance& chance) {
    auto sectors = sectors_of(changes);
    const auto mood = drawn_mood(chance);
    for (std::size_t i = sectors.size(); i > 1 && !mood.in_order; --i) {
        std::swap(sectors[i - 1], sectors[chance.draw().below(i)]);
    }
    for (auto& sector : sectors) {
        if (chance.draw().unit() >= mood.written) {
            continue;
        }
        if (mood.noise && chance.draw().below(16) == 0) {
            for (auto& byte : sector.bytes) {
                byte = static_cast<char>(chance.draw().below(256));
            }
        }
        make_change(content, sector);
    }
    return content;
}

} // namespace

struct DiskModel::Node {
    std::string durable;
    std::vector<Change> unsynced;
};

DiskModel::File DiskModel::open(const std::string& name) {
    auto& file = now_[name];
    if (!file) {
        file = std::make_shared<Node>();
        auto& history = entries_[name];
        if (history.empty()) {
            history.push_back(nullptr);
        }
        history.push_back(file);
    }
    return file;
}

void DiskModel::keep(const std::string& name, std::string bytes) {
    now_[name] = std::make_shared<Node>(Node{.durable = std::move(bytes), .unsynced = {}});
    entries_[name] = {now_[name]};
}

bool DiskModel::knows(const std::string& name) const {
    return now_.contains(name);
}

void DiskModel::remove(const std::string& name) {
    if (now_.erase(name) > 0) {
        entries_[name].push_back(nullptr);
    }
}

void DiskModel::write(const File& file, std::size_t offset, std::string_view bytes) {
    file->unsynced.push_back({.offset = offset, .bytes = std::string(bytes)});
}

void DiskModel::truncate(const File& file, std::size_t size) {
    file->unsynced.push_back({.offset = size, .bytes = {}, .truncates = true});
}

void DiskModel::sync(const File& file) {
    for (const auto& change : file->unsynced) {
        make_change(file->durable, change);
    }
    file->unsynced.clear();
}

void DiskModel::fail_sync(const File& file, std::uint64_t seed) {
    sim::SeededChance chance(seed);
    file->durable = torn(std::move(file->durable), file->unsynced, chance);
    file->unsynced.clear();
}

void DiskModel::sync_name(const std::string& name) {
    auto& history = entries_[name];
    if (!history.empty() && history.back()) {
        history = {history.back()};
    }
}

void DiskModel::sync_folder() {
    for (auto& [name, history] : entries_) {
        history = {history.back()};
    }
}

DiskModel::Image DiskModel::after_power_cut(std::uint64_t seed) const {
    sim::SeededChance chance(seed);
    Image image;
    for (const auto& [name, history] : entries_) {
        const auto& file = history[chance.draw().below(history.size())];
        if (file) {
            image[name] = torn(file->durable, file->unsynced, chance);
        }
    }
    return image;
}

} // namespace baton::test
