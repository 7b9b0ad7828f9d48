import { describe, expect, it } from 'vitest';
import { importRuns } from '../import-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';

const { write } = tempFolder();
const address = 'https://api.github.test/repos/acme/relay/pulls/7';

const comment = (more: object) => ({
  id: 1,
  path: 'src/queue.ts',
  diff_hunk: '@@ -1 +1 @@',
  body: 'Order is not kept.',
  user: { login: 'reviewer-bot' },
  line: 30,
  original_line: 21,
  original_start_line: 20,
  side: 'RIGHT',
  pull_request_url: address,
  ...more,
});
const review = (more: object) => ({
  id: 5,
  user: { login: 'reviewer-bot' },
  body: '',
  state: 'COMMENTED',
  pull_request_url: address,
  ...more,
});

describe('review comments from the REST interface', () => {
  it('are findings at the lines that were reviewed; replies and removed lines are named', () => {
    const list = [
      comment({}),
      comment({ id: 2, in_reply_to_id: 1, user: { login: 'somebody' }, body: 'Fixed.' }),
      comment({ id: 3, side: 'LEFT', body: '**Critical:** why remove this?' }),
      comment({ id: 4, original_line: null, original_start_line: null, line: null, subject_type: 'file' }),
    ];
    const { runs, notes } = importRuns(write('c.json', list));
    expect(runs).toMatchObject([{ workflow: 'reviewer-bot', task: 'acme/relay#7', run: 'c' }]);
    expect(runs[0]?.findings).toEqual([
      { id: 'F1', title: 'Order is not kept.', file: 'src/queue.ts', lines: [20, 21], labels: [] },
      {
        id: 'F2',
        title: '**Critical:** why remove this?',
        severity: 'CRITICAL',
        file: 'src/queue.ts',
        labels: [],
      },
      { id: 'F3', title: 'Order is not kept.', file: 'src/queue.ts', labels: [] },
    ]);
    expect(notes).toContain('replies in a thread, no findings: 1');
    expect(notes).toContain('remarks on lines that the change removes, taken without their lines: 1');
  });

  it('are one run for each author, unless the workflow is named', () => {
    const list = [[comment({})], [comment({ user: { login: 'other-bot' } }), comment({ user: null })]];
    const split = importRuns(write('c.json', list)).runs;
    expect(split.map(({ workflow }) => workflow)).toEqual(['reviewer-bot', 'other-bot', 'unknown author']);
    const one = importRuns(write('c.json', list), { workflow: 'bots' });
    expect(one.runs).toMatchObject([{ workflow: 'bots' }]);
    expect(one.runs[0]?.findings).toHaveLength(3);
    expect(one.notes).toContain(
      'remarks of reviewer-bot (1), other-bot (1), unknown author (1) are taken as one workflow',
    );
  });

  it('of a review are read from its text where that names places', () => {
    const list = [
      review({ body: 'Two things:\n\n- src/a.ts:12 the lock is never released\n- and tests' }),
      review({ body: 'Thanks!', user: { login: 'reviewer-bot' } }),
      review({}),
    ];
    const { runs, notes } = importRuns(write('r.json', list));
    expect(runs[0]?.findings).toMatchObject([{ file: 'src/a.ts', lines: [12, 12] }]);
    expect(notes).toContain('remarks by reviewer-bot that name no place, no findings: 1');
  });

  it('that are not what they should be are refused with their place', () => {
    expect(() => importRuns(write('x.json', [comment({}), { path: 3, body: 'b' }]))).toThrow(/x\.json: 1/);
    expect(() => importRuns(write('y.json', [comment({ path: 'a\u0000b' })]))).toThrow(/y\.json: /);
  });
});

describe('review threads from the GraphQL interface', () => {
  const thread = {
    path: 'src/queue.ts',
    line: null,
    originalLine: 8,
    originalStartLine: null,
    diffSide: 'RIGHT',
    comments: {
      nodes: [
        { body: '[minor] [EDGE] An empty list fails.', author: { login: 'reviewer-bot' } },
        { body: 'True.', author: { login: 'somebody' } },
      ],
    },
  };
  const answer = {
    data: {
      repository: {
        pullRequest: {
          url: 'https://github.test/acme/relay/pull/7',
          reviewThreads: { nodes: [thread] },
          reviews: { nodes: [{ body: '', author: null }] },
        },
      },
    },
  };

  it('are read from the answer as it comes', () => {
    const { runs, notes } = importRuns(write('g.json', answer));
    expect(runs).toMatchObject([{ workflow: 'reviewer-bot', task: 'acme/relay#7' }]);
    expect(runs[0]?.findings).toMatchObject([
      { severity: 'MINOR', category: 'EDGE', file: 'src/queue.ts', lines: [8, 8] },
    ]);
    expect(notes).toContain('replies in a thread, no findings: 1');
  });

  it('without comments or with a list where a thread belongs are refused', () => {
    const bad = { reviewThreads: { nodes: [{ path: 'a.ts' }] } };
    expect(() => importRuns(write('b.json', bad), { task: 'T' })).toThrow(
      /b\.json: reviewThreads\.nodes\.0\.comments: is missing/,
    );
  });
});
