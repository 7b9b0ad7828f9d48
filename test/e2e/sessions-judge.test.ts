import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionJudgements } from '../../src/api/schema/calibration.ts';
import { sessionRow } from '../../src/api/schema/session-row.ts';
import {
  type ModelServer,
  type Reply,
  type SeenRequest,
  startModelServer,
} from '../../src/model/testing/model-server.ts';
import { assayIn } from '../command-folder.ts';

const KEY = 'sk-test-9f8e7d6c5b4a3210';
const GOOD: Reply = { kind: 'answer', text: '{"verdict":"4","reason":"Met with a small gap."}' };

/** A session of many tokens, so that 5% of its cost pays for a judge. */
const COSTLY = [
  { type: 'user', uuid: 'a', parentUuid: null, message: { role: 'user', content: 'Count the herons.' } },
  {
    type: 'assistant',
    uuid: 'b',
    parentUuid: 'a',
    message: {
      id: 'm1',
      role: 'assistant',
      model: 'claude-opus-4-1',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'There are twelve herons on the lake this morning.' }],
      usage: { input_tokens: 1_000_000, output_tokens: 100_000 },
    },
  },
]
  .map((line, i) => ({
    ...line,
    sessionId: 'cccccccc-0000-4000-8000-000000000001',
    timestamp: `2026-11-01T10:0${i}:00.000Z`,
  }))
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

let home: string;
let server: ModelServer | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-judge-'));
  cpSync(resolve('test/fixtures/session/claude-home'), home, { recursive: true });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(home, { recursive: true });
});

async function serve(answering: (request: SeenRequest, index: number) => Reply | Promise<Reply>) {
  server = await startModelServer(answering);
  return server;
}

const judge = (words: readonly string[]) => assay('judge', ...words);

const assay = (...words: readonly string[]) =>
  assayIn(home, ['sessions', ...words], {
    env: { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY, GOOGLE_GENERATIVE_AI_API_KEY: KEY },
  });

const asked = (model: string, ...more: string[]) =>
  judge(['--model', model, '--base-url', server?.url ?? '', '--format', 'json', ...more]);
const ratings = () => readFileSync(join(home, 'judged.csv'), 'utf8');

