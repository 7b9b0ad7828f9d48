import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assayIn } from '../command-folder.ts';

const EXAMPLE = resolve('examples/workflow');
const TRUTH = join(EXAMPLE, 'truth/webhook-relay.yaml');
const RUNS = join(EXAMPLE, 'runs');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-leaderboard-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const assay = (...words: string[]) => assayIn(folder, ['workflow', ...words]);

describe('a leaderboard', () => {
  it('reads scores per instance without a ground truth, and says what they cannot tell', async () => {
    const line = (agent: string, id: number, matched: number) =>
      JSON.stringify({
        instance_id: `task-${id}`,
        agent_name: agent,
        matched_comment_count: matched,
        missed_comment_count: 4 - matched,
        incorrect_comment_count: 1,
      });
    for (const [agent, matched] of [
      ['one', 3],
      ['two', 1],
    ] as const) {
      const lines = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => line(agent, id, matched));
      writeFileSync(join(folder, `${agent}.jsonl`), lines.join('\n'));
    }
    const { status, stdout, stderr } = await assay('leaderboard', '--runs', 'one.jsonl', 'two.jsonl');
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('one has the highest F1, 0.75 (2 workflows on 8 tasks).');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('findings have no identity, so DR, P and F1 are all');
    const refused = await assay('score', '--truth', TRUTH, '--runs', 'one.jsonl');
    expect(refused.status).toBe(3);
    expect(refused.stderr).toContain('findings have no identity');
    expect(refused.stderr).toContain('assay workflow leaderboard');
  });
});

describe('reviews are read as they were asked for', () => {
  it('two workflows among the same runs are compared by their names', async () => {
    const { status, stdout, stderr } = await assay(
      'compare',
      'review-1',
      'review-2',
      '--truth',
      TRUTH,
      '--runs',
      RUNS,
    );
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('review-1 → review-2');
    const unknown = await assay('compare', 'review-1', 'review-3', '--truth', TRUTH, '--runs', RUNS);
    expect(unknown.stderr).toContain('there is no workflow "review-3"');
    expect((await assay('compare', 'a', 'b', 'c', '--truth', TRUTH)).stderr).toContain('"c" is a third');
  });

  it('another line tolerance is another matcher, by option or by configuration', async () => {
    const score = async (...more: string[]) => {
      const { stdout, stderr } = await assay(
        ...['score', '--truth', TRUTH, '--runs', join(RUNS, 'review-1'), '--format', 'json', ...more],
      );
      return /"(?:scorer|matcher_version|matcher)": "([^"]*)"/.exec(stdout)?.[1] ?? stderr;
    };
    expect(await score()).not.toContain('lines.');
    expect(await score('--line-tolerance', '8')).toContain('lines.8');
    writeFileSync(join(folder, 'assay.config.json'), JSON.stringify({ workflow: { lineTolerance: 5 } }));
    expect(await score()).toContain('lines.5');
    expect(await score('--line-tolerance', 'many')).toContain('is a whole number');
  });

  it('a minimum on the wrong scale is refused with the right spelling', async () => {
    const min = (text: string) =>
      assay('score', '--truth', TRUTH, '--runs', join(RUNS, 'review-1'), '--min', text);
    const share = await min('dr=0.6');
    expect(share.status).toBe(3);
    expect(share.stderr.replaceAll(/\s+/g, ' ')).toContain('For 60 percent write dr=60.');
    expect((await min('precision=70')).stderr.replaceAll(/\s+/g, ' ')).toContain(
      'For 70 percent write precision=0.7.',
    );
  });
});
