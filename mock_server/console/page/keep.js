// What was made here, kept in the fixtures: the mock works out the change of each file, the page shows it first.

const DIFF_CONTEXT = 3;
const MAX_DIFF_CELLS = 4e6;

// Lines of two texts as [kind, line]: ' ' of both, '-' of the first, '+' of the second alone.
function line_diff(before, after) {
  const [a, b] = [before, after].map((text) => text === '' ? [] : text.replace(/\n$/, '').split('\n'));
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) ++start;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) ++end;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const same = (lines) => lines.map((line) => [' ', line]);
  return [...same(a.slice(0, start)), ...changed_lines(left, right), ...same(a.slice(a.length - end))];
}

function changed_lines(left, right) {
  if (left.length * right.length > MAX_DIFF_CELLS) return [...left.map((line) => ['-', line]), ...right.map((line) => ['+', line])];
  const width = right.length + 1;
  const longest = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; --i) {
    for (let j = right.length - 1; j >= 0; --j) longest[i * width + j] = left[i] === right[j] ? longest[(i + 1) * width + j + 1] + 1 : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
  }
  const lines = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      lines.push([' ', left[i]]);
      ++i;
      ++j;
    } else if (j >= right.length || (i < left.length && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) lines.push(['-', left[i++]]);
    else lines.push(['+', right[j++]]);
  }
  return lines;
}

// The changed lines of two texts with a few around them.
function diff_view(before, after, label) {
  const lines = line_diff(before, after);
  const is_near = lines.map(() => false);
  lines.forEach(([kind], at) => {
    if (kind !== ' ') for (let near = Math.max(0, at - DIFF_CONTEXT); near <= Math.min(lines.length - 1, at + DIFF_CONTEXT); ++near) is_near[near] = true;
  });
  const rows = [];
  lines.forEach(([kind, line], at) => {
    if (is_near[at]) rows.push(make(kind === '+' ? 'ins' : kind === '-' ? 'del' : 'span', {class: 'line'}, `${kind} ${line}\n`));
    else if (at === 0 || is_near[at - 1]) rows.push(make('span', {class: 'line soft'}, '\u22ef\n'));
  });
  return make('pre', {class: 'diff', tabindex: '0', role: 'group', 'aria-label': label}, rows.length ? rows : 'No difference');
}

// Asks for the change and shows it; what is chosen is written then.
async function save_to_fixtures(what, title) {
  const {session} = app;
  const ask = (more) => call('POST', '/_mock/fixtures', {value: {...what, ...more}, session});
  show_change(await ask({}), title, async (change) => {
    const written = await ask({write: true, tag: change.tag});
    say(`Written: ${written.files.map(({file}) => file).join(', ')}`);
    notice('kept', `Written: ${written.files.map(({file}) => file).join(', ')}. The mock reads its fixtures again.`, 'idle');
  });
}

function show_change(change, title, write, meanwhile = '') {
  const {files, problems, left_out = [], why_not} = change;
  const is_json_alone = files.length > 0 && files.every(({file}) => file.endsWith('.json'));
  const kind = is_json_alone ? 'JSON' : 'YAML';
  const entries = is_json_alone && files.length === 1 ? files[0].entries : files.map((one) => `# ${one.file}\n${one.entries}`).join('\n');
  const file_chip = ({before, after}) => before === null ? chip('new file', 'idle') : after === null ? chip('deleted file', 'bad') : null;
  const close = () => dialog.close();
  const act = async () => {
    try {
      await write(change);
      close();
    } catch (problem) {
      close();
      if (problem.status === 409 && problem.more?.files) show_change(problem.more, title, write, problem.message);
      else show_change({...change, problems: problem.problems.length ? problem.problems : [problem.message]}, title, write);
    }
  };
  const dialog = make('dialog', {class: 'ask wide', 'aria-labelledby': 'change-title', onclose: () => dialog.remove()},
    make('h2', {id: 'change-title', tabindex: '-1'}, title),
    meanwhile ? make('p', {class: 'bad', role: 'alert'}, `${meanwhile}. Below is the change of what is there now.`) : null,
    files.length || problems.length ? null : make('p', {}, 'There is nothing to write: the fixtures are as the session.'),
    files.map((one) => make('section', {'aria-label': one.file}, make('h3', {}, code(one.file), ' ', file_chip(one)), diff_view(one.before ?? '', one.after ?? '', `The change of ${one.file}`))),
    left_out.length ? make('div', {class: 'unsure'}, make('p', {}, 'A scenario does not hold:'), make('ul', {}, left_out.map((words) => make('li', {}, words)))) : null,
    problems.length ? make('div', {class: 'bad', role: 'alert'}, make('p', {}, 'It is not written:'), make('ul', {}, problems.map((problem) => make('li', {}, problem)))) : null,
    why_not ? make('p', {class: 'unsure'}, `${why_not[0].toUpperCase()}${why_not.slice(1)}. Or copy the ${kind}.`) : null,
    make('p', {class: 'actions'},
      files.length && !why_not && !problems.length ? button('Write', act, {class: 'main', autofocus: true}) : null,
      files.length ? button(`Copy as ${kind}`, () => copy(entries, kind)) : null, button('Cancel', close)),
    files.length && (why_not || problems.length) ? block(entries, `The entries as ${kind}`) : null);
  document.body.append(dialog);
  dialog.showModal();
}
