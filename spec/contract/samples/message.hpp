#pragma once

// Whole messages made from a contract: requests that an operation accepts and answers that it
// promises, from examples where there are any and from samples of the schemas elsewhere. Pure
// functions of the contract and the options; a request was checked by the judge. Used by both
// programs; safe from any thread.

#include "spec/contract/contract.hpp"
#include "spec/http/message.hpp"
#include "spec/result.hpp"
#include "spec/schema/samples/sampler.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::contract::samples {

using schema::samples::SampleFailure;
using schema::samples::SampleOptions;
using schema::samples::Sampler;

// Which of the parameters and bodies that need not be given are given.
enum class Optional : std::uint8_t {
  kAll,
  kSome,  // by the seed
  kBody,
  kNone
};

struct RequestOptions {
  SampleOptions sample;  // `direction` is set here; `use_examples` holds for the contract's too
  Optional optional = Optional::kAll;
  bool with_credentials = true;  // false: for a caller who adds its own
  // The credential for a scheme of the first alternative; by default "sample", and for `basic`
  // the pair sample:sample.
  std::function<std::string(const SecurityScheme&)> credential;
  // Values for parameters, by name, instead of samples.
  std::map<std::string, nlohmann::json> given;
};

// Why there is no request or answer: the place in the contract, and in words what stood in the way.
using Failure = SampleFailure;

// A request, and the texts that stand in its target for the path parameters: encoded, by name.
struct WrittenRequest {
  http::Request request;
  std::map<std::string, std::string, std::less<>> path;
};

// A request of the operation that keeps the contract. An optional parameter for which no value can
// be written in its style is left out.
Result<WrittenRequest, Failure> write_request(const Contract& contract, const Sampler& sampler,
                                              const Operation& operation,
                                              const RequestOptions& options = {});
// The same without the texts.
Result<http::Request, Failure> sample_request(const Contract& contract, const Sampler& sampler,
                                              const Operation& operation,
                                              const RequestOptions& options = {});

// A value for a parameter or a header: its first example, else a sample; nothing when there is
// neither.
std::optional<nlohmann::json> sample_value(const Sampler& sampler, const Parameter& parameter,
                                           const SampleOptions& options);

struct Body {
  std::string media_type;  // as Content-Type says it
  std::string bytes;
};

// A content of an answer of `operation`, and for a range of media types the one to send; nothing:
// the one that is usual (JSON where the range takes it).
struct AnswerContent {
  const Operation& operation;
  const Content& content;
  std::optional<http::MediaType> sent_as = std::nullopt;
};

// The media type of `content` that an Accept field likes best: its own, or of a range one that can
// be written. Nothing when none is acceptable.
std::optional<http::MediaType> accepted_type(const Contract& contract, const Operation& operation,
                                             const Content& content,
                                             std::optional<std::string_view> accept);

// `value` as a body, without what its schema keeps to requests (writeOnly); nothing when the media
// type cannot carry it.
std::optional<Body> answer_body(const Contract& contract, const AnswerContent& answer,
                                const nlohmann::json& value);

// Whether an example of the content keeps its schema, or is a text in a form of its media type's
// own that no schema here speaks of. What cannot be decided is taken for sound.
bool is_sound_example(const Contract& contract, const AnswerContent& answer,
                      const nlohmann::json& value);

// A body without an example, or whose first example is not sound: a small file of its media type,
// or a sample of its schema.
Result<Body, Failure> sample_answer_body(const Contract& contract, const Sampler& sampler,
                                         const AnswerContent& answer, const SampleOptions& options);

// The headers that an answer of `contract` declares, and the path of the request, still encoded,
// which Location goes on from.
struct AnswerHeaders {
  const Contract& contract;
  const Answer& answer;
  std::string_view path = {};
  bool examples_as_written = false;  // also those that break their schemas
};

// Adds each header that is declared and that the response has not: the first example, else a value
// of the form that HTTP fixes for its name, else a sample. Those that HTTP or its frameworks give a
// meaning of their own (Content-*, CORS and so on) only where the contract has an example or
// requires them; Location also where it was created or redirected. Headers of the transfer or of
// the bytes (own_headers.hpp) have true values or are left out; cookies have no attribute that
// browsers refuse, and a redirect does not lead back. The status and the body are set.
// Gives the names of those whose example breaks its schema, so that a sample was added instead.
std::vector<std::string> add_declared_headers(const Sampler& sampler, const AnswerHeaders& declared,
                                              const SampleOptions& options,
                                              http::Response& response);

}  // namespace spec::contract::samples
