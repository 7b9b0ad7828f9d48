import { describe, expect, it } from 'vitest';
import { checkRunsFitTruth } from '../check-runs-fit-truth.ts';
import { importRuns } from '../import-file.ts';
import { tempFolder } from '../testing/temp-folder.ts';

const { write } = tempFolder();

const score = (more: object = {}) => ({
  instance_id: 'relay__7',
  agent_name: 'tool',
  model: 'model-1',
  category: 'code-review',
  matched_comment_count: 3,
  missed_comment_count: 1,
  incorrect_comment_count: 2,
  precision: 0.6,
  recall: 0.75,
  ...more,
});

describe('scores per instance', () => {
  it('are one run for each instance, with counts and without findings', () => {
    const lines = [score(), score({ instance_id: 'relay__8', matched_comment_count: 0 })];
    const { runs, notes } = importRuns(
      write('r1.jsonl', lines.map((line) => JSON.stringify(line)).join('\n')),
    );
    expect(runs).toMatchObject([
      {
        workflow: 'tool model-1',
        task: 'relay__7',
        run: 'r1',
        findings: [],
        tally: { expected: 4, matched: 3, reported: 5 },
      },
      { task: 'relay__8', tally: { expected: 1, matched: 0, reported: 2 } },
    ]);
    expect(notes).toContain(
      'findings have no identity in it: detection rate, precision and F1 can be had, nothing else',
    );
  });

  it('of an instance that broke off count as nothing found, whatever is written beside it', () => {
    const lost = {
      matched_comment_count: 0,
      missed_comment_count: 0,
      precision: 1,
      recall: 1,
      timeout: true,
    };
    const { runs, notes } = importRuns(
      write('r.json', [
        score({ ...lost, expected_comments: [{}, {}] }),
        score({ ...lost, instance_id: 'relay__9', expected_comments: [] }),
      ]),
    );
    expect(runs).toMatchObject([{ task: 'relay__7', tally: { expected: 2, matched: 0, reported: 0 } }]);
    expect(notes.join('\n')).toMatch(
      /count as 0 found: 1 \(relay__7\)[\s\S]*skipped instances .*: 1 \(relay__9\)/,
    );
  });

  it('cannot be held against a ground truth', () => {
    const { runs } = importRuns(write('r.json', [score()]));
    const truth = { task: 'relay__7', version: '1', categories: [], errors: [], traps: [], hash: '' };
    expect(() => checkRunsFitTruth(truth, runs)).toThrow(/findings have no identity/);
  });

  it('that contradict themselves or say shares alone are refused', () => {
    expect(() => importRuns(write('a.json', [score({ expected_comment_count: 2 })]))).toThrow(
      /a\.json: 0: matched 3 of 2 expected/,
    );
    expect(() =>
      importRuns(write('b.json', [{ instance_id: 'x', agent_name: 't', precision: 0.5, recall: 0.5 }])),
    ).toThrow(/shares alone cannot be added up/);
    expect(() => importRuns(write('c.json', [score({ matched_comment_count: -1 })]))).toThrow(
      /c\.json: 0\.matched/,
    );
  });
});
