import { describe, expect, it } from 'vitest';
import { importRuns } from '../import-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';

const { write } = tempFolder();
const names = { task: 'T1', run: '1' };

const result = {
  check_id: 'rules.sql-string',
  path: './app/db.py',
  start: { line: 12, col: 5 },
  end: { line: 13, col: 9 },
  extra: {
    message: 'The query is put together from text.',
    severity: 'ERROR',
    lines: '    run("select " + name)',
    metadata: { cwe: ['CWE-89: SQL injection'], category: 'security' },
  },
};
const report = (results: unknown[], errors: unknown[] = []) => ({
  version: '1.9.0',
  results,
  errors,
  paths: { scanned: ['app/db.py'] },
});

describe('Semgrep', () => {
  it('is read with the weakness as the category and the matched lines as the quote', () => {
    const { runs, mappings } = importRuns(write('s.json', report([result])), names);
    expect(runs).toMatchObject([{ workflow: 'Semgrep 1.9.0', task: 'T1' }]);
    expect(runs[0]?.findings).toEqual([
      {
        id: 'F1',
        title: 'The query is put together from text.',
        severity: 'CRITICAL',
        category: 'CWE-89',
        file: 'app/db.py',
        lines: [12, 13],
        quote: 'run("select " + name)',
        labels: [],
      },
    ]);
    expect(mappings).toContainEqual(
      expect.objectContaining({ from: 'rules.sql-string', to: 'CWE-89', because: 'tag of the rule' }),
    );
  });

  it('leaves out what is ignored, and says what it could not do', () => {
    const ignored = { ...result, extra: { ...result.extra, is_ignored: true } };
    const plain = { ...result, extra: { severity: 'INFO', lines: 'requires login' } };
    const { runs, notes } = importRuns(
      write('s.json', report([ignored, plain], [{ level: 'error' }, { level: 'warn' }])),
      names,
    );
    expect(runs[0]?.findings).toMatchObject([{ title: 'rules.sql-string', severity: 'MINOR' }]);
    expect(runs[0]?.findings[0]?.quote).toBeUndefined();
    expect(notes).toContain('results that are ignored, no findings: 1');
    expect(notes).toContain('errors that the tool met, so that it may have missed something: 1');
  });

  it('may be clean', () => {
    expect(importRuns(write('s.json', report([])), names).runs[0]?.findings).toEqual([]);
  });
});
