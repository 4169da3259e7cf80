// RECIPES.md taken apart: its sections, the files and commands that they hold, its table of faults.
const NAMED = /^(?:\/\/|#|<!--) ([\w./-]+\.\w+)(?: -->)?$/;

// [{title, files: [{name, text}], commands: [{text, prints}]}]; a block that is neither is an error.
export function sections(page) {
  const found = [];
  for (const part of page.split(/^## /m).slice(1)) {
    const section = {title: part.slice(0, part.indexOf('\n')), files: [], commands: []};
    for (const [, language, text] of part.matchAll(/^```(\w*)\n(.*?)^```$/gms)) {
      const name = NAMED.exec(text.slice(0, text.indexOf('\n')))?.[1];
      if (language === 'sh') {
        const prints = [...text.matchAll(/# prints (.+)$/gm)].map(([, wanted]) => wanted);
        section.commands.push({text, prints});
      } else if (name) {
        section.files.push({name, text});
      } else {
        throw new Error(`"${section.title}" has a ${language} block that names no file`);
      }
    }
    found.push(section);
  }
  return found;
}

// [{name, browser}]: the first and the last column of the table of faults, of any response or of streams.
export function faults(page, title = 'fault') {
  const table = page.slice(page.indexOf(`| ${title} |`)).split('\n\n')[0];
  return table.trim().split('\n').slice(2).map((row) => {
    const cells = row.split('|').map((cell) => cell.trim());
    return {name: cells[1].replaceAll('`', ''), browser: cells.at(-2).replaceAll('`', '')};
  });
}

