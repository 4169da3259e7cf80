// Steps that change responses on their way back.

#include "contract_tests/tests/faulty_server/lists.hpp"
#include "contract_tests/tests/faulty_server/spelling.hpp"
#include "contract_tests/tests/faulty_server/transform.hpp"
#include "spec/http/tests/gzip.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

namespace contract_tests::faulty_server {

using nlohmann::json;
using spec::http::Request;

namespace {

// Every place that a pointer with "*" names, changed by `change`.
void each(json& value, std::string_view pointer, const std::function<void(json&)>& change) {
  const auto star = pointer.find("/*");
  auto* found = spec::json::find(value, pointer.substr(0, star));
  if (found == nullptr) {
    return;
  }
  if (star == std::string_view::npos) {
    change(*found);
  } else if (found->is_array()) {
    for (auto& element : *found) {
      each(element, pointer.substr(star + 2), change);
    }
  }
}

std::pair<std::string, std::string> parent_and_key(const std::string& pointer) {
  const auto slash = pointer.rfind('/');
  return {pointer.substr(0, slash), pointer.substr(slash + 1)};
}

void in_json(Wire& wire, const std::function<void(json&)>& change) {
  auto body = spec::json::read(wire.response.body);
  if (body) {
    change(body.value());
    wire.response.body = spec::json::write(body.value());
  }
}

void set_places(Wire& wire, const json& places) {
  in_json(wire, [&places](json& body) {
    for (const auto& [pointer, value] : places.items()) {
      if (pointer.empty()) {
        body = value;
        continue;
      }
      const auto [parent, key] = parent_and_key(pointer);
      each(body, parent, [&key = key, &value = value](json& holder) {
        if (holder.is_array()) {
          holder[std::stoul(key)] = value;
        } else if (holder.is_object()) {
          holder[key] = value;
        }
      });
    }
  });
}

void remove_places(Wire& wire, const json& places) {
  in_json(wire, [&places](json& body) {
    for (const auto& pointer : places) {
      const auto [parent, key] = parent_and_key(pointer.get<std::string>());
      each(body, parent, [&key = key](json& holder) {
        if (holder.is_object()) {
          holder.erase(key);
        }
      });
    }
  });
}

void rename_places(Wire& wire, const json& places) {
  in_json(wire, [&places](json& body) {
    for (const auto& [pointer, name] : places.items()) {
      const auto [parent, key] = parent_and_key(pointer);
      each(body, parent, [&key = key, &name = name](json& holder) {
        if (holder.is_object() && holder.contains(key)) {
          json value = holder[key];
          holder.erase(key);
          holder[name.get<std::string>()] = std::move(value);
        }
      });
    }
  });
}

void copy_places(Wire& wire, const json& places) {
  in_json(wire, [&places](json& body) {
    for (const auto& [to, from] : places.items()) {
      const auto* found = spec::json::find(body, from.get<std::string>());
      if (body.is_object() && found != nullptr) {
        json value = *found;
        body[to.substr(1)] = std::move(value);
      }
    }
  });
}

std::string unhex(const std::string& digits) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < digits.size(); at += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(at, 2), nullptr, 16));
  }
  return bytes;
}

void cut(Wire& wire, const json& how) {
  const auto keep = how.get<double>();
  auto& body = wire.response.body;
  body.resize(keep < 1 ? static_cast<std::size_t>(static_cast<double>(body.size()) * keep)
                       : std::min(body.size(), static_cast<std::size_t>(keep)));
}

void code(Wire& wire, const json& how) {
  for (int times = how.value("times", 1); times > 0; --times) {
    wire.response.body = spec::http::gzip(wire.response.body);
  }
  if (how.contains("keep")) {
    cut(wire, how.at("keep"));
  }
  if (how.value("label", true)) {
    wire.response.headers.set("Content-Encoding", "gzip");
  }
}

// Keeps what gzip holds between its head of ten bytes and its tail of eight.
void deflate_bare(Wire& wire) {
  const auto coded = spec::http::gzip(wire.response.body);
  wire.response.body = coded.substr(10, coded.size() - 18);
  wire.response.headers.set("Content-Encoding", "deflate");
}

void set_headers(Wire& wire, const json& headers) {
  for (const auto& [name, value] : headers.items()) {
    wire.response.headers.set(name, value.get<std::string>());
  }
}

