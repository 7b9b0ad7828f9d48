/**
 * The last step of a build: bundles the modules of the command line and of its reader threads into a few files. Node
 * takes about half a millisecond to find and link a module, and `assay` alone needs four hundred of them.
 *
 *  The output of `tsc` stays next to it: programs import that, and paths to other files are relative to it.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { noticesOf } from './notices.ts';

const ROOT = join(import.meta.dirname, '..');
const [SRC, DIST] = [join(ROOT, 'src'), join(ROOT, 'dist')];
const INGEST = join(SRC, 'session/ingest/');

/** Small libraries that nearly every start needs; the others stay packages of their own and load when they are used. */
const WITHIN = ['d3-array', 'internmap', 'fastest-levenshtein', 'yaml', 'zod'];

/** The most used entry points. What several of them need is in a shared file, so that none loads more than it needs. */
const STARTS = {
  main: ['cli/main.ts'],
  overview: ['cli/overview.ts', 'cli/first-look.ts', 'report/format.ts', 'report/terminal.ts'],
  example: [
    'cli/measure-first-look.ts',
    'cli/example.ts',
    'operations/decomposition/run-suite.ts',
    'operations/session/list-sessions.ts',
    'operations/workflow/score-reviews.ts',
  ],
  sessions: ['cli/sessions/score.ts'],
  // What only sessions need that are not all as they were.
  scoring: ['operations/session/score-sessions.ts', 'session/pricing/load-prices.ts'],
  // What sessions that are all known need beside that; other commands need one of them at a time.
  keeping: ['operations/session/keep-sessions.ts'],
  outcomes: ['session/outcomes/judge-work.ts', 'session/outcomes/outcome-cache.ts'],
  store: ['store/sqlite/sqlite-store.ts'],
};

/** In order of priority: what one of them needs alone is never in a file that others load. */
const GROUPS = ['main', ...combinationsOf(Object.keys(STARTS)).map((starts) => starts.join('-')), 'reading'];

/** All that can be chosen of some names, the most of them first, each in the order of the names. */
function combinationsOf(names: readonly string[]): string[][] {
  let found: string[][] = [[]];
  for (const name of names) found = [...found, ...found.map((chosen) => [...chosen, name])];
  return found.filter(({ length }) => length > 0).sort((a, b) => b.length - a.length);
}

/** Modules use `import.meta.url` to find files next to them, relative to the output of `tsc`. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform(code, id) {
    if (!id.startsWith(SRC) || !code.includes('import.meta.url')) return undefined;
    const place = relative(SRC, id).replace(/\.ts$/, '.js');
    return code.replaceAll('import.meta.url', `__placeOf(${JSON.stringify(place)})`);
  },
  renderChunk(code, { fileName }) {
    const up = '../'.repeat(fileName.split('/').length - 1) || './';
    return code.replace(
      /__placeOf\("([^"]+)"\)/g,
      (_, place: string) => `new URL(${JSON.stringify(up + place)}, import.meta.url).href`,
    );
  },
};

/** The entry points that need each module, known once all are read. */
function readStarts(startsOf: Map<string, string[]>): Plugin {
  return {
    name: 'read-starts',
    buildEnd() {
      const visit = (id: string, start: string): void => {
        const starts = startsOf.get(id) ?? [];
        if (starts.includes(start)) return;
        startsOf.set(id, [...starts, start]);
        for (const needed of this.getModuleInfo(id)?.importedIds ?? []) visit(needed, start);
      };
      for (const [start, roots] of Object.entries(STARTS))
        for (const root of roots) visit(join(SRC, root), start);
    },
  };
}

/** `entry` is a module below `src/`; its bundle takes the place of what `tsc` made of it. */
async function bundle(entry: string): Promise<readonly OutputChunk[]> {
  const startsOf = new Map<string, string[]>();
  const build = await rolldown({
    input: { [entry]: join(SRC, `${entry}.ts`) },
    cwd: ROOT,
    platform: 'node',
    // Paths end up in the bundle: the real location of dependencies must not.
    resolve: { symlinks: false },
    external: (id) => !/^[./\0]/.test(id) && !WITHIN.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [keepPlaces, readStarts(startsOf)],
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await build.write({
    dir: DIST,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: {
      groups: GROUPS.map((name, place) => ({
        name,
        test: (id: string) => groupOf(id, startsOf.get(id)) === name,
        // A group takes along what its modules need, unless one before it has that already.
        priority: GROUPS.length - place,
      })),
    },
  });
  return output.filter((file) => file.type === 'chunk');
}

/** A file of sessions is offered to all adapters: a reader needs them all. */
function groupOf(id: string, starts: readonly string[] | undefined): string | undefined {
  if (starts === undefined) return id.startsWith(INGEST) ? 'reading' : undefined;
  return starts.includes('main') ? 'main' : starts.join('-');
}

if (!existsSync(DIST)) throw new Error(`${dirname(DIST)} has no dist/ yet: npm run build`);
rmSync(join(DIST, 'chunks'), { recursive: true, force: true });
const chunks = [...(await bundle('cli/main')), ...(await bundle('session/ingest/reading/read-files-worker'))];
writeFileSync(join(DIST, 'chunks', 'LICENSES.md'), noticesOf(chunks.flatMap(({ moduleIds }) => moduleIds)));
