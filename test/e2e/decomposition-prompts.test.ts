import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { madeWith, openProject, outputWith, type Project, type RunJson } from '../decomposition-project.ts';

let project: Project;
beforeEach(() => {
  project = openProject();
  mkdirSync(project.at('prompts'));
  writeFileSync(project.at('prompts/extract-v1.0.md'), 'Find the concepts.\nQuote them.\n');
});
afterEach(() => project.close());

const prompt = (...words: string[]) => project.assay('prompt', ...words);

/** What an output carries that a version made. */
const madeBy = (version: string, model?: string) => ({
  promptVersion: version,
  ...madeWith(project.read(`prompts/${version}.md`), model),
});

/** Measures `found` concepts as the result of a version, and asks for its promotion. */
async function promote(version: string, found: number, ...more: string[]) {
  project.outputs(version, { found, ...madeBy(version) });
  return await prompt('promote', version, '--outputs', version, ...more);
}

describe('versions', () => {
  it('are started from the one in force, numbered upwards, and never overwritten', async () => {
    expect((await prompt('new', 'extract', '--changes', 'an example; shorter')).status).toBe(0);
    expect(project.read('prompts/extract-v1.1.md')).toBe(project.read('prompts/extract-v1.0.md'));
    expect((await prompt('new', 'extract', '--major')).stdout).toContain('Prompt extract-v2.0');
    expect((await prompt('new', 'extract-v1.0')).stdout).toContain('Prompt extract-v1.2');
    const log = project.read('prompts/CHANGELOG.md');
    expect(log.match(/^## .*/gm)?.map((line) => line.slice(0, 7))).toEqual(['## v1.2', '## v2.0', '## v1.1']);
    expect(log).toContain('### Changes\n- an example\n- shorter\n\n### Metrics Impact\n');
    expect(log).toContain('| Recall | not measured | not measured | not measured |');
    expect(log).not.toContain('%');
  });

  it.each([
    [['new', 'Extract'], /not the name of a prompt/],
    [['new', 'other'], /no prompt "other"; there is extract/],
    [['new', 'extract-v3.0'], /extract-v3\.0\.md does not exist/],
    [['new', '../extract'], /not the name of a prompt/],
    [['diff', 'extract'], /not the name of a prompt/],
    [['diff', 'extract-v1.0'], /no version before/],
    [['promote', 'extract-v1.0', '--run', 'nothing.json'], /nothing\.json does not exist/],
    [['rollback', 'extract'], /ever promoted/],
    [['new', 'extract', '--prompts', 'nowhere'], /no folder .*nowhere/],
  ])('%j is refused with exit code 3', async (words, message) => {
    const { status, stderr } = await prompt(...words);
    expect(status).toBe(3);
    expect(stderr).toMatch(message);
  });

  it('show what changed', async () => {
    await prompt('new', 'extract');
    expect((await prompt('diff', 'extract-v1.1')).stdout).toContain('are the same');
    writeFileSync(project.at('prompts/extract-v1.1.md'), 'Find the concepts.\nQuote each of them.\n');
    const { stdout } = await prompt('diff', 'extract-v1.0', 'extract-v1.1');
    expect(stdout).toContain('1 lines added, 1 removed');
    expect(stdout).toContain('-Quote them.\n+Quote each of them.\n');
    expect(JSON.parse((await prompt('diff', 'extract-v1.1', '--format', 'json')).stdout)).toMatchObject({
      before: 'extract-v1.0',
      added: 1,
    });
  });
});

describe('a promotion', () => {
  it('is decided by the documented rules, and every decision is kept', async () => {
    expect(await promote('extract-v1.0', 8)).toMatchObject({ status: 0 });
    await prompt('new', 'extract', '--changes', 'shorter');
    // Recall 0.8 → 0.7 is −10 points, overall −2.5.
    const rejected = await promote('extract-v1.1', 7);
    expect(rejected.status).toBe(1);
    expect(rejected.stdout).toMatch(/rejected: Concept recall got worse by 10\.0 points/);
    await prompt('new', 'extract');
    const promoted = await promote('extract-v1.2', 9);
    expect(promoted.status).toBe(0);
    const log = project.read('prompts/CHANGELOG.md');
    expect(log).toContain(
      '| Metric | v1.0 | v1.2 | Delta |\n|--------|------|------|-------|\n| Recall | 80% | 90% | +10% |\n',
    );
    expect(log).toContain('| Overall | 80% | 82.5% | +2.5% |');
    expect(log).toMatch(/- Improvement on case-1\.gold\.json \(\+2\.5 points\)/);
    expect(log).toMatch(/- Rejected on \d{4}-\d\d-\d\d by Ada Lovelace <ada@example\.org>: Concept recall/);
    const list = JSON.parse((await prompt('list', '--format', 'json')).stdout) as {
      prompts: { prompt: string; state: string }[];
    };
    expect(list.prompts.map((one) => [one.prompt, one.state])).toEqual([
      ['extract-v1.0', 'promoted before'],
      ['extract-v1.1', 'rejected'],
      ['extract-v1.2', 'in force'],
    ]);
    for (const name of ['extract-v1.0', 'extract-v1.1', 'extract-v1.2'])
      expect(existsSync(project.at(`prompts/${name}.md`))).toBe(true);
    expect(await promote('extract-v1.2', 9)).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/in force already/),
    });
  });

  it('is held for small falls until somebody gives a reason, and for what nobody measured', async () => {
    await promote('extract-v1.0', 10);
    await prompt('new', 'extract');
    project.outputs('small', (i) => ({ found: i <= 3 ? 9 : 10, ...madeBy('extract-v1.1') }));
    // Three of eight cases lose one of ten concepts: recall −3.75 points.
    expect(await prompt('promote', 'extract-v1.1', '--outputs', 'small')).toMatchObject({ status: 2 });
    const approved = await prompt('promote', 'extract-v1.1', '--outputs', 'small', '--reason', 'cheaper');
    expect(approved).toMatchObject({ status: 0, stdout: expect.stringMatching(/reason: cheaper/) });
    rmSync(project.at('prompts/ledger.jsonl'));
    const unknown = await promote('extract-v1.1', 10, '--reason', 'please');
    expect(unknown).toMatchObject({
      status: 2,
      stdout: expect.stringMatching(/extract-v1\.0 was not measured/),
    });
    expect(project.read('prompts/CHANGELOG.md')).toContain('| Recall | not measured | 100% | not measured |');
  });

  it('takes results from files, and refuses those of another version', async () => {
    await prompt('new', 'extract');
    for (const [version, found] of [
      ['extract-v1.0', 8],
      ['extract-v1.1', 9],
    ] as const) {
      project.outputs(version, { found, ...madeBy(version) });
      await project.assay(
        'run',
        '--outputs',
        version,
        '--prompt',
        version,
        '--format',
        'json',
        '--out',
        `${version}.json`,
      );
    }
    const files = ['--run', 'extract-v1.1.json', '--previous', 'extract-v1.0.json'];
    expect(await prompt('promote', 'extract-v1.1', ...files, '--format', 'json')).toMatchObject({
      status: 0,
    });
    await prompt('new', 'extract');
    expect(await prompt('promote', 'extract-v1.2', '--run', 'extract-v1.1.json')).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/measured extract-v1\.1, not extract-v1\.2/),
    });
    project.outputs('other', { found: 9, promptVersion: 'extract-v1.0' });
    expect(await prompt('promote', 'extract-v1.2', '--outputs', 'other')).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/name the prompt extract-v1\.0, not extract-v1\.2/),
    });
  });

  it('is held when it was measured against other golden cases than there are now', async () => {
    project.outputs('o', { found: 10, ...madeBy('extract-v1.0') });
    await project.assay(
      'run',
      '--outputs',
      'o',
      '--prompt',
      'extract-v1.0',
      '--format',
      'json',
      '--out',
      'r.json',
    );
    rmSync(project.at('golden/case-8.gold.json'));
    const { status, stdout } = await prompt('promote', 'extract-v1.0', '--run', 'r.json');
    expect(status).toBe(2);
    expect(stdout.replace(/\s+/g, ' ')).toContain('measured against other golden cases than those in golden');
  });

  it('is refused on outputs that do not say what made them, or that another version made', async () => {
    const { promptSha256: _, ...unstamped } = madeBy('extract-v1.0');
    const { model: __, ...anonymous } = madeBy('extract-v1.0');
    for (const [parts, message] of [
      [unstamped, /do not all name the prompt that produced them/],
      [anonymous, /do not all name the model that produced them/],
      [
        { ...madeBy('extract-v1.0'), promptSha256: 'a'.repeat(64) },
        /not made with extract-v1\.0\.md as it is/,
      ],
    ] as const) {
      project.outputs('o', { found: 10, ...parts });
      const { status, stderr } = await prompt('promote', 'extract-v1.0', '--outputs', 'o');
      expect({ status, said: stderr.replace(/\s+/g, ' ') }).toMatchObject({
        status: 3,
        said: expect.stringMatching(message),
      });
    }
    // The same files speak for one version only, also while the next one is still a copy.
    const { promptVersion: ___, ...unnamed } = madeBy('extract-v1.0');
    project.outputs('o', { found: 10, ...unnamed });
    expect((await prompt('promote', 'extract-v1.0', '--outputs', 'o')).status).toBe(0);
    await prompt('new', 'extract');
    expect(await prompt('promote', 'extract-v1.1', '--outputs', 'o')).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/the same outputs were already used for extract-v1\.0/),
    });
  });

  it('is held across models until that is asked for', async () => {
    await promote('extract-v1.0', 8);
    await prompt('new', 'extract');
    project.outputs('other', { found: 9, ...madeBy('extract-v1.1', 'better') });
    const held = await prompt('promote', 'extract-v1.1', '--outputs', 'other');
    expect(held.status).toBe(2);
    expect(held.stdout.replace(/\s+/g, ' ')).toMatch(/measured with better, and extract-v1\.0 with m/);
    expect((await prompt('promote', 'extract-v1.1', '--outputs', 'other', '--across-models')).status).toBe(0);
  });

  it('can be rolled back without deleting anything', async () => {
    await promote('extract-v1.0', 8);
    await prompt('new', 'extract');
    await promote('extract-v1.1', 9);
    const { status, stdout } = await prompt('rollback', 'extract', '--reason', 'worse in production');
    expect(status).toBe(0);
    expect(stdout).toContain('extract-v1.0 is in force again');
    expect((await prompt('list')).stdout).toContain('in force: extract-v1.0');
    expect(project.read('prompts/CHANGELOG.md')).toMatch(/Rolled back to v1\.0 on .*: worse in production/);
    const ledger = project.read('prompts/ledger.jsonl').trimEnd().split('\n');
    expect(ledger.map((line) => JSON.parse(line).action)).toEqual([
      'promoted',
      'created',
      'promoted',
      'rolled back',
    ]);
    expect(await prompt('rollback', 'extract')).toMatchObject({ status: 3, stdout: '' });
    expect((await prompt('rollback', 'extract-v1.1')).status).toBe(0);
  });
});

