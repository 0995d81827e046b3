#pragma once

#include "baton/base/result.hpp"

#include <string>

namespace baton::store::sqlite {

/// The right to serve from one store file: held as long as this lives, and gone with the process
/// however it ends.
class LockFile {
public:
    /// `conflict`, naming the other process, when somebody else holds it.
    static Result<LockFile> take(const std::string& path);

    LockFile(LockFile&& other) noexcept;
    LockFile& operator=(LockFile&& other) noexcept;
    ~LockFile();

private:
    explicit LockFile(int descriptor)
        : descriptor_(descriptor) {}

    int descriptor_{-1};
};

} // namespace baton::store::sqlite
