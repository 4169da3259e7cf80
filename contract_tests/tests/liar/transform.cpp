#include "contract_tests/tests/liar/transform.hpp"

#include "contract_tests/tests/liar/lists.hpp"
#include "contract_tests/tests/liar/spelling.hpp"
#include "spec/http/coding.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <vector>

namespace contract_tests::liar {

using nlohmann::json;
using spec::http::Request;

namespace {

// Every place that a pointer with "*" names, changed by `change`.
void each(json& value, std::string_view pointer, const std::function<void(json&)>& change) {
  const auto star = pointer.find("/*");
  const auto head = std::string(pointer.substr(0, star));
  auto* found = const_cast<json*>(spec::json::find(value, head));  // of a value that is ours
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

// What gzip holds between its head of ten bytes and its tail of eight.
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

const std::map<std::string, Step, std::less<>>& answer_steps() {
  static const std::map<std::string, Step, std::less<>> steps{
      {"status", [](const json& v, const Request&, Wire& w) { w.response.status = v; }},
      {"set", [](const json& v, const Request&, Wire& w) { set_places(w, v); }},
      {"remove", [](const json& v, const Request&, Wire& w) { remove_places(w, v); }},
      {"rename", [](const json& v, const Request&, Wire& w) { rename_places(w, v); }},
      {"body",
       [](const json& v, const Request&, Wire& w) { w.response.body = spec::json::write(v); }},
      {"text", [](const json& v, const Request&, Wire& w) { w.response.body = v; }},
      {"replace",
       [](const json& v, const Request&, Wire& w) {
         for (const auto& pair : v) {
           replace_text(w.response.body, pair.at(0), pair.at(1));
         }
       }},
      {"respell",
       [](const json& v, const Request&, Wire& w) {
         for (const auto& pair : v) {
           w.response.body =
               std::regex_replace(w.response.body, std::regex(pair.at(0).get<std::string>()),
                                  pair.at(1).get<std::string>());
         }
       }},
      {"keep", [](const json& v, const Request&, Wire& w) { cut(w, v); }},
      {"prepend_hex",
       [](const json& v, const Request&, Wire& w) { w.response.body.insert(0, unhex(v)); }},
      {"prepend", [](const json& v, const Request&,
                     Wire& w) { w.response.body.insert(0, v.get<std::string>()); }},
      {"append",
       [](const json& v, const Request&, Wire& w) { w.response.body += v.get<std::string>(); }},
      {"pretty",
       [](const json& v, const Request&, Wire& w) {
         const auto body = spec::json::read(w.response.body);
         if (body) {
           w.response.body = spec::json::write_pretty(body.value(), v);
         }
       }},
      {"transcode", [](const json&, const Request&, Wire& w) { transcode(w); }},
      {"gzip", [](const json& v, const Request&, Wire& w) { code(w, v); }},
      {"deflate_bare", [](const json&, const Request&, Wire& w) { deflate_bare(w); }},
      {"header", [](const json& v, const Request&, Wire& w) { set_headers(w, v); }},
      {"add_header",
       [](const json& v, const Request&, Wire& w) {
         for (const auto& [name, value] : v.items()) {
           w.response.headers.add(name, value);
         }
       }},
      {"drop_header",
       [](const json& v, const Request&, Wire& w) {
         for (const auto& name : v) {
           w.response.headers.remove(name.get<std::string>());
         }
       }},
      {"many_headers",
       [](const json& v, const Request&, Wire& w) {
         for (int number = 0; number < v.get<int>(); ++number) {
           w.response.headers.add("X-Many-" + std::to_string(number), "1");
         }
       }},
      {"merge_request", [](const json&, const Request& r, Wire& w) { merge_request(r, w); }},
      {"echo_request",
       [](const json&, const Request& r, Wire& w) {
         for (const auto& [name, value] : r.headers.lines()) {
           w.response.body += name + ": " + value + "\r\n";
         }
       }},
      {"raw", [](const json& v, const Request&, Wire& w) { w.raw = v; }},
      {"reason", [](const json& v, const Request&, Wire& w) { w.response.reason = v; }},
      {"length_delta", [](const json& v, const Request&, Wire& w) { w.length_delta = v; }},
      {"chunked", [](const json&, const Request&, Wire& w) { w.chunked = true; }},
      {"no_last_chunk", [](const json&, const Request&, Wire& w) { w.no_last_chunk = true; }},
      {"bad_chunk_size", [](const json&, const Request&, Wire& w) { w.bad_chunk_size = true; }},
      {"close", [](const json&, const Request&, Wire& w) { w.close = true; }},
      {"interim", [](const json& v, const Request&, Wire& w) { w.interim = v; }},
      {"surplus", [](const json& v, const Request&, Wire& w) { w.surplus = v; }},
      {"without_length", [](const json&, const Request&, Wire& w) { w.without_length = true; }},
      {"chunk_bytes", [](const json& v, const Request&, Wire& w) { w.chunk_bytes = v; }},
      {"trailer", [](const json& v, const Request&, Wire& w) { w.trailer = v; }},
      {"close_after", [](const json&, const Request&, Wire& w) { w.close_after = true; }},
      {"version", [](const json& v, const Request&, Wire& w) { w.version = v; }},
      {"line_end", [](const json& v, const Request&, Wire& w) { w.line_end = v; }},
      {"lower_names", [](const json&, const Request&, Wire& w) { w.lower_names = true; }},
      {"upper_names", [](const json&, const Request&, Wire& w) { w.upper_names = true; }},
      {"reversed", [](const json&, const Request&, Wire& w) { w.reversed = true; }},
      {"endless", [](const json&, const Request&, Wire& w) { w.endless = true; }},
      {"no_answer", [](const json&, const Request&, Wire& w) { w.no_answer = true; }},
      {"delay_ms", [](const json& v, const Request&, Wire& w) { w.delay_ms = v; }},
      {"piece", [](const json& v, const Request&, Wire& w) { w.piece = v; }},
      {"cut_wire", [](const json& v, const Request&, Wire& w) { w.cut_wire = v; }},
      {"encode", [](const json& v, const Request&, Wire& w) { encode(w.response.body, v); }},
      {"nest",
       [](const json& v, const Request&, Wire& w) {
         const auto depth = v.at("depth").get<std::size_t>();
         std::string deep;
         for (std::size_t level = 0; level < depth; ++level) {
           deep += "{\"a\":";
         }
         deep += "1" + std::string(depth, '}');
         replace_text(w.response.body, v.at("for"), deep);
       }},
      {"stamp", [](const json&, const Request&,
                   Wire& w) { w.response.body += "\n% read " + std::to_string(w.turn) + '\n'; }},
      {"count",
       [](const json& v, const Request&, Wire& w) {
         json places = json::object();
         for (const auto& place : v) {
           places[place.get<std::string>()] = "reading " + std::to_string(w.turn);
         }
         set_places(w, places);
       }},
      {"copy", [](const json& v, const Request&, Wire& w) { copy_places(w, v); }},
      {"reflect_body",
       [](const json& v, const Request& r, Wire& w) {
         set_places(w, {{v.get<std::string>(), r.target}});
       }},
      {"big_header",
       [](const json& v, const Request&, Wire& w) {
         w.response.headers.add("X-Big", std::string(v.get<std::size_t>(), 'b'));
       }},
      {"grow",
       [](const json& v, const Request&, Wire& w) {
         replace_text(w.response.body, v.at("for"), std::string(v.at("bytes"), 'n'));
       }},
      {"reflect",
       [](const json& v, const Request& r, Wire& w) {
         const auto path = spec::http::percent_decode(spec::http::path_of(r.target)).value_or("");
         w.response.headers.add(v.get<std::string>(), path);
       }},
      {"spell", [](const json& v, const Request&, Wire& w) { spell(w.response.body, v); }},
      {"bomb",
       [](const json& v, const Request&, Wire& w) {
         w.response.body = bomb(v.get<std::size_t>());
         w.response.headers.set("Content-Encoding", "gzip");
       }},
      {"pdf", [](const json& v, const Request&, Wire& w) { rewrite_pdf(v, w.response.body); }},
      {"keep_head_body", [](const json&, const Request&, Wire& w) { w.keep_head_body = true; }},
      {"items", [](const json& v, const Request& r,
                   Wire& w) { in_json(w, [&](json& body) { change_items(v, r, w.turn, body); }); }},
  };
  return steps;
}

}  // namespace

void replace_text(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

void change_answer(const json& steps, const Request& request, Wire& wire) {
  for (const auto& step : steps) {
    for (const auto& [name, value] : step.items()) {
      const auto found = answer_steps().find(name);
      if (found != answer_steps().end()) {
        found->second(value, request, wire);
      }
    }
  }
}

}  // namespace contract_tests::liar
