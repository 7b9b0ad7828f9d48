import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GOLDEN_RULES } from '../../decomposition/golden-rules.ts';
import type { Brief, BriefKind } from '../../decomposition/production/brief/brief.ts';
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import { exampleProduction } from '../../decomposition/testing/production-week.ts';
import { briefSections, briefView } from '../../decomposition/views/brief-view.ts';
import { OVERALL_WEIGHTS } from '../../decomposition/weights.ts';
import { renderView } from '../../report/format.ts';
import { lintGolden } from '../decomposition/lint-golden.ts';
import { defaultPorts, type OpenPorts } from '../default-ports.ts';
import { startExperiment } from './experiments.ts';
import { rateDecomposition } from './rate-decomposition.ts';
import { readBrief } from './read-brief.ts';

const UNTIL = new Date('2026-11-15T00:00:00.000Z');
let folder: string;
let ports: OpenPorts;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-brief-'));
  for (const name of ['golden', 'prompts']) mkdirSync(join(folder, name));
  // Three of the cases are not yet in the suite: their texts come from production.
  const files = globSync('golden/*.gold.json').sort();
  for (const file of files.slice(3)) cpSync(file, join(folder, file));
  for (const version of ['v1.0', 'v1.1'])
    writeFileSync(join(folder, `prompts/extract-${version}.md`), `Words of ${version}.`);
  ports = { ...defaultPorts(), now: () => UNTIL, identity: () => 'ada' };
});
afterEach(async () => {
  await ports.close();
  rmSync(folder, { recursive: true });
});

function brief(kind: BriefKind, rest: object = {}): Promise<Brief> {
  const own = { golden: join(folder, 'golden'), rules: GOLDEN_RULES, map: {}, weights: OVERALL_WEIGHTS };
  return readBrief({ kind, cwd: folder, ...own, ...rest }, ports);
}

/** Two weeks of requests that nobody said anything of. */
async function keep(as: (record: DecompositionRecord) => DecompositionRecord): Promise<void> {
  const { records } = exampleProduction(UNTIL, 24 * 14);
  await (await ports.store()).appendDecompositions(records.map(as), []);
}

/** Forty days of requests; the bad ones are rated and disliked, and invent the same thing. */
async function serve(): Promise<void> {
  const store = await ports.store();
  const { records, texts } = exampleProduction(UNTIL, 24 * 40);
  await store.appendDecompositions(records, texts);
  const sampled = records.filter(({ sample }) => sample !== undefined).slice(-60);
  const isBad = (id: string) => Number(id.slice(-4)) % 10 === 0;
  const said = { author: 'ada', at: '2026-11-14T00:00:00.000Z' };
  await store.appendRatings(
    sampled.flatMap(({ id }) => [
      {
        ...said,
        ratingId: `w-${id}`,
        kind: 'decomposition',
        subjectId: id,
        rating: isBad(id) ? 0 : 1,
        note: 'invents',
      },
      ...(isBad(id)
        ? [
            {
              ...said,
              ratingId: `f-${id}`,
              kind: 'decomposition-fabrication',
              subjectId: `${id}#quantum harvesting`,
              rating: 1,
            },
          ]
        : []),
    ]),
  );
  await store.appendFeedback(
    records.slice(-90).map(({ id, topic }) => ({
      ...said,
      feedbackId: `u-${id}`,
      instrument: 'decomposition',
      outputId: id,
      thumb: topic === 'Peatland restoration' ? ('down' as const) : ('up' as const),
      ...(topic === 'Peatland restoration' && { comment: 'misses the drainage' }),
    })),
  );
}

const textOf = (one: Brief, format: 'table' | 'markdown' | 'html' = 'table') =>
  renderView(briefView(one), format, { width: 80, colour: false, all: false });

