import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { extractionOutputSchema } from '../../src/decomposition/ingest/output.ts';
import {
  type ModelServer,
  type Reply,
  type SeenRequest,
  startModelServer,
} from '../../src/model/testing/model-server.ts';
import { bareEnv } from '../bare-env.ts';
import { assayIn } from '../command-folder.ts';
import { LAUNCHER } from '../launcher.ts';

const GOLDEN = resolve('golden');
const KEY = 'sk-test-9f8e7d6c5b4a3210';
const TEXT =
  'Yeast releases carbon dioxide. Carbon dioxide causes the rise of the dough. Bread is a kind of food.';
const ANSWER = JSON.stringify({
  concepts: [{ label: 'yeast', aliases: [], sourceQuote: 'Yeast releases carbon dioxide', confidence: 0.9 }],
  relationships: [],
});

let folder: string;
let server: ModelServer | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-extract-'));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function serve(answering: (request: SeenRequest, index: number) => Reply | Promise<Reply>) {
  server = await startModelServer(answering);
  return server;
}

function start(words: string[]): ChildProcess {
  return spawn(process.execPath, [LAUNCHER, 'decomposition', 'extract', ...words], {
    cwd: folder,
    env: { ...bareEnv(folder), OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY },
  });
}

const assay = (words: string[], stdin = '') =>
  assayIn(folder, ['decomposition', 'extract', ...words], {
    env: { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY },
    stdin,
  });

const llm = (model = 'openai/gpt-5-mini') => [
  '--extractor',
  'llm',
  '--model',
  model,
  '--base-url',
  server?.url ?? '',
];
const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

describe('a text', () => {
  it('is extracted offline by default, and printed as JSON with nothing beside it', async () => {
    put('bread.txt', TEXT);
    const { status, stdout, stderr } = await assay(['bread.txt']);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const { concepts } = extractionOutputSchema.parse(JSON.parse(stdout));
    expect(concepts.length).toBeGreaterThan(0);
    for (const { sourceQuote } of concepts) expect(TEXT).toContain(sourceQuote);
  });

  it.each([
    [
      'in another language',
      'Die Erosion ist der Abtrag von Boden, der durch Wasser und Wind verursacht wird.',
      /it does not look like English prose/,
    ],
    ['without a name', 'It is what it is.', /none of its phrases looks like the name of a concept/],
  ])('%s has no concept: that is said, and is no success', async (_, text, why) => {
    put('other.txt', text);
    const { status, stdout, stderr } = await assay(['other.txt']);
    expect(status).toBe(2);
    expect(stderr).toMatch(why);
    expect(JSON.parse(stdout)).toMatchObject({ concepts: [], note: expect.stringMatching(why) });
  });

  it('may come from standard input', async () => {
    const { status, stdout } = await assay(['-'], TEXT);
    expect(status).toBe(0);
    expect(extractionOutputSchema.safeParse(JSON.parse(stdout)).success).toBe(true);
  });

  it.each([
    [['missing.txt'], 'FILE_NOT_FOUND', /missing\.txt does not exist/],
    [['.'], 'FILE_EXPECTED', /is a folder, not a file/],
    [['empty.txt'], 'INPUT_INVALID', /empty\.txt is empty/],
    [[], 'USAGE', /name text files, or --batch, or --golden/],
    [['bread.txt', '--batch', '-'], 'USAGE', /one of them/],
    [['bread.txt', '--extractor', 'llm'], 'USAGE', /needs a model/],
    [['bread.txt', '--model', 'openai/gpt-5'], 'USAGE', /--model is for --extractor llm, and this is local/],
    [['bread.txt', '--extractor', 'command'], 'USAGE', /needs the program/],
    [['bread.txt', '--repeat', '0'], 'USAGE', /--repeat is a whole number from 1 to 1000, not "0"/],
    [['bread.txt', '--concurrency', 'x'], 'USAGE', /--concurrency is a whole number/],
    [['bread.txt', 'sub/bread.md'], 'USAGE', /two files would both be called bread/],
    [['--batch', 'x.jsonl', '--out', 'o'], 'USAGE', /--batch prints lines/],
    [['--batch', 'missing.jsonl'], 'FILE_NOT_FOUND', /missing\.jsonl does not exist/],
    [
      ['bread.txt', '--extractor', 'llm', '--model', 'openai/x', '--prompt', 'nope-v1.0'],
      'FILE_NOT_FOUND',
      /nope-v1\.0\.md does not exist/,
    ],
    [
      ['bread.txt', '--extractor', 'llm', '--model', 'google/x'],
      'MODEL_KEY_MISSING',
      /GOOGLE_GENERATIVE_AI_API_KEY/,
    ],
  ])('%j is refused with %s', async (words, code, message) => {
    put('bread.txt', TEXT);
    put('empty.txt', '\n');
    const { status, stdout, stderr } = await assay(words);
    expect(stderr).toMatch(message);
    expect(stderr).toContain(`[${code}]`);
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  });
});

