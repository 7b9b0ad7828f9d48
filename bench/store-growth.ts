/**
 * How a store grows: `node bench/store-growth.ts [sessions [store]]` (a million by default, which takes ten minutes). Makes
 * stores of a hundredth and a tenth as many sessions over the same half year, and of all of them unless a store is named
 * that `store-answers.ts` or `dashboard.ts` made of as many. Prints for each what a session takes on disk, what storing them
 * costs the processor, and what questions cost. The last column is no measurement but a projection to ten times as many:
 * what the last step changed, once more.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/store/open.ts';
import { FILTERS, portsOver, QUESTIONS } from './store-questions.ts';
import { fillStore } from './store-sessions.ts';

const LARGEST = Number(process.argv[2] ?? 1_000_000);
const SIZES = [LARGEST / 100, LARGEST / 10, LARGEST];
const ROUNDS = 7;
const ASKED = [
  ['overview', ''],
  ['overview', 'one month'],
  ['roi by model', ''],
  ['roi by project', 'one month'],
  ['totals by project', ''],
  ['totals by project', 'since 7d'],
  ['frontier', ''],
  ['needs attention', ''],
  ['digest of a week', ''],
  ['list newest', ''],
  ['list longest', 'agent, model, since 30d'],
] as const;

type Grown = Map<string, number>;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

async function measure(path: string, count: number): Promise<Grown> {
  const grown: Grown = new Map();
  if (!existsSync(path))
    grown.set('seconds to store a million', ((await fillStore(path, count)) / count) * 1e6);
  grown.set('bytes of a session', statSync(path).size / count);
  const store = await openStore(path);
  const ports = portsOver(store);
  for (const [question, filter] of ASKED) {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const start = cpuMs();
      await QUESTIONS[question]?.({ from: 'store', filter: FILTERS[filter] ?? {} }, ports);
      times.push(cpuMs() - start);
    }
    grown.set(`ms: ${question}${filter === '' ? '' : `, ${filter}`}`, median(times.slice(1)));
  }
  await store.close();
  return grown;
}

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
try {
  const sizes: Grown[] = [];
  for (const size of SIZES) {
    const named = size === LARGEST ? process.argv[3] : undefined;
    sizes.push(await measure(named ?? join(folder, `${size}.db`), size));
  }
  const heads = [
    ...SIZES.map((size) => size.toLocaleString('en')),
    `${(LARGEST * 10).toLocaleString('en')} (projected)`,
  ];
  console.log(
    ['', ...heads].map((head, i) => (i === 0 ? head.padEnd(46) : head.padStart(i === 4 ? 24 : 11))).join(''),
  );
  const say = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(value < 100 ? 1 : 0));
  for (const name of sizes[0]?.keys() ?? []) {
    const [, middle, last = middle] = sizes.map((grown) => grown.get(name));
    const projected = middle === undefined || last === undefined ? undefined : (last * last) / middle;
    const values = [...sizes.map((grown) => say(grown.get(name)).padStart(11)), say(projected).padStart(24)];
    console.log(name.padEnd(46) + values.join(''));
  }
} finally {
  rmSync(folder, { recursive: true });
}
