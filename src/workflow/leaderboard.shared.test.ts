import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cellOfTallies, rank } from './leaderboard.ts';

const FOLDER = '../shared/data/workflow/martian/offline/results';

type Verdicts = {
  readonly skipped?: boolean;
  readonly tp: number;
  readonly fn: number;
  readonly total_candidates: number;
};

describe.skipIf(!existsSync(FOLDER))(`twelve tools on fifty pull requests (needs ${FOLDER})`, () => {
  it('are twelve rows, each with an interval, and 66 corrected pairs', () => {
    const evaluations = JSON.parse(
      readFileSync(`${FOLDER}/openai_gpt-5.2/evaluations.json`, 'utf8'),
    ) as Record<string, Record<string, Verdicts>>;
    const cells = Object.entries(evaluations).flatMap(([task, tools]) =>
      Object.entries(tools)
        .filter(([, { skipped }]) => skipped !== true)
        .map(([workflow, { tp, fn, total_candidates }]) => ({
          workflow,
          task,
          // The labels credit one candidate with several errors in places; more cannot be right than was said.
          cell: cellOfTallies([
            { expected: tp + fn, matched: Math.min(tp, total_candidates), reported: total_candidates },
          ]),
        })),
    );
    const entrants = [...Map.groupBy(cells, ({ workflow }) => workflow)].map(([workflow, own]) => ({
      workflow,
      tasks: new Map(own.map(({ task, cell }) => [task, cell])),
    }));
    const { rows, pairs, tasks } = rank(entrants);
    expect([rows.length, tasks.length, pairs.length]).toEqual([12, 50, 66]);
    expect(rows.every(({ f1 }) => f1.measured && f1.low !== undefined)).toBe(true);
    expect(pairs.every(({ p, holm }) => holm >= p)).toBe(true);
  });
});
