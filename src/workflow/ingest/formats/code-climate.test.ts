import { describe, expect, it } from 'vitest';
import { importRuns } from '../import-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';

const { write } = tempFolder();
const names = { workflow: 'w', task: 'T1', run: '1' };

describe('Code Climate', () => {
  const issue = {
    type: 'issue',
    check_name: 'no-eval',
    description: 'eval is used',
    fingerprint: 'abc',
    severity: 'major',
    location: { path: './src/a.js', lines: { begin: 4 } },
  };

  it('is read as GitLab writes it', () => {
    const second = {
      ...issue,
      categories: ['Security'],
      severity: 'blocker',
      content: { body: 'Why.' },
      location: { path: 'b.js', positions: { begin: { line: 2 }, end: { line: 3 } } },
    };
    const { runs, mappings } = importRuns(write('gl.json', [issue, second]), names);
    expect(runs[0]?.findings).toEqual([
      {
        id: 'F1',
        title: 'eval is used',
        severity: 'IMPORTANT',
        category: 'no-eval',
        file: 'src/a.js',
        lines: [4, 4],
        labels: [],
      },
      {
        id: 'F2',
        title: 'eval is used',
        description: 'eval is used\nWhy.',
        severity: 'CRITICAL',
        category: 'Security',
        file: 'b.js',
        lines: [2, 3],
        labels: [],
      },
    ]);
    expect(mappings.map(({ from, to }) => `${from} → ${to}`)).toEqual([
      'major → IMPORTANT',
      'blocker → CRITICAL',
      'no-eval → no-eval',
      'Security → Security',
    ]);
  });

  it('may be empty, and may come one issue per line', () => {
    expect(importRuns(write('gl.json', []), names).runs[0]?.findings).toEqual([]);
    expect(importRuns(write('gl.jsonl', `${JSON.stringify(issue)}\n`), names).runs[0]?.findings).toHaveLength(
      1,
    );
  });
});