describe('several texts', () => {
  it('become files in the folder named, several per text with --repeat', async () => {
    put('one.txt', TEXT);
    put('two.md', TEXT);
    expect(await assay(['one.txt', 'two.md', '--out', 'a/b'])).toMatchObject({ status: 0, stdout: '' });
    expect(readdirSync(join(folder, 'a/b')).toSorted()).toEqual(['one.json', 'two.json']);
    await assay(['one.txt', '--out', 'r', '--repeat', '2']);
    expect(readdirSync(join(folder, 'r')).toSorted()).toEqual(['one.1.json', 'one.2.json']);
  });

  it('are printed as lines without a folder; one that fails is an error in its place', async () => {
    put('one.txt', TEXT);
    const { status, stdout } = await assay(['one.txt', 'missing.txt']);
    expect(status).toBe(2);
    expect(linesOf(stdout)).toMatchObject([
      { id: 'one', concepts: expect.any(Array) },
      { id: 'missing', error: { code: 'FILE_NOT_FOUND' } },
    ]);
  });

  it('may be the texts of the golden cases', async () => {
    const cases = readdirSync(GOLDEN).filter((name) => name.endsWith('.gold.json'));
    const { status, stderr } = await assay(['--golden', GOLDEN, '--out', 'outputs']);
    expect(status).toBe(0);
    expect(stderr).toMatch(new RegExp(`${cases.length} texts extracted by local`));
    expect(stderr).toContain('Next: assay decomposition run --golden');
    expect(readdirSync(join(folder, 'outputs')).toSorted()).toEqual(
      cases.map((name) => name.replace('.gold.json', '.json')).toSorted(),
    );
  });
});

describe('a batch', () => {
  it('is answered line by line in its order; bad lines are told in their place, and some failed is 2', async () => {
    const lines = [
      JSON.stringify({ id: 'a', text: TEXT }),
      'nonsense',
      JSON.stringify({ id: 'c' }),
      JSON.stringify({ id: 4, text: TEXT }),
    ];
    const { status, stdout, stderr } = await assay(['--batch', '-'], lines.join('\n'));
    expect(status).toBe(2);
    expect(linesOf(stdout)).toEqual([
      expect.objectContaining({ id: 'a', concepts: expect.any(Array), relationships: expect.any(Array) }),
      { error: { code: 'INPUT_INVALID', message: 'line 2 is not JSON', line: 2 } },
      { id: 'c', error: { code: 'INPUT_INVALID', message: expect.stringContaining('text'), line: 3 } },
      expect.objectContaining({ id: 4, concepts: expect.any(Array) }),
    ]);
    expect(stderr).toBe('2 texts extracted by local, 2 failed.\n');
  });

  it('is 0 when all went well, and 3 when nothing worked or there was nothing', async () => {
    put('fine.jsonl', `${JSON.stringify({ id: 'a', text: TEXT })}\n`);
    expect(await assay(['--batch', 'fine.jsonl'])).toMatchObject({ status: 0 });
    expect(await assay(['--batch', '-'], 'bad\nworse\n')).toMatchObject({ status: 3 });
    expect(await assay(['--batch', '-'], '\n')).toMatchObject({
      status: 3,
      stdout: '',
      stderr: 'There was no text to extract.\n',
    });
  });

  it('answers each line before the next one is written', async () => {
    const child = start(['--batch', '-']);
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
    for (const id of ['a', 'b']) {
      child.stdin?.write(`${JSON.stringify({ id, text: TEXT })}\n`);
      await until(() => printed.endsWith('\n') && linesOf(printed).at(-1)?.id === id);
    }
    child.stdin?.end();
    expect(await new Promise((done) => child.once('close', done))).toBe(0);
  });

  it('numbers repeats', async () => {
    const { stdout } = await assay(
      ['--batch', '-', '--repeat', '2'],
      JSON.stringify({ id: 'a', text: TEXT }),
    );
    expect(linesOf(stdout)).toMatchObject([
      { id: 'a', trial: 1 },
      { id: 'a', trial: 2 },
    ]);
  });
});

