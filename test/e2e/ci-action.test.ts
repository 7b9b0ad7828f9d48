/** The action for GitHub and the template for GitLab: their own scripts, run by bash, against a stand-in of the API. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { BUILT_FROM } from '../../build/pack-clean.ts';
import { bareEnv } from '../bare-env.ts';
import { type StandIn, startStandIn } from '../forge-stand-in.ts';
import { addAssay, NO_REGISTRY } from '../installed-assay.ts';

type Step = {
  readonly id?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly run?: string;
  readonly env?: Record<string, string>;
};
type Action = {
  readonly inputs: Record<string, { readonly default?: string }>;
  readonly runs: { readonly steps: readonly Step[] };
};
const action = parse(readFileSync('action.yml', 'utf8')) as Action;
const { assay: job } = parse(readFileSync('ci/gitlab/assay.gitlab-ci.yml', 'utf8')) as {
  assay: {
    variables: Record<string, string>;
    script: string[];
    artifacts: { reports: Record<string, string> };
  };
};

/** A project that has Assay installed, made once. */
let installed = '';
beforeAll(() => {
  installed = mkdtempSync(join(tmpdir(), 'assay-installed-'));
  addAssay(installed);
});
afterAll(() => rmSync(installed, { recursive: true }));

let folder = '';
const at = (...names: string[]) => join(folder, ...names);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-action-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync('examples/decomposition', folder, { recursive: true });
  cpSync(installed, folder, { recursive: true, verbatimSymlinks: true });
  mkdirSync(at('bin'));
});

const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly files: readonly string[] };

/** The action as a runner fetches it: what is committed, and nothing that is installed. The project has no Assay. */
function checkOut(): void {
  for (const name of ['node_modules', 'package.json', 'package-lock.json', 'vendor'])
    rmSync(at(name), { recursive: true });
  for (const name of ['.npmrc', 'package-lock.json', ...BUILT_FROM, ...files.filter((one) => one !== 'dist')])
    cpSync(name, at('action', name), { recursive: true });
}

