import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const INSTRUMENTS = ['decomposition', 'workflow', 'session'];

/**
 * Who may import whom: place → what it may import (`type:` only its types). The first place that fits decides.
 * Everybody may import `errors.ts`, `files.ts` and `locked-file.ts`; nobody imports `index.ts`.
 */
const MAY_IMPORT: readonly (readonly [place: string, allowed: readonly string[]])[] = [
  ['stats/', []],
  ['measure/catalog.ts', INSTRUMENTS.map((name) => `${name}/catalog.ts`)],
  ['measure/', ['stats/']],
  ['judge/', ['measure/', 'stats/']],
  ...INSTRUMENTS.map((name) => [`${name}/documents/`, ['measure/', 'stats/', 'judge/', 'report/']] as const),
  ...INSTRUMENTS.map(
    (name) =>
      [`${name}/`, ['measure/', 'stats/', 'judge/composite.ts', 'judge/tier.ts', 'type:judge/']] as const,
  ),
  ['report/', ['measure/', 'judge/', 'stats/']],
  [
    'store/',
    [
      'type:measure/',
      'type:judge/',
      'session/columns.ts',
      ...INSTRUMENTS.map((name) => `type:${name}/evidence.ts`),
    ],
  ],
  ['pipeline.ts', ['measure/', 'judge/', 'store/', 'report/', ...INSTRUMENTS.map((name) => `${name}/`)]],
  [
    'config.ts',
    [
      'evaluate-config.ts',
      'suggest.ts',
      'store/open.ts',
      'session/profiles/task-type.ts',
      'decomposition/evidence.ts',
      ...INSTRUMENTS.map((name) => `${name}/weights.ts`),
    ],
  ],
  [
    'api/',
    [
      'measure/metric.ts',
      'session/columns.ts',
      'type:measure/',
      'type:judge/',
      'type:store/',
      ...INSTRUMENTS.map((name) => `type:${name}/`),
      'report/testing/',
    ],
  ],
  [
    'operations/',
    [
      'pipeline.ts',
      'measure/',
      'judge/',
      'store/',
      'stats/',
      'api/',
      'config.ts',
      'suggest.ts',
      ...INSTRUMENTS.map((name) => `${name}/`),
    ],
  ],
  ['config-reference.ts', ['config.ts']],
  ['index.ts', ['']],
  ['cli/', ['']],
];

const ALWAYS = ['errors.ts', 'files.ts', 'locked-file.ts'];
const BLIND = ['judge/', 'report/', 'stats/', 'measure/metric.ts'];

type Import = { from: string; to: string; typeOnly: boolean };

const sources = globSync('src/**/*.ts')
  .map((path) => path.slice('src/'.length))
  .filter((path) => !path.endsWith('.d.ts'));
const read = (path: string) => readFileSync(join('src', path), 'utf8');

function importsOf(path: string): Import[] {
  const statements = read(path).matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s+)?([^;'"]*?)from\s+'(\.[^']+)'/g,
  );
  const dynamic = read(path).matchAll(/import\('(\.[^']+)'\)/g);
  const resolved = (to: string) => normalize(join(dirname(path), to));
  return [
    ...[...statements].map(([, type, names = '', to = '']) => ({
      from: path,
      to: resolved(to),
      typeOnly: type !== undefined || /^\{(\s*type\s+\w+( as \w+)?,?)+\s*\}\s*$/.test(names),
    })),
    ...[...dynamic].map(([, to = '']) => ({ from: path, to: resolved(to), typeOnly: false })),
  ];
}

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const [place, allowed] = MAY_IMPORT.find(([start]) => from.startsWith(start)) ?? ['', []];
  if (to === 'index.ts') return false;
  if (ALWAYS.includes(to) || (place.endsWith('/') && to.startsWith(place))) return true;
  if (place === 'measure/catalog.ts' && to === 'measure/metric.ts') return true;
  return allowed.some((rule) =>
    rule.startsWith('type:') ? typeOnly && to.startsWith(rule.slice('type:'.length)) : to.startsWith(rule),
  );
}

describe('the architecture', () => {
  it('reads imports from every source file', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(importsOf('pipeline.ts').length).toBeGreaterThan(3);
  });

  it('lets each folder import only what the table allows', () => {
    const production = sources.filter((path) => !path.endsWith('.test.ts') && !path.includes('/testing/'));
    const forbidden = production.flatMap(importsOf).filter((one) => !isAllowed(one));
    expect(forbidden.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it('keeps the shared folders blind to the instruments', () => {
    const names = new RegExp(`\\b(${INSTRUMENTS.join('|')})s?\\b`, 'i');
    const seeing = sources
      .filter((path) => BLIND.some((start) => path.startsWith(start)))
      .flatMap((path) =>
        read(path)
          .split('\n')
          .flatMap((line, index) => (names.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
      );
    expect(seeing).toEqual([]);
  });

  it('has no folders that collect what has no place', () => {
    const homeless = sources.filter((path) =>
      /(^|\/)(utils?|shared|common|helpers?|lib|misc)(\/|\.ts$)/.test(path),
    );
    expect(homeless).toEqual([]);
  });

  it('imports the database and its language only in the store', () => {
    const sql = sources.filter((path) => !path.startsWith('store/') && /node:sqlite/.test(read(path)));
    expect(sql.filter((path) => !path.startsWith('session/ingest/'))).toEqual([]);
  });
});
