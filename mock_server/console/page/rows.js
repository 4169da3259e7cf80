// A long list of which only the rows in sight are elements: ten thousand requests stay quick.

const SPARE_ROWS = 8;

class Rows {
  // `make_row` makes the <li> of an item, which has an `id`; `items` are shown from the last to the first.
  constructor(label, make_row) {
    this.make_row = make_row;
    this.items = [];
    this.shown = new Map();
    this.list = make('ul', {class: 'rows', role: 'list', 'aria-label': label});
    this.element = make('div', {class: 'scroller'}, this.list);
    this.element.addEventListener('scroll', () => this.draw_soon(), {passive: true});
    this.watcher = new ResizeObserver(() => this.draw_soon());
    this.watcher.observe(this.element);
  }

  get row_height() {
    return parseFloat(getComputedStyle(this.element).getPropertyValue('--row')) || 28;
  }

  // Replaces the items. With `grown`, so many new ones came: what is in sight stays where it is.
  set(items, grown = 0) {
    const is_scrolled = this.element.scrollTop > 0;
    this.items = items;
    this.draw();
    if (grown && is_scrolled) this.element.scrollTop += grown * this.row_height;
  }

  draw_soon() {
    this.asked ??= requestAnimationFrame(() => this.draw());
  }

  draw() {
    cancelAnimationFrame(this.asked);
    this.asked = null;
    const height = this.row_height;
    const size = this.items.length;
    const first = Math.max(0, Math.floor(this.element.scrollTop / height) - SPARE_ROWS);
    const last = Math.min(size, Math.ceil((this.element.scrollTop + this.element.clientHeight) / height) + SPARE_ROWS);
    const wanted = [];
    for (let index = Math.min(first, size); index < last; ++index) wanted.push(size - 1 - index);
    this.list.style.paddingTop = `${Math.min(first, size) * height}px`;
    this.list.style.paddingBottom = `${Math.max(0, size - last) * height}px`;
    this.place(wanted.map((at) => this.row(at)));
  }

  row(at) {
    const item = this.items[at];
    let row = this.shown.get(item.id);
    if (!row) {
      row = this.make_row(item);
      this.shown.set(item.id, row);
    }
    row.setAttribute('aria-setsize', String(this.items.length));
    row.setAttribute('aria-posinset', String(this.items.length - at));
    return row;
  }

  // Rows that stay are not touched, so that they do not lose the focus.
  place(rows) {
    const wanted = new Set(rows);
    for (const [id, row] of this.shown) {
      if (!wanted.has(row)) {
        row.remove();
        this.shown.delete(id);
      }
    }
    let at = this.list.firstChild;
    for (const row of rows) {
      if (row === at) at = at.nextSibling;
      else this.list.insertBefore(row, at);
    }
  }

  // Makes every row again, for another selection or another session.
  refresh() {
    this.shown.forEach((row) => row.remove());
    this.shown.clear();
    this.draw();
  }

  show(id) {
    const at = this.items.findIndex((item) => item.id === id);
    if (at < 0) return;
    const top = (this.items.length - 1 - at) * this.row_height;
    const {scrollTop, clientHeight} = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.row_height > scrollTop + clientHeight) this.element.scrollTop = top + this.row_height - clientHeight;
    this.draw();
  }
}