describe('a look back at a week', () => {
  it('has every point of the documented review with examples, on one page', async () => {
    await serve();
    const one = await brief('week');
    expect(briefSections(one).map(({ id, missing }) => [id, missing])).toEqual([
      ['lowest', undefined],
      ['feedback', undefined],
      ['failures', undefined],
      ['latency', undefined],
      ['days', undefined],
    ]);
    expect(one.week?.lowest[0]).toMatchObject({
      acceptable: 0,
      fabricated: 1,
      unsupportedQuotes: { count: 7, of: 18 },
    });
    expect(one.week?.feedback.patterns[0]).toMatchObject({ by: 'topic', name: 'Peatland restoration' });
    expect(one.week?.feedback.words[0]).toMatchObject({ example: 'misses the drainage' });
    expect(one.week?.failures.kinds[0]).toMatchObject({ kind: 'timeout', count: 7, before: 7 });
    expect(one.week?.failures.kinds[0]?.examples[0]?.id).toBe('request-0957');
    expect(one.week?.latency).toMatchObject({ change: 'no clear change' });
    expect(one.week?.latency.days).toHaveLength(7);
    expect(one.week?.days.reduce((sum, { up, down }) => sum + up + down, 0)).toBe(90);
    const text = await textOf(one);
    expect(text).toContain('request-0957');
    // A page of paper holds about sixty lines.
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    expect(await textOf(one, 'markdown')).toContain('**User feedback**');
    expect(await textOf(one, 'html')).toContain('Peatland restoration');
  });

  it('says what is missing and how to get it where nothing was recorded', async () => {
    const one = await brief('week');
    expect(one.operational.requests).toBe(0);
    for (const { missing } of briefSections(one)) expect(missing).toMatch(/monitor\(\)|Send thumbs/);
    expect(await textOf(one)).toContain('Nothing was recorded in this time, so there is nothing to judge.');
  });
});