void transcode(Wire& wire) {
  std::string text;
  for (const char letter : wire.response.body) {
    text += static_cast<unsigned char>(letter) < 0x80 ? std::string(1, letter) : "\xEF\xBF\xBD";
  }
  wire.response.body = std::move(text);
}

void merge_request(const Request& request, Wire& wire) {
  const auto sent = spec::json::read(request.body);
  if (sent && sent->is_object()) {
    in_json(wire, [&sent](json& body) { body.update(sent.value()); });
  }
}

using Step = std::function<void(const json&, const Request&, Wire&)>;
using Steps = std::map<std::string, Step, std::less<>>;

// A step that sets one field of the wire to its value.
template <typename T>
Step sets(T Wire::*field) {
  return [field](const json& value, const Request&, Wire& wire) { wire.*field = value.get<T>(); };
}

// A step that needs no request.
Step on_wire(std::function<void(const json&, Wire&)> change) {
  return [change = std::move(change)](const json& value, const Request&, Wire& wire) {
    change(value, wire);
  };
}

// A step that changes the bytes of the body.
Step on_body(std::function<void(const json&, std::string&)> change) {
  return [change = std::move(change)](const json& value, const Request&, Wire& wire) {
    change(value, wire.response.body);
  };
}

void pretty(const json& indent, std::string& body) {
  const auto value = spec::json::read(body);
  if (value) {
    body = spec::json::write_pretty(value.value(), indent);
  }
}

void nest(const json& how, std::string& body) {
  const auto depth = how.at("depth").get<std::size_t>();
  std::string deep;
  for (std::size_t level = 0; level < depth; ++level) {
    deep += "{\"a\":";
  }
  replace_text(body, how.at("for"), deep + "1" + std::string(depth, '}'));
}

void count_readings(const json& places, Wire& wire) {
  json values = json::object();
  for (const auto& place : places) {
    values[place.get<std::string>()] = "reading " + std::to_string(wire.turn);
  }
  set_places(wire, values);
}

void replace_by_patterns(const json& pairs, std::string& body) {
  for (const auto& pair : pairs) {
    body = std::regex_replace(body, regex_of(pair.at(0)), pair.at(1).get<std::string>());
  }
}

void replace_texts(const json& pairs, std::string& body) {
  for (const auto& pair : pairs) {
    replace_text(body, pair.at(0), pair.at(1));
  }
}

// Members and values of the body as JSON.
Steps json_steps() {
  return {
      {"set", on_wire([](const json& v, Wire& w) { set_places(w, v); })},
      {"remove", on_wire([](const json& v, Wire& w) { remove_places(w, v); })},
      {"rename", on_wire([](const json& v, Wire& w) { rename_places(w, v); })},
      {"copy", on_wire([](const json& v, Wire& w) { copy_places(w, v); })},
      {"count", on_wire([](const json& v, Wire& w) { count_readings(v, w); })},
      {"merge_request", [](const json&, const Request& r, Wire& w) { merge_request(r, w); }},
      {"reflect_body",
       [](const json& v, const Request& r, Wire& w) {
         set_places(w, {{v.get<std::string>(), r.target}});
       }},
      {"items", [](const json& v, const Request& r,
                   Wire& w) { in_json(w, [&](json& body) { change_items(v, r, w.turn, body); }); }},
  };
}

// The body as bytes.
Steps body_steps() {
  return {
      {"body", on_body([](const json& v, std::string& body) { body = spec::json::write(v); })},
      {"text", on_body([](const json& v, std::string& body) { body = v; })},
      {"replace", on_body(&replace_texts)},
      {"respell", on_body(&replace_by_patterns)},
      {"keep", on_wire([](const json& v, Wire& w) { cut(w, v); })},
      {"prepend_hex", on_body([](const json& v, std::string& body) { body.insert(0, unhex(v)); })},
      {"prepend",
       on_body([](const json& v, std::string& body) { body.insert(0, v.get<std::string>()); })},
      {"append", on_body([](const json& v, std::string& body) { body += v.get<std::string>(); })},
      {"pretty", on_body(&pretty)},
      {"transcode", on_wire([](const json&, Wire& w) { transcode(w); })},
      {"encode", on_body([](const json& v, std::string& body) { encode(body, v); })},
      {"spell", on_body([](const json& v, std::string& body) { spell(body, v); })},
      {"nest", on_body(&nest)},
      {"grow", on_body([](const json& v, std::string& body) {
         replace_text(body, v.at("for"), std::string(v.at("bytes"), 'n'));
       })},
      {"stamp", on_wire([](const json&, Wire& w) {
         w.response.body += "\n% read " + std::to_string(w.turn) + '\n';
       })},
      {"pdf", on_body([](const json& v, std::string& body) { rewrite_pdf(v, body); })},
      {"echo_request",
       [](const json&, const Request& r, Wire& w) {
         for (const auto& [name, value] : r.headers.lines()) {
           w.response.body += name + ": " + value + "\r\n";
         }
       }},
  };
}