describe('assay sessions judge', () => {
  it.each(['openai/gpt-5-mini', 'anthropic/claude-haiku-4-5', 'google/gemini-2.5-flash'])(
    'asks %s, and keeps what it says as its rating',
    async (model) => {
      const { requests } = await serve(() => GOOD);
      writeFileSync(join(home, 'costly.jsonl'), COSTLY);
      const { status, stdout } = await asked(model, '--yes', 'costly.jsonl');
      const result = sessionJudgements.parse(JSON.parse(stdout));
      expect(status).toBe(0);
      expect(requests).toHaveLength(1);
      expect(requests[0]?.system).toContain('You rate how well');
      expect(requests[0]?.user).toContain('## First request\nCount the herons.');
      expect(ratings()).toContain(`,4,Met with a small gap.,${model} judge-session-v1.0 `);
      expect(result.spent_usd).toBeGreaterThan(0);
      expect(result.sessions_cost_usd).toBeGreaterThan(20 * (result.spent_usd ?? Number.NaN));
    },
  );

  it('asks a server of one’s own for as many as are named, and none of them twice', async () => {
    const { requests } = await serve((_, index) =>
      index === 0 ? { kind: 'answer', text: '{"verdict":"cannot tell","reason":"Nothing is shown."}' } : GOOD,
    );
    const first = await asked('compatible/llama3', '--yes', '--sample', '2');
    expect(first.stderr).toContain('go to compatible/llama3');
    const result = sessionJudgements.parse(JSON.parse(first.stdout));
    expect(result.judged.map((one) => one.judge_rating).sort()).toEqual([4, null]);
    expect(result).toMatchObject({ spent_usd: null, judged_before: 0, asked: 2 });
    expect(requests.length).toBe(2);

    const again = sessionJudgements.parse(
      JSON.parse((await asked('compatible/llama3', '--yes', '--sample', '50')).stdout),
    );
    expect(again.judged_before).toBe(2);
    const judgedTwice = again.judged.filter(({ session_id }) =>
      result.judged.some((one) => one.session_id === session_id),
    );
    expect(judgedTwice).toEqual([]);
  });

  it('stands in a column of its own beside Q, which it never changes', async () => {
    await serve(() => GOOD);
    writeFileSync(join(home, 'costly.jsonl'), COSTLY);
    const scored = async () => {
      const [row] = JSON.parse((await assay('score', 'costly.jsonl', '--format', 'json')).stdout);
      return sessionRow.parse(row);
    };
    const before = await scored();
    expect(before).toMatchObject({ judge_rating: null, judged_by: null });
    await asked('openai/gpt-5-mini', '--yes', 'costly.jsonl');
    const after = await scored();
    expect(after).toMatchObject({
      judge_rating: 4,
      judged_by: expect.stringMatching(/^openai\/gpt-5-mini judge-session-v1\.0 [0-9a-f]{12}$/),
    });
    expect({ ...after, judge_rating: null, judged_by: null }).toEqual(before);
    expect((await assay('score', 'costly.jsonl')).stdout).toContain('judge');
    const csv = (await assay('score', 'costly.jsonl', '--format', 'csv')).stdout;
    expect(csv.split('\n')[0]).toContain(',judge_rating,judged_by');
  });

  it.each(['llama3', 'compatible/llama3', 'llama*'])(
    'takes the price of a server of one’s own from the price file: %s',
    async (pattern) => {
      const { requests } = await serve(() => GOOD);
      writeFileSync(join(home, 'costly.jsonl'), COSTLY);
      const price = (input: number) =>
        writeFileSync(join(home, 'prices.json'), JSON.stringify({ [pattern]: { input, output: 2 * input } }));
      price(1);
      const about = ['--yes', '--prices', 'prices.json', 'costly.jsonl'];
      const result = sessionJudgements.parse(JSON.parse((await asked('compatible/llama3', ...about)).stdout));
      expect(result.spent_usd).toBeGreaterThan(0);
      expect(requests).toHaveLength(1);
      // A price at which one rating alone is more than 5%.
      price(900);
      rmSync(join(home, 'judged.csv'));
      const dear = sessionJudgements.parse(JSON.parse((await asked('compatible/llama3', ...about)).stdout));
      expect(dear).toMatchObject({ asked: 0, judged: [] });
      expect(requests).toHaveLength(1);
    },
  );

  it('is told by explain on a line of its own', async () => {
    await serve(() => GOOD);
    writeFileSync(join(home, 'costly.jsonl'), COSTLY);
    await asked('openai/gpt-5-mini', '--yes', 'costly.jsonl');
    const { stdout } = await assay('explain', 'cccccccc', 'costly.jsonl');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /openai\/gpt-5-mini judge-session-v1\.0 [0-9a-f]{12} rates it 4 of 5\. That is no part of Q\./,
    );
    const json = JSON.parse((await assay('explain', 'cccccccc', 'costly.jsonl', '--format', 'json')).stdout);
    expect(json).toMatchObject({ judge_rating: 4, judged_by: expect.stringContaining('gpt-5-mini') });
  });

  it('says that 5% cannot be checked where the price of the model is not known', async () => {
    const unknown = 'The price of compatible/llama3 is not known, so it cannot be checked';
    await serve(() => GOOD);
    const about = ['--base-url', server?.url ?? '', '--yes', '--sample', '1'];
    const { stdout, stderr } = await judge(['--model', 'compatible/llama3', ...about]);
    expect(stdout.replace(/\s+/g, ' ')).toContain(unknown);
    expect(stderr).toContain('at an unknown price');
    writeFileSync(join(home, 'costly.jsonl'), COSTLY);
    const priced = await judge(['--model', 'openai/gpt-5-mini', ...about, 'costly.jsonl']);
    expect(priced.stdout).toContain('was spent');
    expect(priced.stdout).not.toContain('is not known, so');
  });

  it('sends nothing before somebody agreed, and nothing without a model', async () => {
    const { requests } = await serve(() => GOOD);
    const unasked = await asked('compatible/llama3', '--sample', '2');
    expect(unasked).toMatchObject({ status: 3, stdout: '' });
    expect(unasked.stderr).toContain('needs your consent');
    expect((await judge(['--sample', '2'])).stderr).toContain('--model');
    expect(requests).toEqual([]);
    expect(existsSync(join(home, 'judged.csv'))).toBe(false);
  });

  it('needs a number where money cannot bound it, and never spends more than 5%', async () => {
    const { requests } = await serve(() => GOOD);
    const unbounded = await asked('compatible/llama3', '--yes');
    expect(unbounded.status).toBe(3);
    expect(unbounded.stderr).toContain('price of compatible/llama3 is not known');
    const paid = await asked('anthropic/claude-opus-4-1', '--yes');
    expect(paid.stderr).not.toContain('assay: error');
    const {
      sessions_cost_usd: cost,
      spent_usd: spent,
      ceiling_usd: ceiling,
    } = sessionJudgements.parse(JSON.parse(paid.stdout));
    expect(ceiling ?? 0).toBeLessThanOrEqual((cost ?? 0) * 0.05);
    expect(spent ?? 0).toBeLessThanOrEqual(ceiling ?? 0);
    expect(requests.length).toBeLessThan(5);
  });

  it('goes on past a session that the model fails on, and keeps no key', async () => {
    await serve((_, index) =>
      index === 0 ? { kind: 'status', status: 400, body: `bad ${KEY}` } : { kind: 'answer', text: 'no JSON' },
    );
    const { status, stdout, stderr } = await asked('compatible/llama3', '--yes', '--sample', '2');
    const result = sessionJudgements.parse(JSON.parse(stdout));
    expect(status).toBe(2);
    expect(result.judged).toEqual([]);
    expect(result.not_judged).toHaveLength(2);
    expect(stdout + stderr).not.toContain(KEY);
  });
});
