// The published descriptions that scripts walk over: a folder beside the clone.
import {existsSync, readdirSync} from 'node:fs';
import path from 'node:path';

import {root} from './programs.mjs';

export const kSkipped = 77;

// The files whose names contain `only`, every `every`-th of them, by name; null, after saying so, where there are none.
// `folder` "" is ../shared/testdata/descriptions beside the clone, or COUNTERPART_TESTDATA.
export function descriptions({folder = '', only = '', every = 1} = {}) {
  const data = process.env.COUNTERPART_TESTDATA;
  const folders = folder ? [folder] : [...(data ? [path.join(data, 'descriptions')] : []), path.join(root, '../shared/testdata/descriptions')];
  const found = folders.find((each) => existsSync(each));
  if (!found) {
    console.log('skipped: there are no published descriptions (../shared/testdata/descriptions, or COUNTERPART_TESTDATA)');
    return null;
  }
  return readdirSync(found).filter((name) => /\.(yaml|json)$/.test(name) && name.includes(only)).sort()
    .filter((_, at) => at % every === 0).map((name) => path.join(found, name));
}
