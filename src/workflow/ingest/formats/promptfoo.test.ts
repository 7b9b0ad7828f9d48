import { describe, expect, it } from 'vitest';
import { importRuns } from '../import-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';

const { write } = tempFolder();
const MARKDOWN = '- [critical] src/a.ts:12 The retry has no bound\n- src/a.ts:30 Keys are logged\n';
const row = (output: unknown, more: object = {}) => ({
  testIdx: 0,
  promptIdx: 0,
  provider: { id: 'openai:gpt-5', label: 'careful' },
  prompt: { raw: 'Review …', label: 'Review {{text}}' },
  testCase: { metadata: { task: 'T1' } },
  vars: { text: 'x' },
  response: { output },
  ...more,
});
const results = (...rows: object[]) =>
  write('results.json', { evalId: 'e', results: { version: 3, results: rows } });

describe('results of promptfoo', () => {
  it('are a run for each answer, repeats counted', () => {
    const { runs } = importRuns(results(row(MARKDOWN), row('No findings.')));
    expect(runs.map(({ workflow, task, run, findings }) => [workflow, task, run, findings.length])).toEqual([
      ['careful', 'T1', '1', 2],
      ['careful', 'T1', '2', 0],
    ]);
    expect(runs[0]?.findings[0]).toMatchObject({ file: 'src/a.ts', lines: [12, 12], severity: 'CRITICAL' });
  });

  it('may answer with findings as JSON, and have a workflow for each prompt with a name', () => {
    const findings = [{ title: 'The retry has no bound', file: 'src/a.ts', lines: [12, 12] }];
    const said = `\`\`\`json\n${JSON.stringify({ findings })}\n\`\`\``;
    const { runs } = importRuns(results(row(said, { prompt: { label: 'review-2' } }), row({ findings })));
    expect(runs.map(({ workflow, findings: found }) => [workflow, found.length])).toEqual([
      ['careful-review-2', 1],
      ['careful', 1],
    ]);
  });

  it('count what gave no answer as a review that found nothing', () => {
    const { runs, notes } = importRuns(results(row(MARKDOWN), row(undefined, { error: 'timeout' })));
    expect(runs.map(({ findings }) => findings.length)).toEqual([2, 0]);
    expect(notes).toContain('executions that gave no answer, which count as reviews that found nothing: 1');
  });

  it('are refused where nothing says what was reviewed', () => {
    expect(importRuns(results(row('It looks fine to me.'))).runs[0]?.findings).toEqual([]);
    expect(() => importRuns(results(row({ x: 1 })))).toThrow('is not a supported review format');
    expect(() => importRuns(results(row(MARKDOWN, { testCase: {} })))).toThrow('does not name its task');
    expect(importRuns(results(row(MARKDOWN, { testCase: {} })), { task: 'T2' }).runs[0]?.task).toBe('T2');
  });
});