async function bash(script: string, env: Record<string, string>) {
  const base = bareEnv(at('home'));
  const path = [at('bin'), dirname(process.execPath), base.PATH].join(delimiter);
  const child = spawn('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...base, ...NO_REGISTRY, ...env, PATH: path },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [status] = await once(child, 'close');
  return { status, stdout, stderr };
}

/** As the runner does: expressions become values of variables, outputs of a step those of later ones. */
async function runAction(
  api: StandIn,
  inputs: Record<string, string>,
  { event = 'github-pull-request', env: jobs = {} }: { event?: string; env?: Record<string, string> } = {},
) {
  const outputs = at('outputs-of-steps');
  writeFileSync(outputs, '');
  mkdirSync(at('temp'), { recursive: true });
  const known = (expression: string) => {
    const [, input] = /^inputs\.([\w-]+)$/.exec(expression) ?? [];
    if (input === 'token') return 'secret-of-the-job';
    if (input !== undefined) return inputs[input] ?? action.inputs[input]?.default ?? '';
    return /^folder=(.*)$/m.exec(readFileSync(outputs, 'utf8'))?.[1] ?? '';
  };
  const done = [];
  for (const { run = '', env = {} } of action.runs.steps.filter((step) => step.run !== undefined)) {
    expect(run).not.toContain('${{');
    const filled = Object.fromEntries(
      Object.entries(env).map(([name, text]) => [
        name,
        text.replace(/\$\{\{ (.*?) \}\}/, (_, what) => known(what)),
      ]),
    );
    done.push(
      await bash(run, {
        ...jobs,
        ...filled,
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: existsSync(at('action')) ? at('action') : resolve('.'),
        GITHUB_API_URL: api.url,
        GITHUB_REPOSITORY: 'team/extractor',
        GITHUB_EVENT_PATH: resolve(`test/fixtures/ci/${event}.json`),
        GITHUB_OUTPUT: outputs,
        GITHUB_STEP_SUMMARY: at('summary.md'),
        GITHUB_WORKSPACE: folder,
        RUNNER_TEMP: at('temp'),
      }),
    );
  }
  const [prepared, measured, reported] = done;
  return { prepared, measured, reported, files: known('steps.measure.outputs.folder') };
}

const GOOD = { arguments: '--outputs\noutputs' };
const BAD = { arguments: '--outputs\noutputs\n--min\nconcept_recall=0.99' };

describe('the action for GitHub', () => {
  it('writes one comment, keeps it up to date, and ends as the gate does', async () => {
    const api = await startStandIn(['first', '<!-- assay:assay -->\nplanted by somebody', 'third']);
    const good = await runAction(api, GOOD);
    expect(good.reported).toMatchObject({ status: 0, stderr: expect.stringContaining('comment was added') });
    const bad = await runAction(api, BAD);
    expect(bad.reported).toMatchObject({ status: 1, stderr: expect.stringContaining('comment was updated') });
    const ours = api.comments.filter(({ by }) => by === 'bot');
    expect(ours.map(({ body }) => body)).toEqual([
      expect.stringMatching(/^<!-- assay:assay -->\n[\s\S]*✗ Blocked/),
    ]);
    expect(readFileSync(at('summary.md'), 'utf8')).toMatch(/✓ Passed[\s\S]*✗ Blocked/);
    expect(api.asked.filter(({ method }) => method !== 'GET').map(({ method }) => method)).toEqual([
      'PATCH',
      'POST',
      'PATCH',
    ]);
    for (const { headers } of api.asked) expect(headers.authorization).toBe('Bearer secret-of-the-job');
    const said = JSON.stringify([good, bad]);
    expect(said).not.toContain('secret-of-the-job');
  });

  it('points at the line of the golden case, and writes SARIF and JUnit', async () => {
    const api = await startStandIn();
    const { reported, files } = await runAction(api, BAD);
    const golden = readFileSync(at('golden/urban-heat.gold.json'), 'utf8').split('\n');
    const line = golden.findIndex((text) => text.includes('"waste heat"')) + 1;
    expect(reported?.stdout).toContain(
      `::error file=golden/urban-heat.gold.json,line=${line},title=missed-concept::urban-heat: missed waste heat\n`,
    );
    expect(readFileSync(at('outputs-of-steps'), 'utf8')).toMatch(/^sarif=true$/m);
    const { runs } = JSON.parse(readFileSync(join(files, 'assay.sarif'), 'utf8')) as {
      runs: { results: { ruleId: string; locations: object[] }[] }[];
    };
    expect(runs[0]?.results[0]).toMatchObject({
      ruleId: 'missed-concept',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'golden/urban-heat.gold.json' },
            region: { startLine: line },
          },
        },
      ],
    });
    expect(readFileSync(join(files, 'assay.xml'), 'utf8')).toMatch(
      /<testcase [^>]*name="urban-heat"[^>]*>\s*<failure/,
    );
  });

  it('says kindly that it may not write, as on a request from a fork, and has the summary', async () => {
    const api = await startStandIn();
    api.readOnly = true;
    const { reported } = await runAction(api, GOOD);
    expect(reported).toMatchObject({ status: 0, stderr: expect.stringContaining('requests from forks') });
    expect(readFileSync(at('summary.md'), 'utf8')).toContain('Concept recall');
  });

  it('waits for limits and tries faults again', async () => {
    const api = await startStandIn();
    const reset = String(Math.floor(Date.now() / 1000));
    api.next.push(
      { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } },
      { status: 502 },
    );
    expect((await runAction(api, GOOD)).reported?.status).toBe(0);
    expect(api.comments).toHaveLength(1);
    const limited = await startStandIn();
    limited.next.push({ status: 429, headers: { 'retry-after': '0' } });
    expect((await runAction(limited, GOOD)).reported?.status).toBe(0);
    expect(limited.comments).toHaveLength(1);
  });

  it('comments on nothing where there is no pull request or nobody asked for it', async () => {
    const api = await startStandIn();
    expect((await runAction(api, GOOD, { event: 'github-push' })).reported?.status).toBe(0);
    expect((await runAction(api, { ...GOOD, comment: 'false' })).reported?.status).toBe(0);
    expect(api.asked).toEqual([]);
  });

  it('never shows what an earlier run came to when this one could not be measured', async () => {
    const api = await startStandIn();
    await runAction(api, GOOD);
    const { reported } = await runAction(api, { arguments: '--outputs\nnowhere' });
    expect(reported?.status).toBe(3);
    expect(readFileSync(at('outputs-of-steps'), 'utf8')).not.toContain('sarif=');
    expect(api.comments.map(({ body }) => body)).toEqual([expect.stringContaining('Could not run')]);
  });

  it('lets nothing that others wrote be read by the shell, Markdown or the runner', async () => {
    const api = await startStandIn();
    const evil = '$(touch pwned)';
    const label = 'heat %0A::warning::<b>@all](http://evil.example) `x` $(touch pwned)';
    const golden = readFileSync(at('golden/urban-heat.gold.json'), 'utf8');
    writeFileSync(
      at('golden/urban-heat.gold.json'),
      golden.replaceAll('"waste heat"', JSON.stringify(label)),
    );
    const { measured, reported } = await runAction(api, {
      arguments: `${BAD.arguments}\n--history\n${evil}.json`,
      name: `--> ${evil} <script>`,
    });
    expect(existsSync(at('pwned'))).toBe(false);
    expect(reported?.status).toBe(1);
    expect(reported?.stdout).toContain('::urban-heat: missed heat %250A::warning::<b>');
    expect(api.comments).toEqual([expect.objectContaining({ body: expect.stringContaining('&lt;b&gt;') })]);
    const outside =
      `${measured?.stdout}`.replace(/::stop-commands::(\S+)\n[\s\S]*?::\1::\n/, '') + reported?.stdout;
    for (const line of outside.split('\n').filter((one) => one.trim().startsWith('::')))
      expect(line).toMatch(/^::(error|warning|notice)( file=[^,:]+,line=\d+,title=[a-z-]+)?::[^\n]*$/);
    for (const { body } of api.comments) {
      expect(body).toMatch(/^<!-- assay:[\w.-]+ -->\n/);
      expect(body.replace(/^.*\n/, '')).not.toMatch(/<script|<b>|@all|(?<!\\)\]\(|http:\/\//);
    }
  });

  it('gives the token to no code of the request', async () => {
    const note = `require('node:fs').appendFileSync(${JSON.stringify(at('stolen'))}, \`\${process.env.GITHUB_TOKEN}\\n\`)`;
    const program = `#!/usr/bin/env node\n${note};\n`;
    for (const name of ['node_modules/assay/bin/assay.js', 'node_modules/.bin/assay']) {
      rmSync(at(name));
      writeFileSync(
        at(name),
        program.replace('require', "process.getBuiltinModule('node:module').createRequire('/')"),
        { mode: 0o755 },
      );
    }
    writeFileSync(at('sh.sh'), `#!/bin/sh\necho "$GITHUB_TOKEN" >> '${at('stolen')}'\n`, { mode: 0o755 });
    writeFileSync(at('.npmrc'), 'script-shell=./sh.sh\n');
    writeFileSync(at('assay.config.js'), `${note}; module.exports = {};`);
    await runAction(await startStandIn(), GOOD);
    expect(readFileSync(at('stolen'), 'utf8').trim().split('\n')).toEqual(['undefined']);
  });

  it('uses only actions of GitHub itself, by version', () => {
    expect(action.runs.steps.flatMap(({ uses }) => uses ?? [])).toEqual([
      'actions/setup-node@v4',
      'github/codeql-action/upload-sarif@v3',
    ]);
  });
});

