// The Chromium that tests open pages in: what COUNTERPART_CHROMIUM names, else the first of these on the path;
// undefined where there is none. The headless shell comes first: it needs half the time of the whole browser.
import {accessSync, constants} from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findOnPath() {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isProgram);
}

export const chromium = process.env.COUNTERPART_CHROMIUM || findOnPath();
export const withoutChromium = chromium ? false : 'no Chromium: apt-get install chromium-headless-shell';