describe('tampering', () => {
  it('with a version that was decided on, or with the ledger, is seen', async () => {
    await promote('extract-v1.0', 8);
    await prompt('new', 'extract');
    appendFileSync(project.at('prompts/extract-v1.1.md'), 'Still a draft.\n');
    expect((await prompt('list')).status).toBe(0);
    appendFileSync(project.at('prompts/extract-v1.0.md'), 'And invent some more.\n');
    const changed = await prompt('list');
    expect(changed).toMatchObject({ status: 1, stdout: expect.stringMatching(/extract-v1\.0 was changed/) });
    rmSync(project.at('prompts/extract-v1.0.md'));
    expect((await prompt('list')).stdout).toMatch(/extract-v1\.0 was deleted/);
    const ledger = project.read('prompts/ledger.jsonl');
    writeFileSync(project.at('prompts/ledger.jsonl'), ledger.replace('Ada', 'Eve'));
    expect(await prompt('list')).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/ledger is broken/),
    });
    for (const format of ['json', 'jsonl', 'csv']) {
      const { status, stdout, stderr } = await prompt('list', '--format', format);
      expect([format, status, `${stdout}${stderr}`]).toEqual([
        format,
        1,
        expect.stringMatching(/ledger\.jsonl:1 was changed/),
      ]);
    }
    expect(await promote('extract-v1.1', 9)).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/ledger\.jsonl:1/),
    });
  });

  it('with the ledger leaves nothing half made', async () => {
    await promote('extract-v1.0', 8);
    writeFileSync(
      project.at('prompts/ledger.jsonl'),
      project.read('prompts/ledger.jsonl').replace('Ada', 'Eve'),
    );
    const before = [readdirSync(project.at('prompts')), project.read('prompts/CHANGELOG.md')];
    for (const words of [
      ['new', 'extract'],
      ['new', 'extract-v1.0'],
      ['rollback', 'extract'],
    ]) {
      expect(await prompt(...words)).toMatchObject({
        status: 3,
        stderr: expect.stringMatching(/ledger\.jsonl:1 was changed/),
      });
    }
    expect([readdirSync(project.at('prompts')), project.read('prompts/CHANGELOG.md')]).toEqual(before);
  });
});