describe('a program', () => {
  it('gets its words without a shell; what it complains of drives no terminal', async () => {
    put(
      'my extractor.mjs',
      `if (!process.argv[2]) { console.error('\\x1b[31mno luck\\x1b[0m'); process.exit(7); }
       console.log(JSON.stringify({ concepts: [{ label: process.env.ASSAY_CASE_ID }, { label: process.argv[2] }] }));`,
    );
    put('bread.txt', TEXT);
    const extract = (more: string) =>
      assay([
        'bread.txt',
        '--extractor',
        'command',
        '--command',
        `"${process.execPath}" 'my extractor.mjs'${more}`,
      ]);
    const { status, stdout } = await extract(' $HOME;ls');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ concepts: [{ label: 'bread' }, { label: '$HOME;ls' }] });
    const failed = await extract('');
    expect(failed.status).toBe(3);
    expect(failed.stderr).toMatch(/ended with exit code 7: no luck \[COMMAND_FAILED\]/);
  });

  it('is ended with the command', async () => {
    put(
      'slow.mjs',
      `import { writeFileSync } from 'node:fs'; writeFileSync('pid', String(process.pid)); setTimeout(() => {}, 3600000);`,
    );
    put('bread.txt', TEXT);
    const child = start(['bread.txt', '--extractor', 'command', '--command', `${process.execPath} slow.mjs`]);
    await until(() => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid'), 'utf8') !== '');
    child.kill('SIGINT');
    expect(await new Promise((done) => child.once('close', done))).toBe(3);
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await until(() => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    });
  });
});

