#pragma once

// Flags as --help shows them: in a group, wrapped. For the flags of a run and those that a command
// has beside them.

#include "spec/text/quote.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <initializer_list>
#include <type_traits>

namespace contract_tests::program::flags {

inline constexpr std::size_t kTextColumns = 68;  // beside the column of the flags

// The values of --annotate.
inline constexpr std::initializer_list<const char*> kCodeHosts = {"auto", "github", "gitlab",
                                                                  "none"};

// An option as --help shows it: "--contract FILE".
struct Usage {
  const char* name;
  const char* value;
};

template <typename Value>
CLI::Option* add(CLI::App& app, const char* group, const Usage& usage, Value& variable,
                 const char* text) {
  CLI::Option* const option =
      app.add_option(usage.name, variable, spec::text::wrapped(text, kTextColumns))
          ->group(group)
          ->option_text(usage.value)
          ->type_name(usage.value);
  if constexpr (std::is_arithmetic_v<Value>) {
    return variable == Value{} ? option : option->capture_default_str();  // none: no limit
  }
  return option;
}

inline CLI::Option* add_flag(CLI::App& app, const char* group, const char* name, bool& variable,
                             const char* text) {
  return app.add_flag(name, variable, spec::text::wrapped(text, kTextColumns))->group(group);
}

// An argument without a flag.
template <typename Value>
CLI::Option* add_argument(CLI::App& app, const char* group, const char* name, Value& variable,
                          const char* text) {
  return app.add_option(name, variable, text)->group(group)->option_text(" ");
}

// Another text for a flag that means something else for a command.
inline void describe(CLI::App& app, const char* name, const char* text) {
  app.get_option(name)->description(spec::text::wrapped(text, kTextColumns));
}

inline void remove_flags(CLI::App& app, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    app.remove_option(app.get_option(name));
  }
}

}  // namespace contract_tests::program::flags
