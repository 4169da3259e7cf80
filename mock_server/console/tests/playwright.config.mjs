import os from 'node:os';
import path from 'node:path';

import {chromium} from '../../../scripts/lib/chromium.mjs';

const tries = path.join(os.tmpdir(), `counterpart-console-${process.pid}`);

export default {
  testDir: '.',
  outputDir: process.env.COUNTERPART_CONSOLE_OUTPUT || tries,
  workers: 1,
  timeout: 60000,
  expect: {timeout: Number(process.env.COUNTERPART_EXPECT_MS ?? 20000)},
  reporter: 'list',
  use: {
    viewport: {width: 1280, height: 800},
    contextOptions: {reducedMotion: 'reduce'},  // axe reads colours, which must not be half way
    launchOptions: {
      executablePath: chromium,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
    }
  }
};
