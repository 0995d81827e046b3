#pragma once

#include "baton/base/result.hpp"

#include <string>

namespace baton::store::sqlite {

/// A file under a name that says it is not finished, `NAME.partial`, until it is given its own: so
/// a file of that name is whole, whatever died meanwhile. What a killed process left is taken over;
/// one that is still at work is not disturbed.
class PartialFile {
public:
    /// `conflict` while another process writes it; `unavailable` when it cannot be made.
    static Result<PartialFile> make(const std::string& name);

    PartialFile(PartialFile&& other) noexcept;
    PartialFile& operator=(PartialFile&&) = delete;
    ~PartialFile(); // removes it unless it got its name

    const std::string& path() const { return path_; }

    /// On disk, as it is now.
    Result<void> sync() const;

    /// Renames it, durably; what stood there is replaced.
    Result<void> give_its_name() &&;

private:
    PartialFile(std::string name, int descriptor);

    std::string name_;
    std::string path_;
    int descriptor_{-1}; // holds the lock; -1 once moved from
};

} // namespace baton::store::sqlite
