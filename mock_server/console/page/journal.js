// The requests that the page knows, newest last, and which of them the filters let through.

const MAX_ENTRIES = 10000;
const FIRST_ENTRIES = 1000;
const FILTERS = ['operation', 'status', 'violations', 'text', 'bodies'];
const STATUS_FILTER = /^[0-5]([0-9]{2}|XX)?$/i;

const journal = {
  all: [],
  window: null,  // how many the mock still has; `matched` are those of its lists, without preflights
  lost: 0,

  clear() {
    this.all = [];
    this.window = null;
    this.lost = 0;
  },

  // Adds new entries; the oldest go when there are too many.
  add(entries) {
    this.all.push(...entries);
    if (this.all.length > MAX_ENTRIES * 1.2) this.all = this.all.slice(-MAX_ENTRIES);
  },

  of(id) {
    return this.all.find((entry) => entry.id === id);
  }
};

const count_of = (violations) => Array.isArray(violations) ? violations.length : violations;

function has_status({status}, wanted) {
  if (wanted.length === 1 || /XX$/i.test(wanted)) return Math.floor(status / 100) === Number(wanted[0]);
  return status === Number(wanted);
}

function passes(entry, {operation, status, violations, text}) {
  if (operation && (entry.operation ?? '-') !== operation) return false;
  if (status && STATUS_FILTER.test(status) && !has_status(entry, status)) return false;
  const wrong = count_of(entry.request_violations) + count_of(entry.response_violations);
  if (violations === 'yes' && wrong === 0) return false;
  if (violations === 'request' && count_of(entry.request_violations) === 0) return false;
  if (violations === 'response' && count_of(entry.response_violations) === 0) return false;
  if (violations === 'no' && wrong > 0) return false;
  if (!text) return true;
  const words = `${entry.method} ${entry.target} ${entry.operation ?? ''} ${entry.chosen_by} ${entry.session ?? ''}`.toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => words.includes(word));
}

function filters_of(query) {
  return Object.fromEntries(FILTERS.map((name) => [name, query[name] ?? '']));
}