describe('npm run test:row3', () => {
  function row3(...words: string[]) {
    const keep = ['--store', project.at('store.db'), '--history', project.at('history.json')];
    const golden = ['--golden', project.at('golden'), '--baseline-file', project.at('.baseline.json')];
    const argv = ['run', '--silent', 'test:row3', '--', ...golden, ...keep, ...words];
    const { status, stdout, stderr } = spawnSync('npm', argv, {
      encoding: 'utf8',
      env: { ...process.env, HOME: project.folder },
    });
    return { status, stdout, stderr };
  }

  it('measures, saves a baseline, compares with it, and takes a prompt', () => {
    project.outputs('before', { found: 10 });
    project.outputs('after', { found: 7 });
    expect(row3('--outputs', project.at('before'))).toMatchObject({ status: 0 });
    expect(row3('--outputs', project.at('before'), '--baseline')).toMatchObject({ status: 0 });
    expect(project.readJson('.baseline.json').suite.n_cases).toBe(8);
    const compared = row3('--outputs', project.at('after'), '--compare');
    expect(compared).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/Overall score got worse by 7\.5/),
    });
    const asked = row3('--prompt', 'decompose-concepts-v1.1');
    expect(asked).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/decompose-concepts-v1\.1 needs a model[\s\S]*--outputs/),
    });
    const named = row3('--prompt', 'decompose-concepts-v1.1', '--outputs', project.at('before'));
    expect(named.stdout).toContain('recorded decompose-concepts-v1.1');
  });

  it('works without anything: the local extractor', () => {
    project.close();
    project = openProject(1);
    const { status, stdout } = row3('--format', 'json');
    expect([0, 1, 2]).toContain(status);
    expect((JSON.parse(stdout) as RunJson).run.subject).toBe('local');
  });
});

