import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configSchema, defineConfig, loadConfig, parseConfig } from './config.ts';
import { GOLDEN_RULES } from './decomposition/golden-rules.ts';
import { DOCUMENTED_PROFILES, SIGNAL_WEIGHTS } from './session/weights.ts';
import { CATEGORIES } from './workflow/truth.ts';
import { OES_WEIGHTS } from './workflow/weights.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('loadConfig', () => {
  it('has a default for everything', async () => {
    const { config, path } = await loadConfig(folder);
    expect(path).toBeUndefined();
    expect(config).toEqual({
      teams: {},
      decomposition: {
        model: 'none',
        matchLevel: 'alias',
        predicateMap: {},
        map: {},
        golden: GOLDEN_RULES,
        gate: { lines: {}, leaveOut: [], minCases: 5, guards: 'warn' },
        caseFailures: 'warn',
        overallScale: 'documented',
        weights: {
          recall: 0.25,
          precision: 0.2,
          relationshipAccuracy: 0.2,
          provenance: 0.2,
          hallucinationPenalty: 0.15,
        },
      },
      session: {
        taskTypes: {},
        flagBelow: 0.4,
        repositories: {},
        weights: DOCUMENTED_PROFILES,
        signalWeights: SIGNAL_WEIGHTS,
        verify: {},
        silenceMinutes: 15,
        intakeMegabytes: 4000,
        webhook: '',
        webhookSecret: 'ASSAY_WEBHOOK_SECRET',
        evaluations: '',
        langfuse: '',
        phoenix: '',
      },
      workflow: {
        minimums: {},
        weights: OES_WEIGHTS,
        minErrors: 0,
        categories: [...CATEGORIES],
        lineTolerance: 3,
      },
      production: { sampleRate: 0.05, seed: 1, keepText: false, textDays: 30, recordDays: 400 },
      retention: {
        ...Object.fromEntries(
          ['runs', 'sessions', 'ratings', 'approvals', 'alerts', 'feedback', 'deliveries'].map((kind) => [
            kind,
            'forever',
          ]),
        ),
        audit: 400,
        intake: 7,
      },
      alerts: {
        rules: {},
        narrowed: [],
        webhook: '',
        webhookSecret: 'ASSAY_WEBHOOK_SECRET',
        slack: '',
        email: { to: [], from: 'assay@localhost', smtp: 'ASSAY_SMTP_URL' },
        quiet: [],
      },
    });
  });

  it.each([
    ['assay.config.ts', "const store: string = 'here.db';\nexport default { store };"],
    ['assay.config.js', "export default { store: 'here.db' };"],
    ['assay.config.json', '{ "store": "here.db" }'],
    ['assay.config.yaml', '# mine\nstore: here.db\n'],
    ['assay.config.yml', 'store: here.db'],
  ])('reads %s, also from a folder below', async (name, text) => {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, name), text);
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    const { config, path } = await loadConfig(join(folder, 'a/b'));
    expect(config.store).toBe('here.db');
    expect(path).toBe(join(folder, name));
  });

  it('says where a file that cannot be evaluated is wrong', async () => {
    writeFileSync(join(folder, 'assay.config.ts'), 'export default { store: ; };');
    await expect(loadConfig(folder)).rejects.toThrow(expect.objectContaining({ code: 'CONFIG_UNREADABLE' }));
  });

  it('wants a default export', async () => {
    writeFileSync(join(folder, 'assay.config.ts'), "export const store = 'x';");
    await expect(loadConfig(folder)).rejects.toThrow(/no default export/);
  });

  it('knows which settings the file names', async () => {
    expect((await loadConfig(folder)).named).toEqual([]);
    writeFileSync(
      join(folder, 'assay.config.json'),
      '{ "store": "here.db", "decomposition": { "overallScale": "attainable", "weights": {} } }',
    );
    expect((await loadConfig(folder)).named).toEqual(['store', 'decomposition.overallScale']);
  });

  it('names the line at which a file is not JSON', async () => {
    writeFileSync(join(folder, 'assay.config.json'), '{\n  "store":\n}');
    await expect(loadConfig(folder)).rejects.toThrow(
      expect.objectContaining({
        code: 'CONFIG_UNREADABLE',
        message: expect.stringContaining('assay.config.json:3 is not JSON'),
      }),
    );
  });

  it('names the line at which a file is not YAML, and takes one without settings for the defaults', async () => {
    writeFileSync(join(folder, 'assay.config.yaml'), 'session:\n  flagBelow: [\n');
    await expect(loadConfig(folder)).rejects.toThrow(
      expect.objectContaining({
        code: 'CONFIG_UNREADABLE',
        message: expect.stringMatching(/assay\.config\.yaml:\d is not YAML/),
      }),
    );
    writeFileSync(
      join(folder, 'assay.config.yaml'),
      'session:\n  # flagBelow: 0.3\ndecomposition:\n  gate:\n',
    );
    expect(await loadConfig(folder)).toMatchObject({ config: configSchema.parse({}), named: [] });
  });

  it("takes the user's own file where the project has none", async () => {
    const env = { HOME: join(folder, 'home') };
    const [project, own] = [join(folder, 'project'), join(folder, 'home/.config/assay/assay.config.yaml')];
    mkdirSync(project);
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, 'session: { flagBelow: 0.3 }');
    expect(await loadConfig(project, { env })).toMatchObject({
      config: { session: { flagBelow: 0.3 } },
      path: own,
      isUsers: true,
    });
    writeFileSync(join(project, 'assay.config.json'), '{ "session": { "flagBelow": 0.2 } }');
    const loaded = await loadConfig(project, { env });
    expect([loaded.config.session.flagBelow, loaded.isUsers]).toEqual([0.2, false]);
  });

  it("does not read the user's own file when others may write to it", async () => {
    const own = join(folder, '.config/assay/assay.config.json');
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, '{}');
    chmodSync(own, 0o666);
    const project = join(folder, 'project');
    mkdirSync(project);
    await expect(loadConfig(project, { env: { HOME: folder } })).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
    });
  });

  it.each(['assay.config.ts', 'assay.config.js'])('never runs %s where only data is read', async (name) => {
    writeFileSync(join(folder, name), 'globalThis.ran = true; export default { store: "planted.db" };');
    expect((await loadConfig(folder, { dataOnly: true })).path).toBeUndefined();
    await expect(loadConfig(folder, { file: name, dataOnly: true })).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: expect.stringContaining('is a .ts or .js file'),
    });
    expect(globalThis).not.toHaveProperty('ran');
    writeFileSync(join(folder, 'assay.config.yaml'), 'project: shop');
    expect((await loadConfig(folder, { dataOnly: true })).config.project).toBe('shop');
  });

  it('refuses one that is far larger than people write', async () => {
    const teams = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`team-${i}`, []]));
    writeFileSync(join(folder, 'assay.config.json'), JSON.stringify({ teams }));
    await expect(loadConfig(folder)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  });

  it('does not take a link to nowhere for no file', async () => {
    symlinkSync('nowhere', join(folder, 'assay.config.json'));
    await expect(loadConfig(folder)).rejects.toThrow(expect.objectContaining({ code: 'FILE_NOT_FOUND' }));
  });

  it('refuses a folder', async () => {
    await expect(loadConfig(folder, { file: '.' })).rejects.toThrow(
      expect.objectContaining({ code: 'FILE_EXPECTED' }),
    );
  });

  it('refuses a named file that does not exist', async () => {
    await expect(loadConfig(folder, { file: 'nowhere.json' })).rejects.toThrow(
      expect.objectContaining({ code: 'FILE_NOT_FOUND' }),
    );
  });
});

