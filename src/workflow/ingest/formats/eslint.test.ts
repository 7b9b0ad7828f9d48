import { describe, expect, it } from 'vitest';
import { importRuns } from '../import-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';

const { write } = tempFolder();
const names = { task: 'T1', run: '1' };

const results = [
  {
    filePath: '/srv/app/src/a.js',
    messages: [
      { ruleId: 'no-eval', severity: 2, message: 'eval is used.', line: 4, endLine: 5, column: 1 },
      { ruleId: null, severity: 1, message: 'An unused directive.', line: 0 },
    ],
    errorCount: 1,
  },
  {
    filePath: '/srv/app/src/b.js',
    messages: [{ ruleId: null, fatal: true, severity: 2, message: 'It does not parse.', line: 1 }],
  },
];

describe('ESLint', () => {
  it('is read as a list of files and with metadata beside it', () => {
    const { runs, notes } = importRuns(write('e.json', results), names);
    expect(runs[0]?.findings).toEqual([
      {
        id: 'F1',
        title: 'eval is used.',
        severity: 'CRITICAL',
        category: 'no-eval',
        file: '/srv/app/src/a.js',
        lines: [4, 5],
        labels: [],
      },
      {
        id: 'F2',
        title: 'An unused directive.',
        severity: 'IMPORTANT',
        file: '/srv/app/src/a.js',
        labels: [],
      },
    ]);
    expect(notes.join('\n')).toContain(
      'files that the tool could not parse, so that it found nothing in them: 1 (/srv/app/src/b.js)',
    );
    const wrapped = importRuns(write('m.json', { results, metadata: { cwd: '/srv/app' } }), names);
    expect(wrapped.runs[0]?.findings).toEqual(runs[0]?.findings);
  });
});
