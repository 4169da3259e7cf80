// The page is served with a proxy to the service: it adds the token and passes on the session.
import {defineConfig} from 'vite';

import {statement} from './statement.js';

const target = process.env.API_URL ?? 'http://127.0.0.1:4010';
const proxy = {
  '/api/': {
    target,
    rewrite: (path) => path.slice('/api'.length),
    headers: {Authorization: 'Bearer dodo_test_me'},
  },
};
const withStatement = ({middlewares}) => {
  middlewares.use('/statement', statement(target));
};

export default defineConfig({
  server: {proxy},
  preview: {proxy},
  build: {target: 'es2022', outDir: 'node_modules/.built'},
  plugins: [{name: 'statement', configureServer: withStatement, configurePreviewServer: withStatement}],
});
