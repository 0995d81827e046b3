#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/gap.hpp"
#include "baton/quality/score.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What is known of the quality of platforms, read from files once and looked at often.
namespace baton::hud {

/// A file of YAML; `path` counts from its folder.
struct QualityText {
    std::string path;
    std::string text;
};

/// A file that cannot be used.
struct FaultyFile {
    std::string path;
    std::vector<quality::Finding> findings;
};

/// What the folders hold.
struct QualityTexts {
    bool configured{false};
    std::vector<QualityText> criteria;
    std::vector<QualityText> assessments;
    std::vector<FaultyFile> faulty_criteria; // that could not even be read
    std::vector<FaultyFile> faulty_assessments;
};

struct ShelvedCriteria {
    quality::CriteriaSet set;
    bool builtin{false};
    std::vector<quality::Finding> findings;
};

struct ShelvedAssessment {
    std::string path;
    const quality::CriteriaSet* set{nullptr}; // of the same shelf, or built in
    quality::Assessment assessment;
    quality::Score score;
    std::vector<quality::Gap> gaps;         // to each level above the lowest, lowest first
    std::vector<quality::Finding> findings; // in file order
};

/// By release, one at least.
using ShelvedPlatform = std::map<quality::Release, ShelvedAssessment>;

struct QualityShelf {
    QualityShelf() = default;
    QualityShelf(QualityShelf&&) = default;
    QualityShelf& operator=(QualityShelf&&) = default;
    QualityShelf(const QualityShelf&) = delete; // assessments point to criteria
    QualityShelf& operator=(const QualityShelf&) = delete;
    ~QualityShelf() = default;

    bool configured{false};
    std::map<std::pair<std::string, std::string>, ShelvedCriteria> criteria; // by set and version
    std::map<std::string, ShelvedPlatform, std::less<>> platforms;           // by id
    std::vector<FaultyFile> faulty_criteria;
    std::vector<FaultyFile> faulty_assessments;

    /// nullptr when there is none.
    const ShelvedAssessment* find(std::string_view platform, quality::Release release) const;
};

/// Everything is read, scored and linted; what has errors that keep it from being scored is faulty
/// and keeps nothing else from being shown. A second assessment of one platform and release is
/// faulty, as is a second set of criteria of one label.
QualityShelf shelf_of(QualityTexts texts);

} // namespace baton::hud