describe('the action where the project has no Assay', () => {
  /** In the place of npm: notes how it was called, and installs what is installed here. */
  function noteNpm(): () => { words: string; place: string; env: string }[] {
    const calls = at('npm-calls');
    const note = `printf '%s\\n' "$*" "$PWD" "$(env | tr '\\n' ' ')" >> '${calls}'`;
    const npm = `#!/bin/sh\n${note}\nln -s '${resolve('node_modules')}' node_modules\n`;
    writeFileSync(at('bin/npm'), npm, { mode: 0o755 });
    writeFileSync(at('bin/npx'), `#!/bin/sh\n${note}\nexit 1\n`, { mode: 0o755 });
    return () => {
      const lines = existsSync(calls) ? readFileSync(calls, 'utf8').trimEnd().split('\n') : [];
      const [words = [], places = [], envs = []] = [0, 1, 2].map((part) =>
        lines.filter((_, index) => index % 3 === part),
      );
      return words.map((one, index) => ({ words: one, place: places[index] ?? '', env: envs[index] ?? '' }));
    };
  }

  /** What a machine needs to reach others. */
  function wayOut(): Record<string, string> {
    const names = /^(?:https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR))$/i;
    return Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value = '']) => (names.test(name) ? [[name, value]] : [])),
    );
  }

  it('runs its own checkout, installed once, and gives npm no token', async () => {
    checkOut();
    const calls = noteNpm();
    const api = await startStandIn();
    // As a workflow may set it for a whole job.
    const env = { GITHUB_TOKEN: 'secret-of-the-job' };
    expect((await runAction(api, BAD, { env })).reported?.status).toBe(1);
    expect((await runAction(api, GOOD, { env })).reported?.status).toBe(0);
    expect(calls()).toEqual([
      {
        words: 'install --omit=dev --ignore-scripts --no-save --no-audit --no-fund',
        place: at('action'),
        env: expect.not.stringContaining('secret-of-the-job'),
      },
    ]);
    expect(api.comments.map(({ body }) => body)).toEqual([expect.stringContaining('✓ Passed')]);
  });

  it('stops where the checkout cannot be installed', async () => {
    checkOut();
    const { prepared } = await runAction(await startStandIn(), GOOD);
    expect(prepared?.status).not.toBe(0);
  });

  it('installs what its lock file names, and asks for no package of our name', async ({ skip }) => {
    checkOut();
    const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
    const env = {
      ...wayOut(),
      npm_config_registry: registry,
      npm_config_cache: resolve('node_modules/.cache/assay-tools/npm'),
      npm_config_loglevel: 'http',
    };
    const { status } = await bash('npm ping', { ...env, npm_config_fetch_timeout: '10000' });
    if (status !== 0) skip('the npm registry cannot be reached');
    const api = await startStandIn();
    const { prepared, reported } = await runAction(api, GOOD, { env });
    expect(prepared?.status, prepared?.stderr).toBe(0);
    expect(reported?.status).toBe(0);
    expect(api.comments).toHaveLength(1);
    const asked = [...`${prepared?.stderr}`.matchAll(/^npm http .*?(https:\/\/\S+)/gm)].map(
      ([, address = '']) => decodeURIComponent(address),
    );
    expect(asked).toContainEqual(expect.stringContaining(`${registry}hono/-/hono-`));
    expect(asked.filter((address) => address.startsWith(`${registry}assay`))).toEqual([]);
    expect(readFileSync(at('action/package-lock.json'), 'utf8')).toBe(
      readFileSync('package-lock.json', 'utf8'),
    );
    expect(existsSync(at('action/node_modules/vitest'))).toBe(false);
  });
});

