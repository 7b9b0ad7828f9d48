import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandFolder } from '../command-folder.ts';

const folder = commandFolder();

/** Runs of two scheduled jobs: one mostly succeeds, one mostly fails. Each request names its day. */
function transcripts(): void {
  const lines: object[] = [];
  for (let i = 0; i < 24; i++) {
    const job = i % 2 === 0 ? 'good' : 'bad';
    const day = String(i + 1).padStart(2, '0');
    const timestamp = `2026-10-${day}T06:00:00Z`;
    const about = { session_id: `${job}-${day}`, timestamp };
    lines.push(
      { type: 'session', ...about, agent: 'nightly', model: 'm', trigger: 'cron' },
      {
        type: 'user',
        ...about,
        origin: 'cron',
        text: `Write the ${job} report of 2026-10-${day} and send it out`,
      },
      {
        type: 'assistant',
        ...about,
        message_id: `m${i}`,
        text: 'The report is written and sent to all who read it.',
        stop: 'end',
      },
      { type: 'end', ...about, reason: 'normal' },
    );
  }
  writeFileSync(join(folder.path, 'runs.jsonl'), `${lines.map((one) => JSON.stringify(one)).join('\n')}\n`);
}

/** Of the first days, so that the last ones are to be predicted. */
function outcomes(days: number): void {
  const rows = Array.from({ length: days }, (_, i) => {
    const day = String(i + 1).padStart(2, '0');
    return i % 2 === 0
      ? `good-${day},${i === 0 ? 'failed' : 'success'}`
      : `bad-${day},${i === 1 ? 'success' : 'failed'}`;
  });
  writeFileSync(join(folder.path, 'outcomes.csv'), `session_id,outcome\n${rows.join('\n')}\n`);
}

async function explained(id: string) {
  const words = ['sessions', 'explain', id, 'runs.jsonl', '--outcomes', 'outcomes.csv'];
  return {
    json: JSON.parse((await folder.assay(...words, '--format', 'json')).stdout),
    text: (await folder.assay(...words)).stdout.replace(/\s+/g, ' '),
  };
}

it('says how likely a session succeeded from known outcomes, the history of its own task first', async () => {
  transcripts();
  outcomes(20);
  const [good, bad] = [await explained('good-23'), await explained('bad-24')];
  expect(good.json.success).toMatchObject({ n: 20, of_task: 10 });
  expect(good.json.success.p).toBeGreaterThan(0.65);
  expect(bad.json.success.p).toBeLessThan(0.35);
  expect(good.text).toMatch(
    /Sessions like this one succeed \d+% of the time \[\d+, \d+\], from 20 known outcomes, 10 of the same task/,
  );
  const rows = (
    await folder.assay('sessions', 'score', 'runs.jsonl', '--outcomes', 'outcomes.csv', '--format', 'jsonl')
  ).stdout;
  const row = rows
    .split('\n')
    .map((line) => line && JSON.parse(line))
    .find((one) => one.session_id === 'good-23');
  expect(row).toMatchObject({
    p_success: good.json.success.p,
    p_success_low: good.json.success.low,
    p_success_n: 20,
  });
  // Whoever is in the sample is predicted without it.
  expect((await explained('good-03')).json.success).toMatchObject({ of_task: 0 });
  const validated = await folder.assay('sessions', 'validate', 'runs.jsonl', '--outcomes', 'outcomes.csv');
  expect(validated.stdout).toContain('P(success) on outcomes that it had not seen');
});

it('says nothing below ten known outcomes', async () => {
  transcripts();
  outcomes(9);
  const { json, text } = await explained('good-23');
  expect(json).toMatchObject({ success: null, known_outcomes: 9 });
  expect(text).toContain('no outcomes known yet (9 of 10)');
});
