import { describe, expect, it } from 'vitest';
import { importRuns } from '../import-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';

const { write } = tempFolder();
const names = { workflow: 'w', task: 'T1', run: '1' };

describe('reviewdog', () => {
  const diagnostic = (severity: unknown, line = 14, end = line) => ({
    message: 'Unused variable',
    location: { path: 'src/a.go', range: { start: { line, column: 2 }, end: { line: end } } },
    severity,
    code: { value: 'SA4006', url: 'https://example.org' },
  });

  it('is read as rdjson', () => {
    const log = {
      source: { name: 'staticcheck' },
      severity: 'WARNING',
      diagnostics: [diagnostic('ERROR'), diagnostic(undefined), diagnostic('UNKNOWN_SEVERITY')],
    };
    const { runs, mappings } = importRuns(write('r.rdjson', log), { task: 'T1' });
    expect(runs[0]).toMatchObject({ workflow: 'staticcheck', run: 'r' });
    expect(runs[0]?.findings.map(({ severity }) => severity)).toEqual(['CRITICAL', 'IMPORTANT', undefined]);
    expect(runs[0]?.findings[0]).toMatchObject({ category: 'SA4006', file: 'src/a.go', lines: [14, 14] });
    expect(mappings.filter(({ field }) => field === 'severity')).toHaveLength(3);
  });

  it('is read as rdjsonl, one diagnostic per line, and an empty file is a run that found nothing', () => {
    const text = `${JSON.stringify(diagnostic('INFO'))}\n${JSON.stringify(diagnostic('ERROR'))}\n`;
    expect(importRuns(write('r.rdjsonl', text), names).runs[0]?.findings).toHaveLength(2);
    expect(importRuns(write('r.rdjsonl', ''), names).runs[0]?.findings).toEqual([]);
  });

  it('may write its severities as numbers', () => {
    const diagnostics = [1, 2, 3, 0].map((severity) => diagnostic(severity));
    const { runs } = importRuns(write('r.rdjson', { diagnostics }), names);
    expect(runs[0]?.findings.map(({ severity }) => severity)).toEqual([
      'CRITICAL',
      'IMPORTANT',
      'MINOR',
      undefined,
    ]);
  });

  it('with an unknown severity is refused at its line', () => {
    const text = `${JSON.stringify(diagnostic('INFO'))}\n${JSON.stringify(diagnostic('HINT'))}\n`;
    expect(() => importRuns(write('r.rdjsonl', text), names)).toThrow(
      /r\.rdjsonl:2: diagnostics\.1\.severity: "HINT" is no severity of reviewdog rdjson; valid are ERROR, WARNING, INFO/,
    );
  });

  it('with a range that ends before it begins is refused', () => {
    expect(() => importRuns(write('r.rdjson', { diagnostics: [diagnostic('INFO', 9, 4)] }), names)).toThrow(
      /ends at line 4, before it begins at line 9/,
    );
  });
});