describe('a look back at a month', () => {
  it('drafts golden cases from production that lint passes, with what was made up among their canaries', async () => {
    await serve();
    const one = await brief('month', { drafts: join(folder, 'golden') });
    const drafts = one.month?.candidates ?? [];
    expect(drafts).toHaveLength(2);
    for (const { findings, golden, path = '' } of drafts) {
      expect(findings).toEqual([]);
      expect(golden.citation).toMatch(/^Request request-\d+ of production/);
      expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
        id: golden.id,
        draft: expect.any(String),
      });
    }
    expect(new Set(drafts.map(({ golden }) => golden.topic)).size).toBe(2);
    const lint = lintGolden({ golden: join(folder, 'golden') });
    expect(lint.findings).toEqual([]);
    expect(lint.drafts.toSorted()).toEqual(drafts.map(({ golden }) => golden.id).toSorted());
    expect(one.month?.canaries[0]).toMatchObject({ label: 'quantum harvesting', rated: 12, alreadyIn: [] });
  });

  it('holds metrics against what people say, and keeps the weights where too few have them all', async () => {
    await serve();
    const { month } = await brief('month');
    const quotes = month?.correlations.find(({ metric }) => metric === 'production/verified-quotes');
    expect(quotes).toMatchObject({ n: 60 });
    expect(quotes?.correlation?.interval?.low).toBeGreaterThan(0.4);
    expect(quotes?.adjustedP).toBeLessThan(0.001);
    expect(month?.weights).toEqual({ kind: 'too few', n: 0 });
  });

  it('correlates every request that people spoke of, with recall where raters say what is missing', async () => {
    const store = await ports.store();
    const records = Array.from({ length: 80 }, (_, i) => ({
      id: `r${i}`,
      at: '2026-11-10T00:00:00.000Z',
      status: 'ok' as const,
      concepts: 10,
      quoted: i % 10,
      // One in four was drawn; nobody drew the others.
      ...(i % 4 === 0 && { sample: { probability: 0.25, stratum: 'all' } }),
    }));
    await store.appendDecompositions(records);
    const at = '2026-11-11T00:00:00.000Z';
    await store.appendFeedback(
      records.map(({ id }, i) => ({
        feedbackId: id,
        instrument: 'decomposition',
        outputId: id,
        score: 1 + (i % 5),
        author: 'user',
        at,
      })),
    );
    for (const [i, { id }] of records.filter(({ sample }) => sample !== undefined).entries())
      await rateDecomposition(
        {
          id,
          acceptable: true,
          concepts: [],
          missing: i % 2 === 0 ? [] : ['River', 'Sea'],
          author: 'ada',
          environment: {},
        },
        ports,
      );
    const { month, sample } = await brief('month');
    const n = (metric: string) => month?.correlations.find((one) => one.metric === metric)?.n;
    expect([
      n('production/quoted-concepts'),
      n('production/found-concepts'),
      n('production/latency'),
    ]).toEqual([80, 20, 0]);
    // Ten outputs with 10 of 10, ten with 10 of 12.
    expect(sample.recall).toMatchObject({ value: expect.closeTo(200 / 220, 10), n: 20 });
    expect(month?.weights).toEqual({ kind: 'too few', n: 20 });
  });

  it('drafts nothing where no text was kept, and says so', async () => {
    const { records } = exampleProduction(UNTIL, 100);
    await (await ports.store()).appendDecompositions(records, []);
    const one = await brief('month');
    const [candidates] = briefSections(one);
    expect(candidates?.missing).toMatch(/No text of a sampled request is stored.*production\.keepText/);
  });

  it('reviews the golden cases by runs, ratings of concepts and feedback on their outputs', async () => {
    const store = await ports.store();
    const id = 'mycorrhizal-networks';
    const measured = (value: number) => ({ measured: true as const, value, n: 20 });
    const metrics = {
      'decomposition/concept-recall': measured(1),
      'decomposition/concept-precision': measured(1),
    };
    const shared = { instrument: 'decomposition', subject: 's', scorer: '1', verdict: 'passed' as const };
    await store.appendRuns(
      [1, 2, 3].map((day) => ({
        ...shared,
        runId: `run-${day}`,
        at: `2026-11-0${day}T00:00:00.000Z`,
        metrics,
        cases: [{ caseId: id, metrics, zone: 'excellent' as const }],
      })),
    );
    const said = { author: 'ada', at: '2026-11-10T00:00:00.000Z' };
    await store.appendFeedback(
      ['a', 'b'].map((name) => ({
        ...said,
        feedbackId: name,
        instrument: 'decomposition',
        runId: 'run-1',
        outputId: id,
        thumb: 'down' as const,
      })),
    );
    const { month } = await brief('month');
    expect(month?.review.map(({ caseId, finding, says }) => [caseId, finding, says])).toEqual([
      [id, 'contradicted by ratings', 'passes, but people dislike it'],
      [id, 'too easy', undefined],
    ]);
    // Two voices on one output of a run: recall and precision are known there.
    expect(month?.correlations.find(({ metric }) => metric === 'decomposition/concept-recall')?.n).toBe(1);
  });
});

