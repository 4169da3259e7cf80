#include "mock_server/api/loading/fixture_members.hpp"
#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/loading/load_api.hpp"
#include "mock_server/api/loading/validate_record.hpp"
#include "mock_server/api/record_access.hpp"
#include "spec/document/text_file.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace mock_server::api::loading {
namespace {

namespace fs = std::filesystem;

using nlohmann::json;
using spec::document::Node;

// Files of a fixtures folder that hold no records.
bool is_reserved(std::string_view stem) {
  return stem == "operations" || stem == "subjects" || stem == "scenarios";
}

// Reads one folder's records into the collections. A key that is twice in one folder is a problem;
// one that an earlier folder has too replaces that folder's record.
class FolderReader {
 public:
  FolderReader(spec::document::Library& library, fs::path folder, const UnwrittenFiles& unwritten,
               Collections& collections, Problems& problems)
      : library_(library),
        folder_(std::move(folder)),
        unwritten_(unwritten),
        collections_(collections),
        problems_(problems) {
    for (const auto& entry : collections_) {
      names_.push_back(entry.first);
    }
  }

  void read() {
    for (const fs::path& path : paths_in(folder_, unwritten_)) {
      const std::string stem = path.stem().string();
      if (is_reserved(stem) || stem.starts_with('.')) {
        continue;
      }
      if (fs::is_directory(path)) {
        read_folder(path);
      } else if (is_fixture_file(path)) {
        if (Collection* const collection = find(path, stem)) {
          read_map(path, *collection);
        }
      }
    }
  }

 private:
  Collection* find(const fs::path& path, std::string_view name) {
    const auto found = collections_.find(name);
    if (found != collections_.end()) {
      return &found->second;
    }
    if (!names_.empty()) {
      problems_.push_back({path.string(), 0, 0, "",
                           "operations.yaml declares no collection \"" + std::string(name) + '"' +
                               spec::text::did_you_mean(name, names_)});
    } else if (!std::exchange(has_reported_no_collections_, true)) {
      problems_.push_back(
          {folder_.string(), 0, 0, "",
           "no operations.yaml declares collections for these records; add one to the folder "
           "(fixtures/README.md shows how), or leave out --contract and --no-default-fixtures to "
           "read the folder beside the fixtures of the payments service"});
    }
    return nullptr;
  }

  // A folder without fixture files may hold anything, for example the files that records name.
  void read_folder(const fs::path& path) {
    std::vector<fs::path> files = paths_in(path, unwritten_);
    std::erase_if(files, [](const fs::path& file) { return !is_fixture_file(file); });
    if (files.empty()) {
      return;
    }
    if (Collection* const collection = find(path, path.filename().string())) {
      for (const fs::path& file : files) {
        if (const Node root = open_text(library_, file, problems_)) {
          put(*collection, file.stem().string(), root);
        }
      }
    }
  }

  void read_map(const fs::path& path, Collection& collection) {
    const Node root = open_text(library_, path, problems_);
    if (!root) {
      return;
    }
    if (!root.is_object()) {
      problems_.push_back(root.problem("must be an object of records by key"));
      return;
    }
    for (const auto& member : root.members()) {
      put(collection, std::string(member.key), member.value);
    }
  }

  void put(Collection& collection, std::string key, const Node& record) {
    if (!seen_.emplace(collection.name(), key).second) {
      problems_.push_back(
          record.problem("duplicate record " + collection.name() + '/' + key + " in one folder"));
      return;
    }
    if (!record.is_object()) {
      problems_.push_back(record.problem("a record must be an object"));
      return;
    }
    collection.put({std::move(key), record, record.value(), folder_});
  }

  spec::document::Library& library_;
  fs::path folder_;
  const UnwrittenFiles& unwritten_;
  Collections& collections_;
  Problems& problems_;
  std::vector<std::string_view> names_;
  bool has_reported_no_collections_ = false;
  std::set<std::pair<std::string, std::string>> seen_;
};

Default read_default(const spec::document::Member& member) {
  const Node& node = member.value;
  Default made{.member = std::string(member.key), .node = node};
  made.kind = node.find("from")     ? Default::Kind::kKey
              : node.find("now")    ? Default::Kind::kNow
              : node.find("common") ? Default::Kind::kCommon
                                    : Default::Kind::kValue;
  made.value = node.find("value").value();
  made.on_change = boolean_at(node, "on_change").value_or(false);
  return made;
}

// The value that most records have at `member`, the first of several; nothing when none has it.
std::optional<json> common_value(const Collection& collection, const std::string& member) {
  std::map<json, std::size_t> counts;
  std::optional<json> best;
  std::size_t most = 0;
  for (const Record& record : collection.records()) {
    if (const auto found = record.value.find(member); found != record.value.end()) {
      ++counts[*found];
    }
  }
  for (const Record& record : collection.records()) {
    const auto found = record.value.find(member);
    if (found != record.value.end() && counts[*found] > most) {
      most = counts[*found];
      best = *found;
    }
  }
  return best;
}

}  // namespace

std::vector<fs::path> paths_in(const fs::path& folder, const UnwrittenFiles& unwritten) {
  std::vector<fs::path> paths = spec::document::paths_in(folder);
  std::erase_if(paths, [&](const fs::path& path) {
    return std::ranges::find(unwritten.removed, path) != unwritten.removed.end();
  });
  std::ranges::copy_if(unwritten.added, std::back_inserter(paths),
                       [&](const fs::path& path) { return path == folder / path.filename(); });
  return paths;
}

void read_records(spec::document::Library& library, const fs::path& folder,
                  const UnwrittenFiles& unwritten, Collections& collections, Problems& problems) {
  FolderReader(library, folder, unwritten, collections, problems).read();
}

void read_defaults(const Node& entry, Collection& collection, const Problems& problems) {
  for (const auto& member : entry.find("defaults").members()) {
    if (is_sound(member.value, problems)) {
      collection.set_default(read_default(member));
    }
  }
}

void find_common_values(Collection& collection) {
  std::vector<Default> defaults = collection.defaults();
  std::erase_if(defaults, [&collection](Default& one) {
    if (one.kind != Default::Kind::kCommon) {
      return false;
    }
    auto value = common_value(collection, one.member);
    one.value = value ? std::move(*value) : json();
    return !value;
  });
  collection.set_defaults(std::move(defaults));
}

void validate_defaults(const Collection& collection, const spec::schema::SchemaSet& schemas,
                       spec::schema::SchemaId schema, Problems& problems) {
  const std::string key = collection.records().empty() ? "key" : collection.records().front().key;
  for (const Default& one : collection.defaults()) {
    const json record{{one.member, value_of(one, key, {})}};
    for (const RecordProblem& problem :
         validate_by_schema(schemas, schema, collection.name(), record)) {
      const auto tokens = spec::json::split_pointer(problem.pointer);
      if (tokens && !tokens->empty() && tokens->front() == one.member) {
        problems.push_back(one.node.problem(in_full(problem)));
      }
    }
  }
}

}  // namespace mock_server::api::loading
