/** Every command that prints JSON, run for real: what it prints has the published shape, with nothing beside it. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PAGES } from '../../src/api/json-schemas.ts';
import { decompositionResult, extractionLine } from '../../src/api/schema/decomposition.ts';
import { COMMANDS } from '../../src/cli/command-list.ts';
import { assayIn } from '../command-folder.ts';
import { madeWith, writeGolden, writeOutputs } from '../decomposition-project.ts';

const GOOD = '11111111-aaaa-4aaa-8aaa-000000000001';
const BAD = '22222222-bbbb-4bbb-8bbb-000000000002';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-wire-'));
  const at = (name: string) => join(folder, name);
  cpSync('test/fixtures/session/claude-home', folder, { recursive: true });
  cpSync('test/fixtures/session/openclaw-home', at('more runs'), { recursive: true });
  cpSync('test/fixtures/session/task-types', at('more runs/task-types'), { recursive: true });
  writeFileSync(at('more runs/broken.jsonl'), '{"type":"user"}\n{ no JSON\n');
  writeFileSync(at('ratings.csv'), `session_id,rating\n${GOOD},5\n${BAD},1\n`);
  writeFileSync(at('types.csv'), `session_id,task_type\n${GOOD},coding\n${BAD},chat\n`);
  writeFileSync(at('outcomes.csv'), `session_id,outcome\n${GOOD},merged\n${BAD},failed\n`);
  cpSync('examples/workflow', at('review'), { recursive: true });
  writeGolden(at('golden'), 5);
  writeOutputs(at('good'), { found: 9, costUsd: 0.01, ...madeWith('Words of v1.0.') }, 5);
  writeOutputs(at('worse'), { found: 6, canary: true, ...madeWith('Words of v1.1.') }, 5);
  mkdirSync(at('prompts'));
  for (const version of ['v1.0', 'v1.1'])
    writeFileSync(at(`prompts/extract-${version}.md`), `Words of ${version}.`);
  writeFileSync(at('note.txt'), 'Rain causes floods. Floods damage roads.');
  writeFileSync(
    at('texts.jsonl'),
    `${JSON.stringify({ id: 'floods', text: 'Rain causes floods. Floods damage roads.' })}\n`,
  );
  writeFileSync(
    at('assay.config.json'),
    '{"decomposition":{"predicateMap":{"leads to":"CAUSES"}},"session":{"phoenix":"http://127.0.0.1:9"}}',
  );
  for (const [outputs, version, file] of [
    ['good', 'v1.0', 'a.json'],
    ['worse', 'v1.1', 'b.json'],
  ] as const)
    await works(
      ...['decomposition', 'run', '--outputs', outputs, '--prompt', `extract-${version}`],
      ...['--format', 'json', '--out', file],
    );
  await works('decomposition', 'baseline', '--outputs', 'good', '--baseline-file', 'kept.json');
  const command = { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'git reset --hard' } };
  const result = { type: 'tool_result', tool_use_id: 't', content: 'HEAD is now at 1f2e3d4' };
  const risky = [
    ['user', 'Look into the slow start'],
    ['assistant', [command]],
    ['user', [result]],
  ].map(([type, content]) => JSON.stringify({ type, sessionId: 'risky', message: { role: type, content } }));
  writeFileSync(join(folder, 'risky.jsonl'), `${risky.join('\n')}\n`);
  await works('workflow', 'score', ...SCORED);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

const assay = (...words: readonly string[]) => assayIn(folder, words, { env: { USER: 'ada' } });

async function works(...words: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await assay(...words);
  // 3 with a result: the lint names a file that it cannot read.
  expect(status === 3 ? stdout : 'done', `${words.join(' ')}\n${stderr}`).not.toBe('');
  return stdout;
}

const TRUTH = ['--truth', 'review/truth/webhook-relay.yaml'];
const SCORED = [...TRUTH, '--runs', 'review/runs/review-1'];
const BLIND = ['blind', '--by', 'ada'];

/** How each command is called; in the order in which a blind evaluation and a life of prompts go. */
const CALLS: readonly (readonly [command: string, ...words: string[]])[] = [
  ['example'],
  ['metrics'],
  ['metrics', 'decomposition/overall'],
  ['config'],
  ['audit list'],
  ['audit verify'],
  ['token list'],
  ['decomposition run', '--outputs', 'worse'],
  ['decomposition run', '--outputs', 'good', '--no-semantic'],
  ['decomposition baseline', '--outputs', 'good', '--baseline-file', 'other.json'],
  ['decomposition compare', '--outputs', 'worse', '--baseline-file', 'kept.json'],
  ['decomposition compare', 'a.json', 'b.json'],
  ['decomposition synonyms'],
  ['decomposition trend', '--all'],
  ['decomposition trend', '--weekly'],
  ['decomposition investigate', '--outputs', 'worse'],
  ['init', '--ci', 'none'],
  ['decomposition lint'],
  ['golden import', 'texts.jsonl', '--golden', 'imported', '--domain', 'ecological'],
  ['decomposition new', 'drafted', '--text', 'note.txt', '--golden', 'drafts'],
  ['decomposition prompt diff', 'extract-v1.1'],
  ['decomposition prompt promote', 'extract-v1.0', '--run', 'a.json', '--reason', 'a try'],
  ['decomposition prompt list'],
  ['production rate', '--list'],
  ['production ab start', 'extract-v1.1', '--control', 'extract-v1.0', '--id', 'try'],
  ['production ab status'],
  ['production ab status', 'try'],
  ['production ab stop', 'try', '--reason', 'a try'],
  ['brief', '--week'],
  ['brief', '--month'],
  ['brief', '--quarter'],
  ['decomposition prompt new', 'extract'],
  ['sessions score'],
  ['sessions score', 'more runs', '--signals'],
  ['sessions list'],
  ['sessions list --by', 'week', 'more runs', '--limit', '2'],
  ['sessions explain', '2222'],
  ['sessions explain', '1111', '--per-message', '--every-run', '--show'],
  ['sessions attention'],
  ['sessions risks', 'risky.jsonl'],
  ['sessions digest', '--until', '2026-11-12'],
  ['sessions roi', 'more runs'],
  ['sessions roi', 'more runs', '--by', 'task-type'],
  ['sessions roi', 'more runs', '--by', 'day'],
  ['sessions roi', 'more runs', '--by', 'week'],
  ['sessions roi', '--by', 'project'],
  ['sessions frontier', 'more runs'],
  ['sessions baselines show'],
  ['sessions baselines fit', 'more runs'],
  ['sessions outcomes', 'more runs'],
  ['sessions verify', '1111', '--command', 'true'],
  ['sessions send', '--to', 'phoenix'],
  ['sessions intents train', 'more runs', '--labels', 'types.csv'],
  ['route', 'more runs'],
  ['export'],
  ['store status'],
  ['store migrate'],
  ['store check'],
  ['store prune', '--keep-days', 'sessions=1'],
  ['store copy', '--from', '.local/share/assay/assay.db', '--to', 'copied.db'],
  ['sessions sources'],
  ['sessions skipped', 'more runs'],
  ['sessions validate', '--ratings', 'ratings.csv'],
  ['sessions validate', '--outcomes', 'outcomes.csv'],
  ['sessions calibrate', '--ratings', 'ratings.csv'],
  ['workflow score', ...SCORED],
  ['workflow compare', 'review/runs/review-1', 'review/runs/review-2', ...TRUTH],
  ['workflow report', 'review'],
  ['workflow report --table errors', 'review'],
  ['workflow report --table concerns', 'review'],
  ['workflow report --table categories', 'review'],
  ['workflow report --table metrics', 'review'],
  ['workflow leaderboard', 'review'],
  ['workflow leaderboard --table pairs', 'review'],
  ['workflow heatmap', 'review'],
  ['workflow history'],
  ['workflow map', ...SCORED],
  ['workflow lint', 'review', 'note.txt'],
  ['workflow new', 'drafted.yaml', '--review', 'review/runs/review-1/webhook-relay/run-1.json'],
];

