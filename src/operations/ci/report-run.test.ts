import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultPorts } from '../default-ports.ts';
import { type CiReportRequest, reportRun } from './report-run.ts';

let folder = '';
const at = (name: string) => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-report-'));
  mkdirSync(at('golden'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const HOSTILE = 'x\n::error::made up, <img src=x> [a](b) @all';

function writeResult(ids: readonly string[], missed: readonly string[]): void {
  const cases = ids.map((id) => ({ id, metrics: {}, zone: 'fail', notes: [], failed: true, missed }));
  const run = {
    id: '1',
    at: '2026-11-16T09:00:00Z',
    instrument: 'decomposition',
    subject: HOSTILE,
    scorer: 's',
  };
  const suite = { truth_hash: null, n_cases: ids.length, n_errored: 0, metrics: {} };
  const gate = { verdict: 'blocked', exit_code: 1, reasons: [HOSTILE], checks: [] };
  const result = { format: 'assay-run', version: 2, run, suite, cases, gate, trends: [], notes: [] };
  writeFileSync(at('result.json'), JSON.stringify(result));
}

function report(more: Partial<CiReportRequest> = {}) {
  const environment = { GITHUB_WORKSPACE: folder, GITHUB_STEP_SUMMARY: at('summary.md') };
  const given = { host: 'github', environment, name: 'assay', comments: false } as const;
  return reportRun({ ...given, result: at('result.json'), golden: at('golden'), ...more }, defaultPorts());
}

describe('a run told to CI', () => {
  it('points at lines of golden files that are there, and at no other file', async () => {
    writeFileSync(at('golden/marsh.gold.json'), '{\n "a": "silt",\n "b": "peat"\n}');
    writeFileSync(at('secret.gold.json'), '{}');
    writeResult(['marsh', '../secret', 'gone'], ['peat', 'salt']);
    const { remarks, exitCode } = await report();
    expect(exitCode).toBe(1);
    expect(remarks.map(({ path, line }) => [path, line])).toEqual([
      ['golden/marsh.gold.json', 3],
      ['golden/marsh.gold.json', 1],
    ]);
  });

  it('points at the errors of a ground truth that most runs of a review missed', async () => {
    writeFileSync(at('truth.yaml'), 'errors:\n  - id: E10\n  - id: E1\n  - id: E2\n');
    writeResult([], []);
    const result = JSON.parse(readFileSync(at('result.json'), 'utf8')) as object;
    const runs = [{ missed: ['E1', 'E2'] }, { missed: ['E1'] }, { missed: [] }];
    writeFileSync(at('result.json'), JSON.stringify({ ...result, runs }));
    const { annotations } = await report({ truth: at('truth.yaml'), sarif: at('a.sarif') });
    expect(annotations).toEqual([
      '::error file=truth.yaml,line=3,title=missed-error::E1: missed in 2 of 3 runs',
    ]);
    expect(readFileSync(at('a.sarif'), 'utf8')).toContain('"ruleId": "missed-error"');
  });

  it('says nothing that a runner or a page takes for more than words', async () => {
    writeFileSync(at(`golden/${HOSTILE}.gold.json`), '{}');
    writeResult([HOSTILE], ['100%\r\n::warning::x']);
    const { annotations } = await report({
      sarif: at('a.sarif'),
      codeQuality: at('q.json'),
      junit: at('j.xml'),
    });
    expect(annotations).toHaveLength(1);
    expect(annotations[0]).toMatch(
      /^::error file=golden\/x␊%3A%3Aerror%3A%3Amade up%2C [^\n\r]+,line=1,title=missed-concept::[^\n\r]+$/,
    );
    expect(annotations[0]).toContain('100%25␍␊::warning::x');
    const summary = readFileSync(at('summary.md'), 'utf8');
    expect(summary).toContain('&lt;img src=x&gt;');
    expect(summary).not.toMatch(/<img|@all|(?<!\\)\]\(|^::/m);
    for (const name of ['a.sarif', 'q.json']) JSON.parse(readFileSync(at(name), 'utf8'));
    expect(readFileSync(at('j.xml'), 'utf8')).not.toContain('<img');
  });

  it('shows ten annotations and says how many more there are', async () => {
    writeFileSync(at('golden/marsh.gold.json'), '{}');
    writeResult(
      ['marsh'],
      Array.from({ length: 14 }, (_, i) => `concept ${i}`),
    );
    const { annotations } = await report();
    expect(annotations).toHaveLength(11);
    expect(annotations.at(-1)).toBe('::notice::4 more; the job summary has all of them');
  });

  it.each([
    ['is not there', undefined],
    ['is another file', '{}'],
    ['was cut off', '{"format":'],
  ])('is never green, and closes no earlier finding, where the result %s', async (_, text) => {
    if (text !== undefined) writeFileSync(at('result.json'), text);
    writeFileSync(at('a.sarif'), 'of an earlier run');
    const none = await report({ sarif: at('a.sarif'), codeQuality: at('q.json'), junit: at('j.xml') });
    expect(none).toMatchObject({ exitCode: 3, verdict: 'could not run' });
    expect(none.annotations).toEqual([expect.stringMatching(/^::error::.*result\.json/)]);
    expect(readdirSync(folder)).not.toContain('a.sarif');
    expect(readdirSync(folder)).not.toContain('q.json');
    expect(readFileSync(at('j.xml'), 'utf8')).toMatch(/errors="1"[\s\S]*<error/);
    expect(readFileSync(at('summary.md'), 'utf8')).toContain('Could not run');
  });
});