describe('a prompt with a model', () => {
  let server: Server;
  let asked: string[];
  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        asked.push(body);
        const content = JSON.stringify(outputWith({ found: 9 }));
        const message = { role: 'assistant', content };
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            id: 'x',
            object: 'chat.completion',
            created: 1,
            model: 'tiny',
            choices: [{ index: 0, message, finish_reason: 'stop' }],
            usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
          }),
        );
      });
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  });
  afterEach(() => new Promise((closed) => server.close(closed)));

  it('needs only the configuration, sends that version, and remembers which text it was', async () => {
    writeFileSync(
      project.at('assay.config.json'),
      JSON.stringify({ decomposition: { model: 'compatible/tiny' } }),
    );
    const { port } = server.address() as AddressInfo;
    const { status, stdout, stderr } = await project.start(
      ['run', '--prompt', 'extract-v1.0', '--format', 'json'],
      {
        OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`,
      },
    );
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const run = JSON.parse(stdout) as RunJson;
    expect(asked).toHaveLength(8);
    expect(asked[0]).toContain('Find the concepts.');
    expect(run.run).toMatchObject({
      subject: 'llm compatible/tiny extract-v1.0',
      prompt: 'extract-v1.0',
      prompt_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    writeFileSync(project.at('run.json'), stdout);
    appendFileSync(project.at('prompts/extract-v1.0.md'), 'Other words.\n');
    expect(await prompt('promote', 'extract-v1.0', '--run', 'run.json')).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/run\.json were not made with extract-v1\.0\.md as it is now/),
    });
  });
});
