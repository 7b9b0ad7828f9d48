import { describe, expect, it } from 'vitest';
import { collectRuns } from '../collect-runs.ts';
import { importRuns } from '../import-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';

const { write, at } = tempFolder();
const names = { workflow: 'w', task: 'T1' };
const findingsIn = (text: string) => importRuns(write('review.md', text), names).runs[0]?.findings ?? [];
const places = (text: string) => findingsIn(text).map(({ file, lines }) => [file, lines]);

describe('a review in Markdown', () => {
  it.each([
    ['- src/a.ts:12 the lock stays', ['src/a.ts', [12, 12]]],
    ['* `src/a.ts:12-14` the lock stays', ['src/a.ts', [12, 14]]],
    ['1. **src/a.ts:12:5** the lock stays', ['src/a.ts', [12, 12]]],
    ['- a/b/c.py#L3-L5: wrong', ['a/b/c.py', [3, 5]]],
    ['- `main.go` (line 7): wrong', ['main.go', [7, 7]]],
    ['- main.go, lines 7–9, wrong', ['main.go', [7, 9]]],
    ['- In main.go at line 7 the sum is wrong', ['main.go', [7, 7]]],
    ['- [the sum](src/sum.rs#L4) is wrong', ['src/sum.rs', [4, 4]]],
    ['- [here](https://host.test/o/r/blob/abc/src/sum.rs#L4-L6) it is wrong', ['src/sum.rs', [4, 6]]],
    ['### src/a.ts:12 The lock stays\n\nIt is never released.', ['src/a.ts', [12, 12]]],
    ['**src/a.ts:12** – the lock stays', ['src/a.ts', [12, 12]]],
    ['## src/a.ts\n\n- Line 12: the lock stays', ['src/a.ts', [12, 12]]],
    ['- src/a.ts\n  - L12-L13 the lock stays', ['src/a.ts', [12, 13]]],
    ['- `app/[id]/page.tsx`: nothing checks the id', ['app/[id]/page.tsx', undefined]],
  ])('reads the place in %j', (text, place) => {
    expect(places(text)).toEqual([place]);
  });

  it.each([
    ['prose with a place in passing', 'This was tried before in src/a.ts:12 and it failed.\n\n- b.ts:1 x', 1],
    ['an address with a port', '- see https://host.test:443/x and localhost:3000\n- b.ts:1 x', 1],
    ['places in a code block', '- b.ts:1 x\n\n```\n- c.ts:2 no\n```\n', 1],
    ['items below a finding', '### b.ts:1 x\n\n- also c.ts:2\n- and d.ts:3', 1],
    ['a version number', '- needs v1.2:3\n- b.ts:1 x', 1],
  ])('does not take %s for a finding of its own', (_, text, n) => {
    expect(findingsIn(text)).toHaveLength(n);
  });

  it('reads severity, category, quote and the rest of the text', () => {
    const page = [
      '# Review',
      '',
      '## Critical issues',
      '',
      '- src/a.ts:3 The lock stays',
      '  because nobody releases it.',
      '  > lock.acquire()',
      '- [minor] [EDGE] src/b.ts:9 An empty list fails',
      '',
      '## Other',
      '',
      '- **Major:** src/c.ts:1 Slow',
      '- write more tests',
    ].join('\n');
    const { runs, notes } = importRuns(write('review.md', page), names);
    expect(runs[0]?.findings).toMatchObject([
      {
        title: 'src/a.ts:3 The lock stays',
        description: 'src/a.ts:3 The lock stays\nbecause nobody releases it.',
        severity: 'CRITICAL',
        quote: 'lock.acquire()',
      },
      { severity: 'MINOR', category: 'EDGE', file: 'src/b.ts' },
      { severity: 'IMPORTANT', file: 'src/c.ts' },
    ]);
    expect(notes).toContain('list items that name no place, no findings: 1');
  });

  it('that names no place found nothing, in whatever words it says so', () => {
    expect(findingsIn('I read all of it. No issues found.')).toEqual([]);
    expect(findingsIn('Everything is in good shape.')).toEqual([]);
    expect(() => findingsIn('')).toThrow(/is no run of a review but something unknown/);
    expect(() => findingsIn('# Ground truth: T1, version 1\n\n- a.ts:1 x')).toThrow(/is no run/);
  });

  it('is every page of a folder but its README', () => {
    write('runs/1.md', '- a.ts:1 x');
    write('runs/2.md', 'LGTM');
    write('runs/README.md', '- a.ts:1 how to read this');
    write('runs/3.txt', 'what we will do');
    expect(collectRuns([at('runs')], names).runs.map(({ run }) => run)).toEqual(['1', '2', '3']);
    write('runs/crash.log', 'segmentation fault');
    expect(() => collectRuns([at('runs')], names)).toThrow(/crash\.log/);
  });

  it('takes no time for lines made to take long', () => {
    const hostile = [
      `- ${'a/'.repeat(20_000)}`,
      `- ${'a.'.repeat(20_000)}:1`,
      `${'['.repeat(40_000)}`,
      '- b.ts:1 x',
    ];
    expect(findingsIn(hostile.join('\n'))).toMatchObject([{ file: 'b.ts' }]);
  });
});
