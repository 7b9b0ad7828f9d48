/** The page for those who come from other tools: every command on it, on files as those tools write them. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
});
afterAll(() => rmSync(folder, { recursive: true }));

/** `promptfoo eval -o results.json` over the golden texts, answered in bare names. */
function promptfooResults(): object {
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
