#include "baton/sim/sim_world.hpp"

#include "baton/base/time.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_api.hpp"

#include <string>
#include <utility>

namespace baton::sim {

SimWorld::Heard SimWorld::hear(const ApiRequest& request, TimePoint now) {
    const auto hit = api.route_of(request);
    ++requests[std::string(hit.name)];
    Heard heard{.fault = faults.decide(hit.name, hit.repo), .reply = {}};
    const auto& fault = heard.fault;
    if (fault.perform && fault.ending != Fault::Ending::unreachable) {
        heard.reply = api.handle(request, now);
        for (auto& delivery : model.take_redeliveries()) {
            outbox.put(std::move(delivery), true);
        }
    }
    if (fault.ending == Fault::Ending::status) {
        heard.reply = api_error(fault.status, fault.message);
        if (fault.retry_after) {
            heard.reply.headers.add("Retry-After", std::to_string(fault.retry_after->count()));
        }
    }
    return heard;
}

} // namespace baton::sim
