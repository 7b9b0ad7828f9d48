/** A project as each release left it, made with its own code by `build/release-fixtures.ts`: today's code goes on with it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { readBaseline } from '../src/decomposition/baseline.ts';
import { readHistory } from '../src/decomposition/history.ts';
import { readOutput } from '../src/decomposition/ingest/output.ts';
import { compareToBaseline } from '../src/operations/decomposition/compare-to-baseline.ts';
import { listPromptVersions } from '../src/operations/decomposition/list-prompt-versions.ts';
import { defaultPorts, type OpenPorts } from '../src/operations/default-ports.ts';
import { readRun } from '../src/operations/read-run.ts';
import { sampleSessions } from '../src/operations/session/sample-sessions.ts';
import { saveRating } from '../src/operations/session/save-rating.ts';
import { checkStore } from '../src/operations/store/check-store.ts';
import { verifyBlind } from '../src/operations/workflow/blind-verify.ts';
import { readRatings } from '../src/session/calibration/labels.ts';
import { readBaselines } from '../src/session/profiles/baselines-file.ts';
import { collect } from '../src/store/testing/records.ts';

const RELEASES = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(
  ([, version = '']) => version,
);

it('has a project of every release there was', () => {
  expect(RELEASES.length).toBeGreaterThan(0);
  for (const version of RELEASES) expect(existsSync(`test/fixtures/releases/${version}.tgz`)).toBe(true);
});

type Row = Readonly<Record<string, unknown>>;

describe.each(RELEASES)('a project of %s', (version) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-release-'));
  const store = join(folder, 'assay.db');
  let ports: OpenPorts;
  let before: { readonly sessions: readonly Row[]; readonly runs: readonly Row[]; readonly values: number };

  beforeAll(() => {
    execFileSync('tar', ['-xzf', resolve('test/fixtures/releases', `${version}.tgz`)], { cwd: folder });
    const database = new DatabaseSync(store, { readOnly: true });
    const all = (sql: string) => database.prepare(sql).all() as Row[];
    before = {
      sessions: all(
        'SELECT session_id AS id, q, tier, source, task_type AS type FROM session ORDER BY session_id',
      ),
      runs: all('SELECT run_id AS id, verdict, case_count AS cases FROM run ORDER BY run_id'),
      values: Number(all('SELECT count(*) AS n FROM measurement')[0]?.n),
    };
    database.close();
    ports = defaultPorts({ store, folder });
  });
  afterAll(async () => {
    await ports.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('keeps its settings', async () => {
    const { config, named } = await loadConfig(folder, { file: 'assay.config.json' });
    expect(config.session.flagBelow).toBe(0.35);
    expect(named).toContain('decomposition.matchLevel');
  });

  it('has every session, as it was scored, and every run whole, with the verdict it had', async () => {
    expect(before.sessions.length).toBeGreaterThan(4);
    expect(before.runs.length).toBeGreaterThan(3);
    const opened = await ports.store();
    const sessions = await collect(opened.readSessions());
    expect(
      sessions
        .map(({ sessionId: id, q = null, tier = null, source, taskType: type }) => ({
          id,
          q,
          tier,
          source,
          type,
        }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    ).toEqual(before.sessions);
    const runs = await opened.listRuns();
    expect(
      runs
        .map(({ runId: id, verdict, caseCount: cases }) => ({ id, verdict, cases }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    ).toEqual(before.runs);
    let values = 0;
    for (const { runId, verdict } of runs) {
      const whole = await opened.readRun(runId);
      values += [...(whole?.cases ?? [])].reduce((sum, one) => sum + Object.keys(one.metrics).length, 0);
      values += Object.keys(whole?.metrics ?? {}).length;
      expect((await readRun({ id: runId }, ports)).verdict.gate.verdict).toBe(verdict);
    }
    expect(values).toBe(before.values);
  });

  it('keeps what people rated, and goes on where they stopped', async () => {
    const file = join(folder, 'ratings.csv');
    const ratings = readRatings(file);
    expect(ratings).toHaveLength(3);
    for (const one of ratings) expect(one).toMatchObject({ author: 'ada', note: 'seen, by hand' });
    const from = { paths: [join(folder, 'sessions')], home: folder, environment: {} };
    const { sessions } = await sampleSessions({ from, ratings: file, author: 'ada' }, ports);
    const [rated, left] = [true, false].map((is) => sessions.filter(({ isRated }) => isRated === is));
    expect(rated?.map(({ sessionId }) => sessionId).toSorted()).toEqual(
      ratings.map(({ sessionId }) => sessionId).toSorted(),
    );
    const [next] = left ?? [];
    if (next === undefined) expect.fail('every session is said to be rated');
    const { sessionId, sessionKey } = next;
    await saveRating({ sessionId, sessionKey, rating: 3, author: 'ada', file }, ports);
    expect(readRatings(file).slice(0, 3)).toEqual(ratings);
    expect(readRatings(file)).toHaveLength(4);
  });

  it('has a store without damage', async () => {
    const { damages, records } = await checkStore(store, ports);
    expect(damages).toEqual([]);
    expect(records).toBeGreaterThan(before.sessions.length);
  });

  it('holds a new run against the baseline it kept, with nothing lost', async () => {
    const { config } = await loadConfig(folder, { file: 'assay.config.json' });
    const { decomposition } = config;
    expect(readBaseline(join(folder, '.baseline.json')).cases.length).toBeGreaterThan(4);
    const run = await compareToBaseline(
      {
        golden: join(folder, 'golden'),
        source: { kind: 'recorded', folder: join(folder, 'outputs') },
        subject: 'a later run',
        matchLevel: decomposition.matchLevel,
        semantic: false,
        keep: true,
        thresholds: decomposition,
        against: { baseline: join(folder, '.baseline.json'), insist: true },
      },
      ports,
    );
    // Its scorer is an earlier one, which is said; what it measured is the same.
    const { differences = [], changes = {}, missingCases } = run.verdict.comparison ?? {};
    expect(differences.join()).toMatch(/measured by version/);
    expect(missingCases).toEqual([]);
    expect(Object.values(changes).length).toBeGreaterThan(5);
    expect(new Set(Object.values(changes).map(({ size }) => size))).toEqual(new Set(['unchanged']));
    expect(run.verdict.gate.verdict).toBe('passed');
  });

  it('goes on with its history, its prompts, its baselines, its outputs and its blind evaluation', () => {
    expect(readHistory(join(folder, 'metrics-history.json')).length).toBeGreaterThan(1);
    const { prompts, tampered, fault } = listPromptVersions({
      prompts: join(folder, 'prompts'),
      cwd: folder,
    });
    expect(fault).toBeUndefined();
    expect(tampered).toEqual([]);
    expect(prompts.map(({ name, state }) => `${name}: ${state}`)).toContain('decompose-concepts-v1.1: held');
    expect(readBaselines(join(folder, 'baselines.json')).name).toMatch(/^own-/);
    expect(readOutput(join(folder, 'outputs/tidal-marsh.json')).concepts.length).toBeGreaterThan(3);
    const truth = join(folder, 'workflow/truth/webhook-relay.yaml');
    expect(verifyBlind({ folder: join(folder, 'blind'), truth })).toMatchObject({ intact: true, entries: 1 });
  });
});
