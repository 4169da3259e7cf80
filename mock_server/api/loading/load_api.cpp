#include "mock_server/api/loading/load_api.hpp"

#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/examples/response_example.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/document/library.hpp"
#include "spec/document/text_file.hpp"

#include <algorithm>
#include <future>
#include <system_error>
#include <utility>

namespace mock_server::api {

namespace {

// Parses the fixtures while another thread loads the contract.
std::future<spec::document::Library> texts_beside(
    const std::vector<std::filesystem::path>& folders) {
  return std::async(std::launch::async | std::launch::deferred, [&folders] {
    spec::document::Library texts;
    std::vector<spec::Problem> ignored;  // load_fixtures reports them
    loading::open_texts(texts, folders, ignored);
    return texts;
  });
}

// The part of the API that can be served in spite of problems (--tolerate); null if there is none.
std::shared_ptr<const LoadedApi> load_tolerantly(LoadedApiOptions options) {
  options.tolerate = true;
  try {
    return load_api(options);
  } catch (const spec::LoadError&) {
    return nullptr;
  }
}

}  // namespace

std::shared_ptr<const LoadedApi> load_api(const LoadedApiOptions& options) {
  auto texts = texts_beside(options.folders);
  auto api = std::make_shared<LoadedApi>(spec::contract::load_contract(
      options.contract, {.document_only = options.document_only, .tolerate = options.tolerate}));
  api->options = options;
  // Fixtures point into the contract, so it must have its lasting place first.
  api->fixtures = load_fixtures(api->contract, options, texts.get());
  return api;
}

Examination examine_api(const LoadedApiOptions& options) {
  auto contract = spec::contract::examine_contract(
      options.contract, {.document_only = options.document_only, .tolerate = options.tolerate});
  Examination found{.api = nullptr,
                    .problems = std::move(contract.problems),
                    .warnings = std::move(contract.warnings)};
  if (!contract.contract) {
    spec::document::Library texts;
    loading::open_texts(texts, options.folders, found.problems);
    return found;
  }
  const bool is_understood = std::ranges::all_of(found.problems, [](const spec::Problem& problem) {
    return problem.message.ends_with(spec::contract::kOnlyWarned);
  });
  found.notes =
      examples::headers_not_as_declared(*contract.contract, examples::NotAsDeclared::kAll);
  auto api = std::make_shared<LoadedApi>(std::move(*contract.contract));
  api->options = options;
  // Fixtures point into the contract, so it must have its lasting place first.
  api->fixtures = examine_fixtures(api->contract, options, found);
  found.api = is_understood ? std::move(api) : load_tolerantly(options);
  return found;
}

}  // namespace mock_server::api

namespace mock_server::api::loading {

namespace fs = std::filesystem;

bool is_fixture_file(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".yaml" || ending == ".yml" || ending == ".json";
}

std::vector<fs::path> fixture_files(const fs::path& folder) {
  std::vector<fs::path> found;
  const auto add = [&found](const fs::path& path) {
    std::error_code error;
    if (is_fixture_file(path) && fs::is_regular_file(path, error)) {
      found.push_back(path);
    }
  };
  for (const fs::path& path : spec::document::paths_in(folder)) {
    add(path);
    std::ranges::for_each(spec::document::paths_in(path), add);
  }
  return found;
}

std::optional<fs::path> operations_file(const fs::path& folder) {
  for (const char* const name : {"operations.yaml", "operations.yml", "operations.json"}) {
    std::error_code error;
    if (fs::is_regular_file(folder / name, error)) {
      return folder / name;
    }
  }
  return std::nullopt;
}

spec::document::Node open_text(spec::document::Library& library, const fs::path& path,
                               std::vector<spec::Problem>& problems) {
  try {
    return library.open(path);
  } catch (const spec::LoadError& failure) {
    problems.insert(problems.end(), failure.problems().begin(), failure.problems().end());
    return {};
  }
}

void open_texts(spec::document::Library& library, const std::vector<fs::path>& folders,
                std::vector<spec::Problem>& problems) {
  for (const fs::path& folder : folders) {
    for (const fs::path& path : fixture_files(folder)) {
      open_text(library, path, problems);
    }
  }
}

}  // namespace mock_server::api::loading
