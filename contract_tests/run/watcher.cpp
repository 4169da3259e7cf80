#include "contract_tests/run/watcher.hpp"

#include "contract_tests/client/client.hpp"
#include "contract_tests/run/sender.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/document/uri.hpp"
#include "spec/http/media_type.hpp"
#include "spec/http/message.hpp"

#include <algorithm>
#include <chrono>
#include <set>

namespace contract_tests::run {

using client::Ending;
using client::Exchange;
using plan::RequestPlan;
using spec::contract::Operation;
using std::chrono::milliseconds;

namespace {

// Sent as any caller would: with the usual credentials.
bool is_usual(const RequestPlan& request) {
  return !request.authorization && !request.credentials;
}

const CaseResponse* last_of(const std::deque<CaseResponse>& sent) {
  const auto found = std::find_if(sent.rbegin(), sent.rend(), [](const CaseResponse& each) {
    return !each.exchange.url.empty();
  });
  return found == sent.rend() ? nullptr : &*found;
}

// True if the symptom counts in any case, not only where a plain request should succeed: an unusual
// request may well get the others.
bool counts_anywhere(Symptom symptom) {
  return symptom == Symptom::kNoResponse || symptom == Symptom::kRejectedToken ||
         symptom == Symptom::kUnavailable;
}

// The waits before each second look: a symptom that may pass is looked for several times, but not
// if each look takes until its deadline.
std::vector<milliseconds> waits_of(Symptom symptom, const Exchange& exchange) {
  if (exchange.ending == client::Ending::kDeadline) {
    return {milliseconds(0)};
  }
  if (symptom == Symptom::kNoResponse) {
    return {milliseconds(500), milliseconds(1'000), milliseconds(2'000)};
  }
  return symptom == Symptom::kUnavailable
             ? std::vector{milliseconds(2'000), milliseconds(4'000), milliseconds(6'000)}
             : std::vector{milliseconds(0)};
}

}  // namespace

void Watcher::start(const std::vector<std::size_t>& selected) {
  const std::lock_guard lock(mutex_);
  plain_.clear();
  for (const auto index : selected) {
    const auto& item = plan_.cases[index];
    const auto* operation = settings_.contract.operation(item.operation);
    if (item.is_plain && spec::http::is_safe_method(operation->method) && !item.needs.writes &&
        why_not(settings_, item).empty()) {
      plain_.push_back({operation, item.request});
    }
  }
}

void Watcher::learn(const Case& item, const std::deque<CaseResponse>& sent) {
  const auto* operation = settings_.contract.operation(item.operation);
  for (const auto& each : sent) {
    const bool read = each.accepted && each.exchange.sent.method == "GET" &&
                      is_usual(each.request) && each.request.method.empty();
    if (read && !symptom_in(*operation, each.exchange)) {
      known_.try_emplace(item.operation, Probe{operation, each.request});
    }
  }
}

std::string Watcher::look(const Case& item, const std::deque<CaseResponse>& sent, bool found) {
  if (!settings_.watches || item.undeclared_method || item.expect.want == Want::kStatus) {
    return {};
  }
  const std::lock_guard lock(mutex_);
  learn(item, sent);
  if (auto why = look_at_writes(item, sent, found); !why.empty()) {
    return why;
  }
  const auto* last = last_of(sent);
  if (last == nullptr) {
    return {};
  }
  auto signal = symptom_in(*settings_.contract.operation(item.operation), last->exchange);
  if (signal && last->accepted && signal->symptom != Symptom::kPage) {
    signal.reset();  // the contract has it: a redirect, say
  }
  const bool should_succeed = item.expect.want == Want::kAccepted && last->request == item.request;
  const bool anyway = signal && counts_anywhere(signal->symptom) && is_usual(last->request);
  if (!signal || !(found || should_succeed || anyway)) {
    streak_ = 0;
    return {};
  }
  ++streak_;
  if (!problem_ && may_look(item, signal->symptom)) {
    look_again(item, *last, *signal);
  }
  return problem_ && problem_->symptom == signal->symptom ? problem_->headline : "";
}

// The first times of an operation, and now and then while nothing else comes.
bool Watcher::may_look(const Case& item, Symptom symptom) {
  constexpr std::size_t kAtOnce = 2;
  constexpr std::size_t kEvery = 8;
  return pace_.closed().empty() &&
         (++looks_[{item.operation, symptom}] <= kAtOnce || streak_ % kEvery == 0);
}

// Only requests that write show that a token may only read; another rejection of them (400, 409)
// shows nothing.
std::string Watcher::look_at_writes(const Case& item, const std::deque<CaseResponse>& sent,
                                    bool found) {
  constexpr std::size_t kEnough = 3;
  constexpr int kForbidden = 403;
  std::size_t denied = 0;
  for (const auto& each : sent) {
    const int status = each.exchange.status();
    if (!each.exchange.url.empty() && !spec::http::is_safe_method(each.exchange.sent.method) &&
        is_usual(each.request)) {
      wrote_ = wrote_ || status / 100 == 2;
      denied += status == kForbidden ? 1 : 0;
    }
  }
  const bool should_succeed = found || item.expect.want == Want::kAccepted;
  if (!item.needs.writes || wrote_ || denied == 0 || !should_succeed) {
    return {};
  }
  denied_ += denied;
  if (denied_ >= kEnough && !known_.empty()) {
    read_only_ =
        "every request that writes gets 403 Forbidden: the token may only read; pass one that may "
        "write with --token, or leave out --allow-writes";
  }
  return "403 Forbidden for a request that writes; the token may only read";
}

std::vector<Watcher::Probe> Watcher::probes_for(const Case& item, Symptom symptom) const {
  constexpr std::size_t kMax = 3;
  std::vector<Probe> probes;
  std::set<const spec::contract::Operation*> taken;
  const auto add = [&](const Probe& probe) {
    const auto& request = probe.request;
    const bool fits = symptom == Symptom::kRejectedToken ? probe.operation->is_secured()
                      : symptom == Symptom::kNotFound
                          ? request.path.empty() && request.encoded_path.empty()
                          : true;
    if (fits && probes.size() < kMax && taken.insert(probe.operation).second) {
      probes.push_back(probe);
    }
  };
  for (const auto& [operation, probe] : known_) {
    add(probe);
  }
  // Others first: that one operation fails is its own.
  for (const bool own : {false, true}) {
    for (const auto& probe : plain_) {
      if ((probe.operation->id == item.operation) == own) {
        add(probe);
      }
    }
  }
  return probes;
}

std::optional<Exchange> Watcher::send(const Probe& probe, const std::string& prefix) {
  constexpr milliseconds kPatience(5'000);
  auto limits = settings_.limits;
  limits.first_byte = std::min(limits.first_byte, kPatience);
  limits.whole = std::min(limits.whole, 2 * kPatience);
  return Sender(settings_, pace_, limits).send(*probe.operation, probe.request, prefix);
}

bool Watcher::is_shown_again(ObservedSymptom& signal, const std::vector<Probe>& probes) {
  for (const auto& probe : probes) {
    const auto exchange = send(probe, settings_.url.prefix);
    const auto again = exchange ? symptom_in(*probe.operation, *exchange) : std::nullopt;
    const bool same = again && again->symptom == signal.symptom &&
                      (signal.symptom != Symptom::kRedirected || again->what == signal.what);
    if (!same) {
      return false;
    }
    signal = *again;
  }
  return !probes.empty();
}

void Watcher::look_again(const Case& item, const CaseResponse& last, ObservedSymptom signal) {
  if (known_.empty() && !settings_.url.tls && !tried_tls_ && may_be_tls(last.exchange)) {
    tried_tls_ = true;
    if (speaks_tls()) {
      auto url = settings_.url;
      url.tls = true;
      problem_ =
          RunProblem{signal.symptom, "the port speaks TLS: use --base-url " + url.text(), true};
      return;
    }
  }
  const auto probes = probes_for(item, signal.symptom);
  if (signal.symptom == Symptom::kNotFound) {
    look_for_base(item, last, signal, probes);
    return;
  }
  if (probes.empty()) {
    return;
  }
  // One operation alone may have pages.
  if (signal.symptom == Symptom::kPage && !has_another(probes, item)) {
    return;
  }
  for (const auto wait : waits_of(signal.symptom, last.exchange)) {
    // If it may not wait any more, it looks at once.
    const bool waited = wait.count() == 0 || pace_.sleep(wait);
    if (!is_shown_again(signal, probes)) {
      return;
    }
    if (!waited) {
      break;
    }
  }
  problem_ = RunProblem{signal.symptom, headline_of(item, signal)};
}

// 404 is right for identifiers that do not exist: only collections, or another path of the service,
// show that the base URL is wrong.
void Watcher::look_for_base(const Case& item, const CaseResponse& last, ObservedSymptom signal,
                            const std::vector<Probe>& probes) {
  if (!known_.empty() || (!probes.empty() && !is_shown_again(signal, probes))) {
    return;
  }
  const Probe own{settings_.contract.operation(item.operation), last.request};
  if (const auto prefix = fitting_prefix(probes.empty() ? own : probes.front())) {
    auto url = settings_.url;
    url.prefix = *prefix;
    problem_ =
        RunProblem{signal.symptom,
                   "every request gets 404 Not Found, but the service responds at a path of the "
                   "contract's servers: use --base-url " +
                       url.text(),
                   true};
  } else if (has_another(probes, item)) {
    problem_ = RunProblem{signal.symptom, headline_of(item, signal), true};
  }
}

bool Watcher::has_another(const std::vector<Probe>& probes, const Case& item) {
  return std::ranges::any_of(
      probes, [&item](const Probe& probe) { return probe.operation->id != item.operation; });
}

std::optional<std::string> Watcher::fitting_prefix(const Probe& probe) {
  for (const auto& prefix : settings_.contract.state().prefixes) {
    if (spec::contract::is_open_prefix(prefix.text) || prefix.text == settings_.url.prefix) {
      continue;
    }
    const auto exchange = send(probe, prefix.text);
    if (exchange && exchange->has_response() && !symptom_in(*probe.operation, *exchange)) {
      return prefix.text;
    }
  }
  return std::nullopt;
}

bool Watcher::speaks_tls() const {
  constexpr milliseconds kPatience(5'000);
  auto url = settings_.url;
  url.tls = true;
  const auto stream =
      client::open_stream(url, settings_.trust, std::chrono::steady_clock::now() + kPatience);
  return stream || stream.error().has_certificate;
}

std::string Watcher::headline_of(const Case& item, const ObservedSymptom& signal) const {
  const auto first = signal.symptom == Symptom::kNoResponse ? causes_.silent_since() : "";
  const auto since = known_.empty() ? std::string() : " since " + (first.empty() ? item.id : first);
  switch (signal.symptom) {
    case Symptom::kNoResponse:
      return "the server does not respond" + since + " (" + signal.what +
             (known_.empty() ? "); look whether --base-url is right and the server runs"
                             : "); run that case alone to see whether it ends the server");
    case Symptom::kRejectedToken:
      return "the server rejects the token (401)" + since +
             "; put a valid one into DODO_PAYMENTS_API_KEY or pass it with --token";
    case Symptom::kUnavailable:
      return "every request gets " + signal.what + since +
             "; run again when the service is available";
    case Symptom::kRedirected:
      return "every request is redirected to " + signal.what + since +
             "; look whether --base-url is the service and --token is valid";
    case Symptom::kNotFound:
      return "every request gets " + signal.what + " at " + settings_.url.text() +
             "; look for the path of the service in --base-url";
    case Symptom::kPage: break;
  }
  return "every response is an HTML page (" + signal.what + ")" + since +
         "; look whether --base-url is the service and not its website or login";
}

std::string Watcher::closed(const Case& item) const {
  const std::lock_guard lock(mutex_);
  if (problem_) {
    return problem_->headline;
  }
  return item.needs.writes ? read_only_ : "";
}

std::vector<std::string> Watcher::headlines() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> lines;
  if (problem_) {
    lines.push_back(problem_->headline);
  }
  if (!read_only_.empty()) {
    lines.push_back(read_only_);
  }
  return lines;
}

bool Watcher::is_unusable() const {
  const std::lock_guard lock(mutex_);
  return problem_ && problem_->unusable;
}

namespace {

std::string origin_of(const spec::document::UriParts& uri) {
  return std::string(uri.scheme.value_or("")) + "://" + std::string(uri.authority.value_or(""));
}

// The target of a redirect to another origin, or to a place of this one that is not about the path
// of the request. "" if it is about the same resource ("/todos" to "/todos/").
std::string leads_away(const Exchange& exchange) {
  const auto location = exchange.response.headers.find("Location");
  if (exchange.status() / 100 != 3 || !location) {
    return {};
  }
  const auto target = spec::document::resolve_uri(exchange.url, *location);
  const auto from = spec::document::split_uri(exchange.url);
  const auto to = spec::document::split_uri(target);
  const auto path = std::string(to.path);
  if (origin_of(to) != origin_of(from)) {
    return origin_of(to);
  }
  return path.find(from.path) == std::string::npos ? origin_of(to) + path : "";
}

bool is_html(const Exchange& exchange) {
  const auto type =
      spec::http::parse_media_type(exchange.response.headers.find("Content-Type").value_or(""));
  return type && type->essence() == "text/html";
}

// True if the contract has other content for this status, but no HTML.
bool is_foreign_page(const Operation& operation, const Exchange& exchange) {
  const auto* response = operation.response(exchange.status());
  const auto html = spec::http::parse_media_type("text/html");
  return is_html(exchange) && response != nullptr && !response->contents.empty() &&
         std::ranges::none_of(response->contents, [&html](const auto& content) {
           return spec::http::includes(content.media_type, *html);
         });
}

}  // namespace

std::optional<ObservedSymptom> symptom_in(const Operation& operation, const Exchange& exchange) {
  if (exchange.ending == Ending::kUntrusted) {
    return std::nullopt;
  }
  if (!exchange.has_response()) {
    return ObservedSymptom{Symptom::kNoResponse, exchange.failure.empty()
                                                     ? std::string(to_text(exchange.ending))
                                                     : exchange.failure};
  }
  const int status = exchange.status();
  const auto what = named(status);
  if (status == 401 && operation.is_secured()) {
    return ObservedSymptom{Symptom::kRejectedToken, what};
  }
  if (is_transient(status) && status != 429) {
    return ObservedSymptom{Symptom::kUnavailable, what};
  }
  const auto* declared = operation.response(status);
  const bool is_declared = declared != nullptr && declared->status == status;
  if (auto away = leads_away(exchange); !away.empty() && !is_declared) {
    return ObservedSymptom{Symptom::kRedirected, std::move(away)};
  }
  if (status == 404) {
    return ObservedSymptom{Symptom::kNotFound, what};
  }
  return is_foreign_page(operation, exchange) ? std::optional(ObservedSymptom{Symptom::kPage, what})
                                              : std::nullopt;
}

bool may_be_tls(const Exchange& exchange) {
  if (!exchange.has_response()) {
    return exchange.ending < Ending::kNoConnection;
  }
  return exchange.status() == 400 && exchange.response.body.find("HTTPS") != std::string::npos;
}

}  // namespace contract_tests::run