describe('a look back at a quarter', () => {
  it('holds thresholds against what was observed, with what a proposal would have changed', async () => {
    await serve();
    await startExperiment(
      { prompts: join(folder, 'prompts'), candidate: 'extract-v1.1', control: 'extract-v1.0', id: 'try' },
      { ...ports, now: () => new Date('2026-11-01T00:00:00.000Z') },
    );
    const { quarter, ...rest } = await brief('quarter');
    const of = (what: string) => quarter?.thresholds.find((one) => one.what === what);
    // One request in 25 fails, so almost every day is above 1%.
    expect(of('error rate')).toMatchObject({ n: 40, proposal: { kind: 'loosen', wouldCross: 0 } });
    expect(of('p95 latency')).toMatchObject({ crossed: 0, proposal: { kind: 'tighten', wouldCross: 0 } });
    expect(of('average confidence')).toMatchObject({ crossed: 0, proposal: { kind: 'keep' } });
    // Of every fifth sampled output three of 18 concepts are not in its text.
    expect(of('concepts that the text never mentions')).toMatchObject({ threshold: 0.02, n: 40 });
    expect(of('quotes that are not in the text')?.crossed).toBeGreaterThan(30);
    expect(quarter?.versions.map(({ cell }) => [cell.promptVersion, cell.requests])).toEqual([
      ['extract-v1.0', 640],
      ['extract-v1.1', 320],
    ]);
    expect(quarter?.experiments.map(({ plan }) => plan.id)).toEqual(['try']);
    expect(quarter?.decisions.map(({ action }) => action)).toEqual(['experiment started']);
    const sections = briefSections({ ...rest, ...(quarter && { quarter }) });
    expect(sections.map(({ id, missing }) => [id, missing])).toEqual(
      ['sprint', 'experiments', 'thresholds', 'learnings', 'versions'].map((id) => [id, undefined]),
    );
  });

  it('says of a line that nothing was measured for that it is so', async () => {
    await keep(({ sample: _, quotes: __, unmentioned: ___, ...record }) => record);
    const lines = briefSections(await brief('quarter')).find(({ id }) => id === 'thresholds')?.table?.rows;
    const crossed = lines?.map(({ what, crossed }) => [what, crossed]);
    expect(crossed).toContainEqual(['concepts rated as made up', 'not measured']);
    expect(crossed).toContainEqual(['quotes that are not in the text', 'not measured']);
  });

  it('calls a target neither met nor missed by what one person said of one request', async () => {
    await keep((record) => record);
    const rating = { ratingId: 'one', author: 'ada', at: '2026-11-14T00:00:00.000Z', rating: 0 };
    await (await ports.store()).appendRatings([
      { ...rating, kind: 'decomposition', subjectId: 'request-0300' },
    ]);
    const { says, table } = briefSections(await brief('quarter')).find(({ id }) => id === 'sprint') ?? {};
    const row = table?.rows.find(({ what }) => what === 'outputs that people accept');
    expect(row?.state).toBe('unclear');
    expect(says?.[0]).not.toContain('outputs that people accept');
  });

  it('takes more than what is aimed at for as wrong as less', async () => {
    await keep((record) => ({ ...record, concepts: 45, relationships: 32 }));
    const { table } = briefSections(await brief('quarter')).find(({ id }) => id === 'sprint') ?? {};
    const state = (what: string) => table?.rows.find((row) => row.what === what);
    expect(state('concepts per topic')).toMatchObject({ target: '15–30', state: 'missed' });
    expect(state('relationships per topic')).toMatchObject({ target: '30–60', state: 'met' });
  });
});

it.each(['week', 'month', 'quarter'] as const)(
  'leads from every point of a %s to what it speaks of',
  async (kind) => {
    await serve();
    const found = await brief(kind);
    const dashboard = 'https://assay.example/team';
    const linked = briefView(found, {}, dashboard);
    const page = await renderView(linked, 'html', WIDE);
    const text = await renderView(linked, 'markdown', WIDE);
    const commands = await renderView(briefView(found, { store: 'a.db' }), 'html', WIDE);
    for (const { says, links = [] } of briefSections(found).filter((one) => one.missing === undefined)) {
      if (!says.some((line) => /^No |^Nothing /.test(line))) expect(links, says.join()).not.toEqual([]);
      for (const { path, does } of links) {
        expect(page).toContain(`<a href="${dashboard}${path}">`);
        expect(text).toContain(`](${dashboard}${path})`);
        if (does !== undefined)
          expect(commands).toContain(`<code>assay ${does.operation} ${does.positionals?.[0]} --store a.db`);
      }
    }
    expect(await renderView(linked, 'table', WIDE)).toContain(`${dashboard}/decomposition/production/rate`);
  },
);

const WIDE = { width: 400, colour: false, all: false };