/** The shape of what a command prints. */
function pageOf(command: string, format: 'json' | 'jsonl'): z.ZodType {
  const found = Object.values(PAGES).flatMap((page) => [
    ...(page[format]?.includes(command) ? [page.schema] : []),
    ...(format === 'json' && page.jsonList?.includes(command) ? [z.array(page.schema)] : []),
  ]);
  expect(found, `${command} --format ${format}`).toHaveLength(1);
  return found[0] as z.ZodType;
}

/** What a schema does not know it would leave out, or refuse. */
function expectShape(schema: z.ZodType, printed: unknown): void {
  expect(schema.parse(printed)).toEqual(printed);
}

async function expectJson(command: string, words: readonly string[]): Promise<void> {
  const printed: unknown = JSON.parse(await works(...command.split(' '), ...words, '--format', 'json'));
  expectShape(pageOf(command, 'json'), printed);
  // Rows of sessions are their columns, which name the version of the scorer instead.
  const versioned = Array.isArray(printed) ? printed.filter((row) => !('scorer_version' in row)) : [printed];
  for (const one of versioned)
    expect(one).toMatchObject({ format: expect.stringMatching(/^assay-/), version: expect.any(Number) });
}

async function expectLines(command: string, words: readonly string[]): Promise<void> {
  const lines = (await works(...command.split(' '), ...words, '--format', 'jsonl')).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expectShape(pageOf(command, 'jsonl'), JSON.parse(line));
}

const commands = await Promise.all(COMMANDS.map(async ({ load }) => (await load()).command));
const prints = (name: string, format: string) => {
  const option = commands.find((one) => one.name === name)?.options.format;
  return option?.type === 'choice' && option.choices.includes(format);
};

