// The Chromium that tests open pages in: what COUNTERPART_CHROMIUM names, else the first of these on the path that
// runs; undefined if none of them runs. The headless shell comes first: it needs half the time of the whole browser.
import {spawnSync} from 'node:child_process';
import path from 'node:path';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

function onPath() {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
}

const named = process.env.COUNTERPART_CHROMIUM;
export const chromium = (named ? [named] : onPath()).find((file) => spawnSync(file, ['--version']).status === 0);
export const withoutChromium = chromium ? false : 'no Chromium: apt-get install chromium-headless-shell';
