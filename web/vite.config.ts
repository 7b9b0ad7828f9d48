/** Builds the dashboard into `dist/web`, which `assay serve` serves. */
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { noticesOf } from '../build/notices.ts';
import { TOKENS } from '../src/report/page/tokens.ts';

const TOKENS_ID = 'virtual:tokens.css';

/** Colours, type and space are those of the HTML report: one file for both. */
const tokens: Plugin = {
  name: 'assay-tokens',
  resolveId: (id) => (id === TOKENS_ID ? `\0${TOKENS_ID}` : undefined),
  load: (id) => (id === `\0${TOKENS_ID}` ? TOKENS : undefined),
};

/** Whose code is inside. */
const notices: Plugin = {
  name: 'assay-notices',
  generateBundle(_, bundle) {
    const ids = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    this.emitFile({ type: 'asset', fileName: 'LICENSES.md', source: noticesOf(ids) });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tokens, notices],
  // What a report measures with a library of Node a browser does without it.
  resolve: { alias: { 'node:module': join(import.meta.dirname, 'src/charts/node-module.ts') } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(import.meta.dirname, '../dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the server allows no script and no image inside a page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Read by the test that measures the first load.
    manifest: true,
  },
});