describe('what is printed as JSON has the published shape', () => {
  it.each(CALLS.filter(([command]) => !command.includes('--table')))(
    '%s %s %s',
    async (command, ...words) => await expectJson(command, words),
  );

  it.each(CALLS.filter(([command]) => prints(command.split(' --')[0] ?? '', 'jsonl')))(
    '%s %s %s, a line each',
    async (command, ...words) => await expectLines(command, words),
  );

  it('runs, and one of them', async () => {
    const list = JSON.parse(await works('runs', '--format', 'json'));
    expectShape(z.array(PAGES['run-summary']?.schema as z.ZodType), list);
    expect(new Set(list.map(({ run }: { run: { instrument: string } }) => run.instrument)).size).toBe(2);
    for (const { run } of list)
      expectShape(
        PAGES.run?.schema as z.ZodType,
        JSON.parse(await works('runs', run.id, '--format', 'json')),
      );
  });

  it('where a setting comes from, also one that holds names', async () => {
    const { settings, origins } = JSON.parse(await works('config', '--format', 'json'));
    expect(settings.decomposition.predicate_map).toEqual({ 'leads to': 'CAUSES' });
    expect(origins).toMatchObject({
      'decomposition.predicate_map': 'file',
      'decomposition.match_level': 'default',
    });
  });

  it('prompt rollback', async () => {
    for (const version of ['v1.0', 'v1.1']) {
      writeFileSync(join(folder, `prompts/other-${version}.md`), `Others of ${version}.`);
      writeOutputs(join(folder, version), { found: 9, ...madeWith(`Others of ${version}.`) }, 5);
      const words = ['--outputs', version, '--prompt', `other-${version}`, '--format', 'json'];
      await works('decomposition', 'run', ...words, '--out', `${version}.json`);
      await works('decomposition', 'prompt', 'promote', `other-${version}`, '--run', `${version}.json`);
    }
    await expectJson('decomposition prompt rollback', ['other']);
  });

  it('the steps of a blind evaluation', async () => {
    await works('workflow', 'blind', 'start', ...SCORED, '--out', 'blind');
    const shown = async (step: string) =>
      JSON.parse(await works('workflow', 'blind', step, ...BLIND, '--list', '--format', 'json'));
    const answer = async (step: string, answers: readonly object[]) => {
      writeFileSync(join(folder, `${step}.json`), JSON.stringify(answers));
      await works('workflow', 'blind', step, ...BLIND, '--file', `${step}.json`);
    };
    await expectJson('workflow blind assess', [...BLIND, '--list']);
    const findings: { id: string }[] = (await shown('assess')).findings;
    await answer(
      'assess',
      findings.map(({ id }) => ({ finding: id, judgement: 'NO_ERROR', evidence: 'it', confidence: 'LOW' })),
    );
    await expectJson('workflow blind predict', [...BLIND, '--list']);
    const errors: { id: string }[] = (await shown('predict')).errors;
    await answer(
      'predict',
      errors.map(({ id }) => ({ error: id, prediction: 'MAYBE', why: 'who knows' })),
    );
    await expectJson('workflow blind match', [...BLIND, '--list']);
    await answer(
      'match',
      findings.map(({ id }) => ({ finding: id, match: 'FALSE', reason: 'it is not there' })),
    );
    await expectJson('workflow blind status', ['blind']);
    await expectLines('workflow blind status', ['blind']);
    await expectJson('workflow blind check', ['blind']);
    await expectJson('workflow blind verify', ['blind']);
  });

  it('texts that were extracted, a line each, and a baseline that was written', async () => {
    const lines = (await works('decomposition', 'extract', 'note.txt', 'good')).trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) expectShape(extractionLine, JSON.parse(line));
    expectShape(decompositionResult, JSON.parse(readFileSync(join(folder, 'kept.json'), 'utf8')));
  });
});

/**
 * Tried above in words of their own; `sessions judge` beside a model, `sessions watch` beside an agent and what is about
 * alerts beside a service, in their own files.
 */
const TRIED = [
  'workflow seed',
  'workflow import pr',
  'runs',
  'decomposition prompt rollback',
  'overview',
  'sessions judge',
  'sessions watch',
  'production check',
  'production status',
  'alerts list',
  'alerts show',
  'alerts acknowledge',
  'alerts silence',
  'alerts resolve',
  'alerts reopen',
];

it('is tried for every command and format', () => {
  const tried = new Set([...TRIED, ...CALLS.map(([command]) => command)]);
  const steps = ['assess', 'predict', 'match', 'check', 'status', 'verify'].map(
    (step) => `workflow blind ${step}`,
  );
  const all = commands
    .map(({ name }) => name)
    .filter((name) => prints(name, 'json') || prints(name, 'jsonl'));
  expect(all.filter((name) => !tried.has(name) && !steps.includes(name))).toEqual([]);
  for (const name of all.filter((one) => one !== 'overview' && one !== 'runs')) {
    if (prints(name, 'json')) pageOf(name, 'json');
    if (prints(name, 'jsonl')) pageOf(name, 'jsonl');
  }
});
