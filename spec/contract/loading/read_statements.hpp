#pragma once

// Builds the contract's table of statements out of an inspected document.

#include "spec/contract/loading/inspect.hpp"
#include "spec/contract/statement_table.hpp"

namespace spec::contract::loading {

// Standards, then what `inspection` found, in the order of the texts. Marks count if the document
// `has_marks` (assumptions.hpp).
StatementTable read_statements(const Inspection& inspection, bool has_marks);

}  // namespace spec::contract::loading