describe('parseConfig', () => {
  it.each([
    [{ stor: 'x' }, 'unknown key "stor"; did you mean "store"?'],
    [
      { decomposition: { overalScale: 'x' } },
      'unknown key "decomposition.overalScale"; did you mean "overallScale"?',
    ],
    [
      { decomposition: { weights: { recal: 1 } } },
      'unknown key "decomposition.weights.recal"; did you mean "recall"?',
    ],
    [{ zebra: 1 }, 'unknown key "zebra"'],
    [{ store: 7 }, 'store: '],
    [[], 'the whole file: '],
  ])('rejects %j with the place', (value, message) => {
    expect(() => parseConfig(value, 'assay.config.json')).toThrow(`assay.config.json: ${message}`);
  });

  it('wants the five weights of the overall score to sum to 1, and names the sum', () => {
    const weights = { recall: 0.3, precision: 0.2, relationshipAccuracy: 0.2, provenance: 0.2 };
    expect(() => parseConfig({ decomposition: { weights } }, 'assay.config.json')).toThrow(
      'assay.config.json: decomposition.weights: the five weights must sum to 1; these sum to 1.05',
    );
    const thirds = { recall: 1 / 3, precision: 1 / 3, relationshipAccuracy: 1 / 3, provenance: 0 };
    const all = { ...thirds, hallucinationPenalty: 0 };
    expect(parseConfig({ decomposition: { weights: all } }, 'x').decomposition.weights).toEqual(all);
  });

  it('refuses a line of an alert that its value can never be at', () => {
    const fault = (alerts: object) => configSchema.safeParse({ alerts }).error?.issues[0]?.message;
    expect(fault({ rules: { 'errors-high': { line: -1 } } })).toContain('>=0');
    expect(fault({ rules: { 'errors-high': { line: 5 } } })).toContain('for 5 percent write 0.05');
    expect(fault({ narrowed: [{ rule: 'confidence-low', model: 'm', line: 70 }] })).toContain('from 0 to 1');
    expect(fault({ rules: { 'latency-high': { line: 8000 }, 'errors-high': { line: 1 } } })).toBeUndefined();
  });

  it('refuses a value that cannot be read', () => {
    const value = {
      get store(): string {
        throw new Error('boo');
      },
    };
    expect(() => parseConfig(value, 'assay.config.ts')).toThrow(
      expect.objectContaining({ code: 'CONFIG_UNREADABLE', message: expect.stringContaining('boo') }),
    );
  });
});

it('defineConfig gives back what it is given', () => {
  expect(defineConfig({ store: 'a.db' })).toEqual({ store: 'a.db' });
});
