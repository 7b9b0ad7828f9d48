/** The page for those who come from other tools: every command on it, on files as those tools write them. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeZip } from '../../src/archives/testing/make-zip.ts';
import { bareEnv } from '../bare-env.ts';
import { LAUNCHER } from '../launcher.ts';

type Golden = {
  sourceText: string;
  expectedConcepts: { label: string }[];
  expectedRelationships: { source: string; target: string; predicate: string }[];
};

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-coming-from-'));
  cpSync('examples/decomposition/golden', at('golden'), { recursive: true });
  cpSync('examples/session/shop', at('.claude/projects/shop'), { recursive: true });
  writeFileSync(at('results.json'), JSON.stringify(promptfooResults()));
  mkdirSync(at('logs'));
  writeFileSync(at('logs/2026-11-10_task.json'), JSON.stringify(INSPECT_LOG));
  cpSync('examples/workflow/truth/webhook-relay.yaml', at('truth.yaml'));
  writeFileSync(at('reviews.json'), JSON.stringify(reviewResults()));
  const { results } = promptfooResults();
  writeFileSync(at('extract.eval'), archiveOf(results.results.map(({ response }) => response.output)));
  writeFileSync(at('reviews.eval'), archiveOf(['No findings.', REVIEW], 'webhook-relay'));
  cpSync('test/fixtures/session/langfuse', at('langfuse'), { recursive: true });
  writeFileSync(at('scores.json'), JSON.stringify(LANGFUSE_SCORES));
  writeFileSync(at('extractions.json'), JSON.stringify({ data: results.results.map(traceOf), meta: {} }));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** `promptfoo eval -o results.json` over the golden texts, answered in bare names. */
function promptfooResults() {
  const rows = readdirSync(at('golden')).map((name, testIdx) => {
    const golden = JSON.parse(readFileSync(at(`golden/${name}`), 'utf8')) as Golden;
    const answer = {
      concepts: golden.expectedConcepts.map(({ label }) => label),
      relationships: golden.expectedRelationships.map(({ source, predicate, target }) => ({
        source,
        predicate,
        target,
      })),
    };
    return {
      testIdx,
      promptIdx: 0,
      provider: { id: 'openai:gpt-5-mini' },
      prompt: { label: 'extract' },
      vars: { text: golden.sourceText },
      response: { output: JSON.stringify(answer) },
    };
  });
  return { evalId: 'e', results: { version: 3, results: rows } };
}

const REVIEW = '- design.md:16 The key travels in the query string\n- design.md:20-21 Order is assumed\n';

/** The same where a model reviewed, twice. */
function reviewResults(): object {
  const row = {
    testIdx: 0,
    promptIdx: 0,
    provider: { id: 'openai:gpt-5-mini' },
    prompt: { label: 'review' },
    testCase: { metadata: { task: 'webhook-relay' } },
    vars: { text: 'the design' },
    response: { output: REVIEW },
  };
  return { evalId: 'e', results: { version: 3, results: [row, row] } };
}

type Answered = ReturnType<typeof promptfooResults>['results']['results'][number];

const byHand = { name: 'correct', source: 'ANNOTATION', dataType: 'BOOLEAN' };
const LANGFUSE_SCORES = {
  data: [
    { ...byHand, id: 's1', traceId: '4c1f7a52-9a4e-4d27-8a62-000000000001', value: 1 },
    { ...byHand, id: 's2', sessionId: 'talk-1', value: 0 },
  ],
  meta: { page: 1 },
};

/** As the API of Langfuse lists traces. */
function traceOf({ vars, response }: Answered, index: number): object {
  const timestamp = '2026-11-10T09:00:00.000Z';
  return {
    id: `t${index}`,
    timestamp,
    name: 'extract',
    sessionId: null,
    input: vars,
    output: response.output,
  };
}

/** A log of Inspect over the golden texts, or over one task, packed as it packs them. */
function archiveOf(answers: readonly string[], task?: string): Buffer {
  const { samples: _, ...header } = INSPECT_LOG;
  const texts = readdirSync(at('golden')).map(
    (name) => (JSON.parse(readFileSync(at(`golden/${name}`), 'utf8')) as Golden).sourceText,
  );
  const samples = answers.map((completion, i) => [
    `samples/${i}_epoch_1.json`,
    JSON.stringify({ id: task ?? i, epoch: 1, input: texts[i] ?? '', output: { completion } }),
  ]);
  return makeZip({ 'header.json': JSON.stringify(header), ...Object.fromEntries(samples) }, 'zstd');
}

function sampleOf(id: number, value: 'C' | 'I'): object {
  const output = {
    model: 'openai/gpt-5-mini',
    choices: [{ message: { role: 'assistant', content: 'four' } }],
  };
  return {
    id,
    epoch: 1,
    input: 'What is two and two?',
    target: 'four',
    messages: [
      { role: 'user', content: 'What is two and two?' },
      { role: 'assistant', content: 'The sum of two and two is four.' },
    ],
    output: { ...output, usage: { input_tokens: 20, output_tokens: 5, total_tokens: 25 } },
    scores: { match: { value } },
    model_usage: { 'openai/gpt-5-mini': { input_tokens: 20, output_tokens: 5, total_tokens: 25 } },
  };
}

const INSPECT_LOG = {
  version: 2,
  status: 'success',
  eval: { task: 'sums', model: 'openai/gpt-5-mini', run_id: 'r1', created: '2026-11-10T09:00:00+00:00' },
  stats: { started_at: '2026-11-10T09:00:00+00:00', completed_at: '2026-11-10T09:01:00+00:00' },
  samples: [sampleOf(1, 'C'), sampleOf(2, 'I'), sampleOf(3, 'C')],
};

it('works as it is written', { timeout: 300_000 }, () => {
  const page = readFileSync('docs/coming-from.md', 'utf8');
  const lines = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, text = '']) =>
    text.trim().split('\n'),
  );
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) {
    const [, words = '', exit = '0'] = /^assay (.*?)(?: # exit (\d))?$/.exec(line) ?? [];
    const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, ...words.split(' ')], {
      cwd: folder,
      encoding: 'utf8',
      env: bareEnv(folder),
    });
    expect(`${line}: ${status}`, `${stdout}\n${stderr}`).toBe(`${line}: ${exit}`);
  }
});
