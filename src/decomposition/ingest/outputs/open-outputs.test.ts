import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeZip } from '../../../archives/testing/make-zip.ts';
import { openOutputs } from './open-outputs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-outputs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const TEXT = 'A text of more than forty characters about rain and about floods.';
const golden = (id: string, topic = 'A topic', sourceText = TEXT) => ({ id, topic, sourceText });
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const output = (label: string) => ({ concepts: [{ label }] });
const row = (more: object) => ({ promptIdx: 0, testIdx: 0, response: { output: output('a') }, ...more });

it('pairs lines of JSON by id, name of a file, topic or text', async () => {
  const outputs = openOutputs(
    file(
      'all.jsonl',
      [
        { id: 'one', output: output('a') },
        { name: 'docs/two.txt', output: output('b') },
        { topic: 'Floods and rain', ...output('c') },
        { text: ` ${TEXT.replace(' ', '\n')} `, output: output('d') },
        { id: 'stranger', output: output('e') },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    ),
  );
  const labelOf = async (one: ReturnType<typeof golden>) =>
    (await outputs.trialsOf(one)).flatMap((trial) =>
      'error' in trial ? trial.error : trial.concepts[0]?.label,
    );
  expect(await labelOf(golden('one', 'x', 'x'))).toEqual(['a']);
  expect(await labelOf(golden('two', 'x', 'x'))).toEqual(['b']);
  expect(await labelOf(golden('three', 'floods and rain', 'x'))).toEqual(['c']);
  expect(await labelOf(golden('four', 'x'))).toEqual(['d']);
  expect((await labelOf(golden('five', 'x', 'x')))[0]).toMatch(
    /has no output of five.*it has one, docs\/two.txt/,
  );
  expect(outputs.notes().at(-1)).toMatch(/stranger belongs to no golden case/);
});

it('reads repeats of a case in a results file as repeats', async () => {
  const outputs = openOutputs(
    file('r.json', JSON.stringify({ results: { results: [1, 2].map(() => row({ vars: { id: 'one' } })) } })),
  );
  expect(await outputs.trialsOf(golden('one'))).toHaveLength(2);
});

it('takes model, time and cost from results of promptfoo, and an answer that failed as a failed one', async () => {
  const outputs = openOutputs(
    file(
      'r.json',
      JSON.stringify([
        row({
          vars: { case: 'one' },
          provider: { id: 'openai:gpt-5-mini' },
          prompt: { label: 'v1' },
          latencyMs: 12,
          cost: 0.5,
          success: false,
        }),
        row({
          testCase: { description: 'two' },
          provider: { id: 'openai:gpt-5-mini' },
          prompt: { label: 'v1' },
          response: {},
          error: 'rate limit',
        }),
      ]),
    ),
  );
  expect(await outputs.trialsOf(golden('one', 'x', 'x'))).toMatchObject([
    { model: 'openai:gpt-5-mini', promptVersion: 'v1', latencyMs: 12, costUsd: 0.5 },
  ]);
  expect(await outputs.trialsOf(golden('two', 'x', 'x'))).toMatchObject([
    { error: expect.stringMatching(/gave no answer: rate limit/) },
  ]);
});

it('does not mix the answers of two models or prompts', () => {
  const path = file(
    'r.json',
    JSON.stringify([
      row({ provider: 'a:b', vars: { id: 'one' } }),
      row({ provider: 'c:d', vars: { id: 'one' } }),
    ]),
  );
  expect(() => openOutputs(path)).toThrow('holds the answers of 2 providers: a:b; c:d');
  expect(openOutputs(path, { provider: 'c:d' }).count).toBe(1);
});

it('says what is wrong with a file that holds no outputs', () => {
  expect(() => openOutputs(join(folder, 'nowhere'))).toThrow('does not exist');
  expect(() => openOutputs(file('a.json', 'words'))).toThrow('neither a folder nor JSON');
  expect(() => openOutputs(file('b.json', '[]'))).toThrow('holds no outputs');
  expect(() => openOutputs(file('c.jsonl', '{}\nwords'))).toThrow('c.jsonl:2 is not JSON');
});

const LOG = {
  version: 2,
  status: 'success',
  eval: { task: 'extract', model: 'openai/gpt-5-mini' },
  samples: [
    { id: 'one', epoch: 1, input: TEXT, output: { completion: JSON.stringify(output('a')) }, total_time: 2 },
    { id: 'one', epoch: 2, input: TEXT, output: { completion: JSON.stringify(output('b')) } },
    { id: 'two', epoch: 1, input: 'x', output: { choices: [] }, error: { message: 'it broke' } },
  ],
};

it.each(['log.json', 'log.eval'])(
  'reads samples of Inspect as outputs and epochs as repeats: %s',
  async (name) => {
    const { samples, ...header } = LOG;
    const members = samples.map((one, i) => [`samples/${i}.json`, JSON.stringify(one)] as const);
    const archive = makeZip(
      { 'header.json': JSON.stringify(header), ...Object.fromEntries(members) },
      'zstd',
    );
    writeFileSync(join(folder, name), name.endsWith('.eval') ? archive : JSON.stringify(LOG));
    const outputs = openOutputs(join(folder, name));
    expect(await outputs.trialsOf(golden('one'))).toMatchObject([
      { concepts: [{ label: 'a' }], model: 'openai/gpt-5-mini', latencyMs: 2000 },
      { concepts: [{ label: 'b' }] },
    ]);
    expect(await outputs.trialsOf(golden('two', 'x', 'y'))).toMatchObject([
      { error: expect.stringContaining('gave no answer: it broke') },
    ]);
  },
);

it('refuses an archive that is none', () => {
  expect(() => openOutputs(file('x.eval', 'no archive'))).toThrow('is no archive of Inspect AI');
});

const TRACE = {
  id: 't1',
  timestamp: '2026-05-01T10:00:00.000Z',
  sessionId: null,
  input: { messages: [{ role: 'user', content: TEXT }] },
  output: JSON.stringify(output('a')),
  latency: 1.5,
  totalCost: Number.NaN,
};
const OBSERVATION = {
  id: 'o1',
  trace_id: 't1',
  type: 'GENERATION',
  start_time: '2026-05-01 10:00:00.000000',
  parent_observation_id: null,
  provided_model_name: 'gpt-5-mini',
  metadata: { case: 'one' },
  input: '"x"',
  output: JSON.stringify({ role: 'assistant', content: JSON.stringify(output('a')) }),
  total_cost: 0.002,
};

it('reads what traces of Langfuse gave, or observations that lie in no other', async () => {
  const traces = openOutputs(file('traces.json', JSON.stringify({ data: [TRACE], meta: {} })));
  expect(await traces.trialsOf(golden('any'))).toMatchObject([
    { concepts: [{ label: 'a' }], latencyMs: 1500 },
  ]);
  const inner = { ...OBSERVATION, id: 'o2', parent_observation_id: 'o1', output: 'no JSON' };
  const rows = openOutputs(
    file('rows.jsonl', [OBSERVATION, inner].map((one) => JSON.stringify(one)).join('\n')),
  );
  expect(await rows.trialsOf(golden('one', 'x', 'y'))).toMatchObject([
    { concepts: [{ label: 'a' }], model: 'gpt-5-mini', costUsd: 0.002 },
  ]);
});

it('takes the answers of one model of Langfuse at a time', async () => {
  const other = { ...OBSERVATION, id: 'o3', provided_model_name: 'gpt-5' };
  const both = file('both.json', JSON.stringify([OBSERVATION, other]));
  expect(() => openOutputs(both)).toThrow('holds the answers of 2 models: gpt-5-mini; gpt-5');
  expect(openOutputs(both, { provider: 'gpt-5' }).count).toBe(1);
});

it('says what to write instead of a table', () => {
  expect(() => openOutputs(file('results.csv', 'a,b\n1,2\n'))).toThrow(
    expect.objectContaining({ remedy: expect.stringContaining('.json or .jsonl') }),
  );
});
