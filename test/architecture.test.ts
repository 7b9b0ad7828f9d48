import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { INSTRUMENTS, isAllowed, readImportTable, rowFor } from './import-table.ts';
import { codeOf, importsOf, production, read, sources } from './sources.ts';

const BLIND = ['judge/', 'report/', 'stats/', 'measure/metric.ts'];

const rules = readImportTable();
const forbidden = production.flatMap(importsOf).filter((one) => !isAllowed(rules, one));

function linesWith(pattern: RegExp, paths: readonly string[], textOf: (path: string) => string): string[] {
  return paths.flatMap((path) =>
    textOf(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
}

describe('the architecture', () => {
  it('reads imports from every source file', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(importsOf('pipeline.ts').length).toBeGreaterThan(3);
  });

  it('has a row in the table for every file', () => {
    expect(rules.everywhere).toContain('errors.ts');
    expect(production.filter((path) => rowFor(rules, path) === undefined)).toEqual([]);
  });

  it('lets each folder import only what the table allows', () => {
    expect(forbidden.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it('refuses what the table does not allow', () => {
    const judge = { from: 'judge/gate.ts', typeOnly: false };
    expect(isAllowed(rules, { ...judge, to: 'measure/metric.ts' })).toBe(true);
    expect(isAllowed(rules, { ...judge, to: 'report/html.ts' })).toBe(false);
    expect(isAllowed(rules, { ...judge, to: 'index.ts' })).toBe(false);
    const session = { from: 'session/score.ts', to: 'judge/gate.ts' };
    expect(isAllowed(rules, { ...session, typeOnly: true })).toBe(true);
    expect(isAllowed(rules, { ...session, typeOnly: false })).toBe(false);
  });

  it('runs every test that reads the shared data by `npm run test:shared`', () => {
    const words: string = JSON.parse(readFileSync('package.json', 'utf8')).scripts['test:shared'];
    const filters = words.split(' ').slice(2);
    const DATA = ['..', 'shared'].join('/');
    const readers = globSync('{src,test}/**/*.test.ts').filter((path) =>
      readFileSync(path, 'utf8').includes(`${DATA}/`),
    );
    expect(readers.length).toBeGreaterThan(20);
    expect(readers.filter((path) => !filters.some((filter) => path.includes(filter)))).toEqual([]);
  });

  it('keeps the shared folders blind to the instruments', () => {
    const names = new RegExp(`\\b(${INSTRUMENTS.join('|')})s?\\b`, 'i');
    const shared = sources.filter((path) => BLIND.some((start) => path.startsWith(start)));
    expect(linesWith(names, shared, read)).toEqual([]);
  });

  it('keeps operations free of the process, its arguments and the terminal', () => {
    const operations = production.filter((path) => path.startsWith('operations/'));
    expect(
      linesWith(/\bprocess\b\.|node:process|\bargv\b|\bterminal\b|\bArguments\b/i, operations, codeOf),
    ).toEqual([]);
    expect(linesWith(/\bnew Date\(\)|\bDate\.now\b/, operations, codeOf)).toEqual([
      expect.stringContaining('operations/default-ports.ts'),
    ]);
  });

  it('names commands and options only where they are typed: operations and instruments hand out steps as data', () => {
    const silent = production.filter(
      (path) =>
        path.startsWith('operations/') ||
        (INSTRUMENTS.some((name) => path.startsWith(`${name}/`)) &&
          !path.includes('/views/') &&
          // These speak of the options of other programs.
          !path.startsWith('session/ingest/formats/') &&
          !path.startsWith('session/fold/shell-') &&
          !path.startsWith('session/outcomes/') &&
          !path.startsWith('session/verify/') &&
          path !== 'workflow/other-programs.ts'),
    );
    const hints = linesWith(
      /['"`](.*[^\w-])?--[a-z]|\bassay (?:decomposition|workflow|sessions|runs) /,
      silent,
      codeOf,
    );
    // An option of the engine, or of git, is no word of ours.
    expect(hints.filter((line) => !/setFlagsFromString|diff --git/.test(line))).toEqual([]);
  });

  it('reads no input in the command line', () => {
    const cli = production.filter((path) => path.startsWith('cli/'));
    expect(linesWith(/readFile|readText|readJson|readBytes|createReadStream/, cli, codeOf)).toEqual([]);
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