describe('the template for GitLab', () => {
  const runJob = async (api: StandIn, command: string, more: Record<string, string> = {}) => {
    const env = {
      ...job.variables,
      ...more,
      ASSAY_COMMAND: command,
      GITLAB_CI: 'true',
      CI_API_V4_URL: `${api.url}/api/v4`,
      CI_PROJECT_ID: '42',
      CI_MERGE_REQUEST_IID: '7',
      CI_PROJECT_DIR: folder,
      CI_COMMIT_REF_NAME: '$(touch pwned)',
      ASSAY_GITLAB_TOKEN: 'secret-of-the-project',
    };
    return bash(job.script.join('\n'), env);
  };

  it('writes one note, keeps it up to date, and the files that its reports name', async () => {
    const api = await startStandIn(['one', 'two', 'three']);
    expect((await runJob(api, 'decomposition run --outputs outputs')).status).toBe(0);
    const blocked = await runJob(api, 'decomposition run --outputs outputs --min concept_recall=0.99');
    expect(blocked.status).toBe(1);
    const ours = api.comments.filter(({ by }) => by === 'bot');
    expect(ours.map(({ body }) => body)).toEqual([expect.stringContaining('✗ Blocked')]);
    expect(api.asked.at(-1)).toMatchObject({
      method: 'PUT',
      path: '/api/v4/projects/42/merge_requests/7/notes/4',
    });
    expect(api.asked[0]?.headers['private-token']).toBe('secret-of-the-project');
    const quality = JSON.parse(readFileSync(at(job.artifacts.reports.codequality ?? ''), 'utf8')) as object[];
    expect(quality[0]).toMatchObject({
      check_name: 'missed-concept',
      severity: 'major',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      location: { path: 'golden/urban-heat.gold.json', lines: { begin: expect.any(Number) } },
    });
    expect(readFileSync(at(job.artifacts.reports.junit ?? ''), 'utf8')).toContain('<testsuites');
    expect(readdirSync(folder)).not.toContain('pwned');
    // What the run before left behind is not taken for a result of this one.
    expect((await runJob(api, 'decomposition run --outputs nowhere')).status).toBe(3);
    expect(api.comments.at(-1)?.body).toContain('Could not run');
  });

  it('takes what the action takes', async () => {
    const own = ['upload-sarif', 'token'];
    const names = Object.keys(action.inputs).filter((name) => !own.includes(name));
    expect(Object.keys(job.variables).sort()).toEqual(
      names
        .map((name) => (name === 'working-directory' ? 'ASSAY_FOLDER' : `ASSAY_${name.toUpperCase()}`))
        .sort(),
    );
    cpSync('examples/workflow', at('review'), { recursive: true });
    const api = await startStandIn([]);
    const result = await runJob(api, 'workflow score --workflow review-1 --truth truth/webhook-relay.yaml', {
      ASSAY_ARGUMENTS: '--runs\nruns\n--documents\n\ndocuments\n--min\ndr=100\n',
      ASSAY_TRUTH: 'truth/webhook-relay.yaml',
      ASSAY_COMMENT: 'false',
      ASSAY_FOLDER: 'review',
    });
    expect(result.status, result.stderr).toBe(1);
    expect(api.asked).toEqual([]);
    const quality = JSON.parse(readFileSync(at(job.artifacts.reports.codequality ?? ''), 'utf8')) as object[];
    expect(quality[0]).toMatchObject({ location: { path: 'review/truth/webhook-relay.yaml' } });
  });

  it('says so where the project has not installed Assay', async () => {
    for (const name of ['package.json', 'package-lock.json']) rmSync(at(name));
    writeFileSync(at('package.json'), '{}');
    writeFileSync(at('package-lock.json'), '{ "lockfileVersion": 3, "packages": {} }');
    const api = await startStandIn();
    const { status, stderr } = await runJob(api, 'decomposition run --outputs outputs');
    expect(status).toBe(3);
    expect(stderr).toContain('Assay is not installed in this project.');
    expect(api.asked).toEqual([]);
  });
});