describe('a model', () => {
  it.each([
    ['openai/gpt-5-mini', '/v1/responses'],
    ['anthropic/claude-sonnet-4-5', '/v1/messages'],
    ['compatible/llama3', '/v1/chat/completions'],
  ])('%s is asked with the newest prompt of the package', async (model, path) => {
    const { requests } = await serve(() => ({ kind: 'answer', text: ANSWER }));
    put('bread.txt', TEXT);
    for (const stream of [[], ['--stream', '--no-cache']]) {
      const { status, stdout, stderr } = await assay(['bread.txt', ...llm(model), ...stream]);
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        ...JSON.parse(ANSWER),
        model,
        promptVersion: 'decompose-concepts-v1.1',
        latencyMs: expect.any(Number),
      });
      expect(stderr).toMatch(
        /1 text extracted by llm .* decompose-concepts-v1\.1 · 1 call · (\$0\.\d+|cost unknown)/,
      );
    }
    expect(requests.map((one) => one.path)).toEqual([path, path]);
    expect(requests[0]).toMatchObject({ user: TEXT, system: expect.stringContaining('# Atomicity') });
  });

  it('makes a new call for each repeat, and none for what it has answered before', async () => {
    const { requests } = await serve(() => ({ kind: 'answer', text: ANSWER }));
    put('bread.txt', TEXT);
    const words = ['bread.txt', ...llm(), '--out', 'o'];
    await assay([...words, '--repeat', '3']);
    expect(requests).toHaveLength(3);
    const again = await assay([...words, '--repeat', '4']);
    expect(requests).toHaveLength(4);
    expect(again.stderr).toMatch(/4 texts extracted .* 1 call · 3 from the cache/);
    await assay([...words, '--no-cache']);
    expect(requests).toHaveLength(5);
  });

  it('is never asked more often at once than allowed', async () => {
    const running = await serve(async () => {
      await sleep(20);
      return { kind: 'answer', text: ANSWER };
    });
    const lines = Array.from({ length: 12 }, (_, id) => JSON.stringify({ id, text: `Text ${id}.` }));
    await assay(['--batch', '-', ...llm(), '--concurrency', '3'], lines.join('\n'));
    expect(running.requests).toHaveLength(12);
    expect(running.mostAtOnce()).toBeLessThanOrEqual(3);
  });

  it('takes the prompt that is named, from the folder that is named', async () => {
    const { requests } = await serve(() => ({ kind: 'answer', text: ANSWER }));
    mkdirSync(join(folder, 'prompts'));
    put('prompts/mine-v1.0.md', 'First.');
    put('prompts/decompose-concepts-v1.9.md', 'Nine.');
    put('prompts/decompose-concepts-v1.10.md', 'Ten.');
    put('bread.txt', TEXT);
    await assay(['bread.txt', ...llm()]);
    await assay(['bread.txt', ...llm(), '--prompt', 'mine-v1.0']);
    expect(requests.map(({ system }) => system)).toEqual(['Ten.', 'First.']);
  });

  it('goes on after kill -9 where it was: what was answered comes from the cache', async () => {
    const texts = Array.from({ length: 12 }, (_, n) => `Text number ${n}.`);
    put('batch.jsonl', texts.map((text, n) => JSON.stringify({ id: n, text })).join('\n'));
    const cached = () =>
      globSync(join(folder, '.assay/cache/extractions/**/*.json')).map(
        (path) => JSON.parse(readFileSync(path, 'utf8')) as object,
      );
    // The first five are answered, the others hang until the process is gone.
    let open = true;
    const { requests } = await serve((_, index) =>
      open && index >= 5 ? { kind: 'hang' } : { kind: 'answer', text: ANSWER },
    );
    const child = start(['--batch', 'batch.jsonl', ...llm(), '--concurrency', '3']);
    await until(() => cached().length === 5 && requests.length === 8);
    child.kill('SIGKILL');
    await new Promise((done) => child.once('close', done));
    open = false;
    const before = requests.length;
    const { status, stdout, stderr } = await assay(['--batch', 'batch.jsonl', ...llm()]);
    expect(status).toBe(0);
    expect(linesOf(stdout).map(({ id }) => id)).toEqual(texts.map((_, n) => n));
    expect(requests.length - before).toBe(12 - 5);
    expect(stderr).toMatch(/12 texts extracted .* 7 calls · 5 from the cache/);
    expect(cached()).toHaveLength(12);
  });

  it('stops at the cost ceiling, says so in place, and never spends more', async () => {
    const { requests } = await serve(() => ({ kind: 'answer', text: ANSWER, outputTokens: 1000 }));
    const lines = Array.from({ length: 10 }, (_, id) => JSON.stringify({ id, text: `Text ${id}.` }));
    const limits = ['--max-cost', '0.02', '--max-output-tokens', '1000'];
    const { status, stdout } = await assay(['--batch', '-', ...llm(), ...limits], lines.join('\n'));
    expect(status).toBe(2);
    const results = linesOf(stdout);
    const refused = results.filter((one) => 'error' in one);
    for (const one of refused) expect(one).toMatchObject({ error: { code: 'COST_CEILING' } });
    expect(refused.length).toBeGreaterThan(0);
    expect(requests.length).toBe(10 - refused.length);
    const spent = results.reduce((sum, one) => sum + Number(one.costUsd ?? 0), 0);
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(0.02);
  });

  it('never lets the key out: not on the screen, with --debug neither, and not on the disk', async () => {
    const echo = JSON.stringify({ error: { message: `bad key ${KEY}`, type: 'x', param: null, code: null } });
    await serve((_, index) =>
      index % 2 === 0 ? { kind: 'answer', text: ANSWER } : { kind: 'status', status: 400, body: echo },
    );
    put('one.txt', TEXT);
    put('two.txt', `${TEXT} More.`);
    const fine = await assay(['one.txt', ...llm(), '--debug']);
    const failed = await assay(['two.txt', ...llm(), '--debug']);
    expect([fine.status, failed.status]).toEqual([0, 3]);
    expect(failed.stderr).toContain('bad key [key]');
    const stored = globSync(join(folder, '**/*'), { exclude: (name) => name === 'node_modules' })
      .concat(globSync(join(folder, '.assay/**/*.json')))
      .filter((path) => /\.(json|db|txt)$/.test(path))
      .map((path) => readFileSync(path, 'utf8'));
    expect(stored.length).toBeGreaterThanOrEqual(3);
    for (const text of [fine.stdout, fine.stderr, failed.stdout, failed.stderr, ...stored]) {
      expect(text).not.toContain(KEY);
    }
  });

  it('is stopped by Ctrl-C, and says what is done', async () => {
    const { requests } = await serve((_, index) =>
      index === 0 ? { kind: 'answer', text: ANSWER } : { kind: 'hang' },
    );
    const child = start(['--batch', '-', ...llm(), '--concurrency', '1']);
    let note = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      note += chunk;
    });
    child.stdin?.write(
      `${JSON.stringify({ id: 1, text: 'One.' })}\n${JSON.stringify({ id: 2, text: 'Two.' })}\n`,
    );
    await until(() => requests.length === 2);
    child.kill('SIGINT');
    expect(await new Promise((done) => child.once('close', done))).toBe(2);
    expect(note).toBe('Stopped after 1 text; run it again to reuse the answers in the cache.\n');
  });
});
