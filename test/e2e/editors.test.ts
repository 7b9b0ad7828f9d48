/** What editors and validators make of the published schemas, and of the addresses that files name them by. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configSchema } from '../../src/config.ts';
import { bareEnv } from '../bare-env.ts';
import { EDITOR_TOOLS, fetchTools } from '../fetched-tools.ts';
import { withYamlServer } from '../language-server.ts';
import { LAUNCHER } from '../launcher.ts';

const tools = fetchTools(EDITOR_TOOLS);
const load = createRequire(join(tools ?? process.cwd(), 'package.json'));

type Check = ((value: unknown) => boolean) & { readonly errors?: readonly unknown[] | null };
type Validator = { readonly addSchema: (schema: object) => void; readonly getSchema: (id: string) => Check };

/** All published schemas in a validator that takes nothing that it does not know. */
function validator(): Validator {
  const { Ajv2020 } = load('ajv/dist/2020.js') as { Ajv2020: new (options: object) => Validator };
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  const { default: addFormats } = load('ajv-formats') as { default: (to: Validator) => void };
  addFormats(ajv);
  for (const path of globSync('docs/formats/*.schema.json')) ajv.addSchema(readJson(path) as object);
  return ajv;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const readAny = (path: string): unknown =>
  path.endsWith('.jsonl')
    ? readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : parse(readFileSync(path, 'utf8'));

/** Schema → our own files of that kind, and how one of them is broken. */
const FILES: Readonly<Record<string, { files: string[]; broken: Readonly<Record<string, unknown>> }>> = {
  'golden-case': {
    files: ['golden/*.gold.json', 'examples/decomposition/golden/*.gold.json'],
    broken: { domain: 'nonsense', expectedConcept: [], created: 'yesterday', expectedConcepts: [{}] },
  },
  'extraction-output': {
    files: ['examples/decomposition/outputs/*.json'],
    broken: { concepts: [{ label: '' }], latencyMs: -1 },
  },
  'workflow-ground-truth': {
    files: ['examples/workflow/truth/*.yaml'],
    broken: { version: 1, errors: [{ id: 'E1' }], errrors: [] },
  },
  'workflow-run': {
    files: ['examples/workflow/runs/*/*/*.json'],
    broken: { findings: {}, agent_tokens: -1, workfow: 'a' },
  },
  'workflow-experiment': {
    files: ['examples/workflow/experiment.yaml'],
    broken: { tasks: [], runs: [{ workflow: 'a' }], task: 'a' },
  },
};

describe.skipIf(tools === undefined)('a validator with the published schemas', () => {
  it.each(Object.entries(FILES))(
    '%s: takes our own files, refuses broken ones',
    (name, { files, broken }) => {
      const check = validator().getSchema(`urn:assay:schema:${name}`);
      const paths = globSync(files);
      expect(paths).not.toEqual([]);
      for (const path of paths) {
        const value = readAny(path) as object;
        check({ $schema: 'x', ...value });
        expect(check.errors ?? [], path).toEqual([]);
        for (const [key, wrong] of Object.entries(broken))
          expect(check({ ...value, [key]: wrong }), `${path} with ${key}`).toBe(false);
      }
    },
  );

  it('neutral: takes every line of our fixture, and no other kind of line', () => {
    const check = validator().getSchema('urn:assay:schema:neutral');
    for (const line of readAny('test/fixtures/session/shows/neutral/session.jsonl') as unknown[])
      expect(check(line), JSON.stringify([line, check.errors])).toBe(true);
    expect(check({ type: 'nonsense' })).toBe(false);
  });

  it('configuration and mapping: take what is meant, no other key and no other kind', () => {
    const schemas = validator();
    const config = schemas.getSchema('urn:assay:schema:configuration');
    config({ $schema: 'x', ...configSchema.parse({}) });
    expect(config.errors ?? []).toEqual([]);
    for (const wrong of [
      { stor: 'a' },
      { store: 1 },
      { session: { flagBelow: 2 } },
      { alerts: { rules: { no: {} } } },
    ])
      expect(config(wrong), JSON.stringify(wrong)).toBe(false);
    const mapping = schemas.getSchema('urn:assay:schema:workflow-mapping');
    expect(mapping({ $schema: 'x', severity: { high: 'CRITICAL' } })).toBe(true);
    expect(mapping({ severity: { high: 'HIGH' } })).toBe(false);
  });
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-editors-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const assay = (...words: string[]) =>
  spawnSync(process.execPath, [LAUNCHER, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: bareEnv(folder),
  });

/** A project with a text and a review; `assay init` has drafted from both. */
function initHere() {
  writeFileSync(at('review.md'), '1. `parse` does not check for null (src/parse.ts:12).\n');
  writeFileSync(at('marsh.txt'), 'Reed slows the water. Slow water drops silt. Silt raises the marsh.\n');
  expect(assay('init', '--yes', '--review', 'review.md', '--text', 'marsh.txt').stderr).toBe('');
  const golden = (JSON.parse(read('golden/marsh.gold.json')) as { $schema: string }).$schema;
  const truth = /^# yaml-language-server: \$schema=(\S+)\n/.exec(read('truth/review.yaml'))?.[1] ?? '';
  return { golden, truth };
}

/** A dependency as npm leaves it, as far as editors look at it. */
function installHere(): void {
  writeFileSync(at('package.json'), '{ "devDependencies": { "assay": "file:vendor/assay-0.1.0.tgz" } }');
  mkdirSync(at('node_modules/assay/docs'), { recursive: true });
  cpSync('package.json', at('node_modules/assay/package.json'));
  cpSync('docs/formats', at('node_modules/assay/docs/formats'), { recursive: true });
}

/** The schema that a file of a folder names. */
const schemaAt = (from: string, address: string) => readJson(join(folder, from, address));

describe('assay init', () => {
  it('names copies that it leaves in the project, outside of what git ignores', () => {
    const { golden, truth } = initHere();
    expect(golden).toBe('../assay-schemas/golden-case.schema.json');
    expect(schemaAt('golden', golden)).toMatchObject({ $id: 'urn:assay:schema:golden-case' });
    expect(schemaAt('truth', truth)).toMatchObject({ $id: 'urn:assay:schema:workflow-ground-truth' });
    expect(read('.gitignore')).not.toContain('schemas');
    expect(assay('decomposition', 'run', '--no-semantic').stderr).not.toContain('schema');
    expect(assay('workflow', 'lint', 'truth/review.yaml').status).toBe(0);
  });

  it('names the package where the project depends on it, also in the configuration', () => {
    installHere();
    const { golden, truth } = initHere();
    expect(golden).toBe('../node_modules/assay/docs/formats/golden-case.schema.json');
    expect(schemaAt('truth', truth)).toMatchObject({ $id: 'urn:assay:schema:workflow-ground-truth' });
    expect(existsSync(at('assay-schemas'))).toBe(false);
    expect(read('assay.config.yaml')).toMatch(
      /^# yaml-language-server: \$schema=\.\/node_modules\/assay\/docs\/formats\/configuration\.schema\.json\n/,
    );
    expect(assay('config').stderr).toBe('');
  });

  it('names no package that is there by chance', () => {
    installHere();
    writeFileSync(at('package.json'), '{}');
    expect(initHere().golden).toBe('../assay-schemas/golden-case.schema.json');
  });

  it('names no other package of the same name', () => {
    installHere();
    for (const path of globSync(at('node_modules/assay/docs/formats/*.json')))
      writeFileSync(path, '{ "$id": "https://elsewhere.example/schema.json" }');
    expect(initHere().golden).toBe('../assay-schemas/golden-case.schema.json');
    expect(read('assay.config.yaml')).not.toContain('node_modules');
  });

  it('leaves a schema with the words of the project, where it has its own', () => {
    installHere();
    writeFileSync(
      at('assay.config.json'),
      JSON.stringify({ $schema: 'x', decomposition: { golden: { domains: ['legal'] } } }),
    );
    const { golden } = initHere();
    expect(schemaAt('golden', golden)).toMatchObject({ properties: { domain: { enum: ['legal'] } } });
  });

  it('is followed by drafts that name the same schema', () => {
    initHere();
    expect(assay('decomposition', 'new', 'silt', '--text', 'marsh.txt').status).toBe(0);
    expect(read('golden/silt.gold.json')).toContain('"$schema": "../assay-schemas/golden-case.schema.json"');
    mkdirSync(at('a/b'), { recursive: true });
    expect(assay('workflow', 'new', 'a/b/one.json', '--review', 'review.md').status).toBe(0);
    expect(read('a/b/one.json')).toContain('../../assay-schemas/workflow-ground-truth.schema.json');
    expect(assay('workflow', 'lint', 'a/b/one.json').status).toBe(0);
  });
});

it('a golden set is the same, whether its files name their schema or not', () => {
  const hash = () => {
    const words = ['decomposition', 'run', '--golden', 'golden', '--outputs', 'outputs', '--no-semantic'];
    const { stdout } = assay(...words, '--no-store', '--no-history', '--format', 'json');
    return /"truth_hash": "(\w+)"/.exec(stdout)?.[1];
  };
  for (const name of ['golden', 'outputs'])
    cpSync(`examples/decomposition/${name}`, at(name), { recursive: true });
  const before = hash();
  expect(before).toMatch(/^\w{20,}/);
  for (const path of globSync([at('golden/*'), at('outputs/*')]))
    writeFileSync(path, JSON.stringify({ $schema: '../x.json', ...(readJson(path) as object) }));
  expect(hash()).toBe(before);
});

it('a configuration may name its schema, which is no setting', () => {
  writeFileSync(at('assay.config.json'), '{ "$schema": "./x.json", "session": { "flagBelow": 0.37 } }');
  const { stdout, stderr } = assay('config');
  expect(stderr).toBe('');
  expect(stdout).toContain('0.37');
  expect(stdout).not.toContain('$schema');
});

it('assay schema prints what is published', () => {
  expect(assay('schema', 'golden-case').stdout).toBe(
    readFileSync('docs/formats/golden-case.schema.json', 'utf8'),
  );
  const { stdout } = assay('schema');
  for (const path of globSync('docs/formats/*.schema.json'))
    expect(stdout).toContain(`  ${path.slice(dirname(path).length + 1, -'.schema.json'.length)} `);
  expect(assay('schema', '../errors').status).toBe(3);
});

describe.skipIf(tools === undefined)('the YAML language server', () => {
  it('completes a ground truth of `assay init` by the line that it begins with', async () => {
    initHere();
    const path = at('truth/review.yaml');
    const text = `${read('truth/review.yaml')}\n`;
    const last = text.split('\n').length - 1;
    await withYamlServer(load, { path, text }, async ({ complete, faults }) => {
      expect(await faults).toEqual([]);
      const offered = await complete(last, 0);
      expect(offered).toContain('traps');
      expect(offered).toContain('identify');
    });
  });

  it('offers nothing of ours without the line, and marks what is wrong with it', async () => {
    initHere();
    const path = at('truth/review.yaml');
    const [line = '', ...rest] = read('truth/review.yaml').split('\n');
    await withYamlServer(load, { path, text: `${rest.join('\n')}\n` }, async ({ complete }) => {
      expect(await complete(rest.length, 0)).not.toContain('traps');
    });
    await withYamlServer(load, { path, text: `${line}\ntask: a\nversion: 1\n` }, async ({ faults }) => {
      expect((await faults).join('\n')).toMatch(/Missing property "errors"/);
    });
  });
});
