import { describe, expect, it } from 'vitest';
import { importRuns } from './import-file.ts';
import { tempFolder } from './testing/temp-folder.ts';

const { write } = tempFolder();
const NAMES = { workflow: 'v1', task: 'T1' };
const REVIEW =
  '## Review\n\n- [SECURE] src/a.ts:12-14 the token is logged\n- src/b.ts:3 the file stays open\n';
const PLACES = [
  {
    category: 'SECURE',
    file: 'src/a.ts',
    lines: [12, 14],
  },
  { file: 'src/b.ts', lines: [3, 3] },
];

const usage = {
  input_tokens: 100,
  cache_creation_input_tokens: 20,
  cache_read_input_tokens: 3000,
  output_tokens: 400,
};
const result = (rest: object) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  session_id: 's',
  total_cost_usd: 0.25,
  duration_ms: 90_000,
  usage,
  modelUsage: { 'claude-haiku': { costUSD: 0.01 }, 'claude-opus': { costUSD: 0.24 } },
  ...rest,
});
const start = { type: 'system', subtype: 'init', session_id: 's', model: 'claude-opus-4-5' };

function lines(name: string, records: readonly object[]): string {
  return write(name, records.map((one) => JSON.stringify(one)).join('\n'));
}

describe('claude -p', () => {
  it.each([
    ['json', () => write('1.json', JSON.stringify(result({ result: REVIEW }))), 'claude-opus'],
    [
      'json of all messages',
      () => write('1.json', JSON.stringify([start, result({ result: REVIEW })])),
      'claude-opus-4-5',
    ],
    [
      'stream-json',
      () => lines('1.jsonl', [start, { type: 'assistant', message: {} }, result({ result: REVIEW })]),
      'claude-opus-4-5',
    ],
  ])('is a run with its cost, as %s', (_, file, model) => {
    const [run] = importRuns(file(), NAMES).runs;
    // 100 + 20 + 3000 + 400 tokens.
    expect(run).toMatchObject({
      run: '1',
      model,
      agentTokens: 3520,
      workflowTokens: 0,
      costUsd: 0.25,
      durationMs: 90_000,
    });
    expect(run?.findings).toMatchObject(PLACES);
  });

  it('reads findings as JSON, and counts an agent that gave up as a run that found nothing', () => {
    const list = `Here:\n\`\`\`json\n${JSON.stringify([{ file: 'src/a.ts', line: 12, summary: 'the token is logged', severity: 'high' }])}\n\`\`\``;
    const [run] = importRuns(write('1.json', JSON.stringify(result({ result: list }))), NAMES).runs;
    expect(run?.findings).toMatchObject([{ file: 'src/a.ts', lines: [12, 12], severity: 'IMPORTANT' }]);
    const failed = result({ result: '', subtype: 'error_max_turns', is_error: true });
    const silent = importRuns(write('2.json', JSON.stringify(failed)), NAMES);
    expect(silent.runs).toMatchObject([{ findings: [], costUsd: 0.25 }]);
    expect(silent.notes.join()).toContain('error_max_turns');
  });
});

describe('codex exec --json', () => {
  const events = (text: string) => [
    { type: 'thread.started', thread_id: 't' },
    { type: 'item.completed', item: { id: '0', type: 'agent_message', text: 'I will look at it.' } },
    { type: 'item.completed', item: { id: '1', type: 'command_execution', command: 'ls' } },
    { type: 'turn.completed', usage: { input_tokens: 900, cached_input_tokens: 800, output_tokens: 50 } },
    { type: 'item.completed', item: { id: '2', type: 'agent_message', text } },
    { type: 'turn.completed', usage: { input_tokens: 1000, cached_input_tokens: 900, output_tokens: 60 } },
  ];

  it('is a run: its last message, and what all turns used', () => {
    const [run] = importRuns(lines('1.jsonl', events(REVIEW)), NAMES).runs;
    expect(run).toMatchObject({ agentTokens: 2010, workflowTokens: 0 });
    expect(run?.findings).toMatchObject(PLACES);
  });
});

describe('a list of findings', () => {
  it.each([
    ['flat', [{ file: 'src/a.ts', line: 12, summary: 'the token is logged' }]],
    [
      'of BC-Bench',
      {
        findings: [
          {
            filePath: 'src/a.ts',
            lineNumber: '12',
            issue: 'the token is logged',
            severity: 'Critical',
            domain: 'security',
          },
        ],
      },
    ],
    ['with a range', [{ file: 'src/a.ts', line_start: 12, line_end: 12, body: 'the token is logged' }]],
  ])('is read: %s', (_, value) => {
    const { runs } = importRuns(write('1.json', JSON.stringify(value)), NAMES);
    expect(runs[0]?.findings).toMatchObject([
      { title: 'the token is logged', file: 'src/a.ts', lines: [12, 12] },
    ]);
  });

  it('may be empty, and is then a run that found nothing', () => {
    for (const [i, value] of [[], { findings: [] }].entries())
      expect(importRuns(write(`${i}.json`, JSON.stringify(value)), NAMES).runs).toMatchObject([
        { findings: [] },
      ]);
  });
});

it('reads what CodeRabbit says of severity and kind before its text', () => {
  const body =
    '_🎯 Functional Correctness_ | _🟠 Major_ | _⚡ Quick win_\n\n<details>\n<summary>why</summary>\nsteps\n</details>\n\n**The lock is never released.**\n\nRelease it in finally.';
  const comment = {
    path: 'src/a.ts',
    diff_hunk: '@@',
    user: { login: 'coderabbitai[bot]' },
    original_line: 12,
    body,
  };
  const { runs } = importRuns(write('1.json', JSON.stringify([comment])), NAMES);
  expect(runs[0]?.findings).toMatchObject([
    {
      title: 'The lock is never released.',
      severity: 'IMPORTANT',
      category: 'Functional Correctness',
      lines: [12, 12],
    },
  ]);
});