// Status and header fields, and codings that a field names.
Steps head_steps() {
  return {
      {"status", on_wire([](const json& v, Wire& w) { w.response.status = v; })},
      {"reason", on_wire([](const json& v, Wire& w) { w.response.reason = v; })},
      {"header", on_wire([](const json& v, Wire& w) { set_headers(w, v); })},
      {"add_header", on_wire([](const json& v, Wire& w) {
         for (const auto& [name, value] : v.items()) {
           w.response.headers.add(name, value);
         }
       })},
      {"drop_header", on_wire([](const json& v, Wire& w) {
         for (const auto& name : v) {
           w.response.headers.remove(name.get<std::string>());
         }
       })},
      {"many_headers", on_wire([](const json& v, Wire& w) {
         for (int number = 0; number < v.get<int>(); ++number) {
           w.response.headers.add("X-Many-" + std::to_string(number), "1");
         }
       })},
      {"big_header", on_wire([](const json& v, Wire& w) {
         w.response.headers.add("X-Big", std::string(v.get<std::size_t>(), 'b'));
       })},
      {"reflect",
       [](const json& v, const Request& r, Wire& w) {
         const auto path = spec::text::percent_decode(spec::http::path_of(r.target)).value_or("");
         w.response.headers.add(v.get<std::string>(), path);
       }},
      {"gzip", on_wire([](const json& v, Wire& w) { code(w, v); })},
      {"deflate_bare", on_wire([](const json&, Wire& w) { deflate_bare(w); })},
      {"bomb", on_wire([](const json& v, Wire& w) {
         w.response.body = bomb(v.get<std::size_t>());
         w.response.headers.set("Content-Encoding", "gzip");
       })},
  };
}

// The steps that change how the response is written to the connection.
Steps framing_steps() {
  return {{"raw", sets(&Wire::raw)},
          {"length_delta", sets(&Wire::length_delta)},
          {"without_length", sets(&Wire::without_length)},
          {"chunked", sets(&Wire::chunked)},
          {"chunk_bytes", sets(&Wire::chunk_bytes)},
          {"trailer", sets(&Wire::trailer)},
          {"no_last_chunk", sets(&Wire::no_last_chunk)},
          {"bad_chunk_size", sets(&Wire::bad_chunk_size)},
          {"close", sets(&Wire::close)},
          {"close_after", sets(&Wire::close_after)},
          {"interim", sets(&Wire::interim)},
          {"surplus", sets(&Wire::surplus)},
          {"keep_head_body", sets(&Wire::keep_head_body)},
          {"version", sets(&Wire::version)},
          {"line_end", sets(&Wire::line_end)},
          {"lower_names", sets(&Wire::lower_names)},
          {"upper_names", sets(&Wire::upper_names)},
          {"reversed", sets(&Wire::reversed)},
          {"endless", sets(&Wire::endless)},
          {"no_response", sets(&Wire::no_response)},
          {"delay_ms", sets(&Wire::delay_ms)},
          {"piece", sets(&Wire::piece)},
          {"cut_wire", sets(&Wire::cut_wire)}};
}

const Steps& response_steps() {
  static const Steps all = [] {
    auto steps = json_steps();
    steps.merge(body_steps());
    steps.merge(head_steps());
    steps.merge(framing_steps());
    return steps;
  }();
  return all;
}

}  // namespace

void replace_text(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

void change_response(const json& steps, const Request& request, Wire& wire) {
  for (const auto& step : steps) {
    for (const auto& [name, value] : step.items()) {
      const auto found = response_steps().find(name);
      if (found != response_steps().end()) {
        found->second(value, request, wire);
      }
    }
  }
}

spec::http::Response without_framing(spec::http::Response original) {
  for (const auto* name : {"Content-Length", "Transfer-Encoding", "Connection"}) {
    original.headers.remove(name);
  }
  return original;
}

}  // namespace contract_tests::faulty_server
