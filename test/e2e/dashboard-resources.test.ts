/** What the pages ask for, from the real server over runs, reviews and alerts that real commands left. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyedFetch } from '../../src/testing/server-keys.ts';
import {
  addReviews,
  addSuite,
  type DashboardProject,
  openDashboardProject,
  startBlindReview,
} from '../dashboard-project.ts';

type Items<Item> = { readonly items: readonly Item[]; readonly next: string | null };

let project: DashboardProject;
let server: Awaited<ReturnType<DashboardProject['serve']>>;

beforeAll(async () => {
  project = openDashboardProject();
  await addSuite(project);
  await addReviews(project);
  await startBlindReview(project);
  server = await project.serve(join(project.folder, 'no-pages'));
});

afterAll(async () => {
  await server.stop();
  project.close();
});

async function ask(path: string, body?: object): Promise<{ status: number; json: unknown }> {
  const answer = await keyedFetch(new URL(`/api/v1/${path}`, server.url), {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  return { status: answer.status, json: await answer.json() };
}

const get = async <Data>(path: string, body?: object): Promise<Data> => (await ask(path, body)).json as Data;

const printed = async (...words: string[]) => JSON.parse(await project.print(...words, '--format', 'json'));

type Run = { readonly run: { readonly id: string; readonly at: string } };
const runsOf = async (instrument: string) =>
  (await get<Items<Run>>(`runs?instrument=${instrument}`)).items.map(({ run }) => run.id);

describe('runs', () => {
  it('are those of the command, newest first, and one is as its command prints it', async () => {
    const ids = (await printed('runs')).map(({ run }: Run) => run.id);
    expect((await get<Items<Run>>('runs')).items.map(({ run }) => run.id)).toEqual(ids);
    const [last = ''] = await runsOf('decomposition');
    expect(await get(`runs/${last}`)).toEqual(await printed('runs', last));
  });

  it('come in pages without a gap', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Items<Run> = await get(`runs?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.items.map(({ run }) => run.id));
      cursor = page.next;
    }
    expect(seen).toEqual([...(await get<Items<Run>>('runs')).items.map(({ run }) => run.id)]);
    expect(seen).toHaveLength(6);
  });

  it('that are unknown are not found, and a bad cursor is refused', async () => {
    expect(await ask('runs/nope')).toMatchObject({ status: 404, json: { code: 'RUN_NOT_FOUND' } });
    expect(await ask('runs?cursor=x')).toMatchObject({ status: 400, json: { code: 'REQUEST_INVALID' } });
  });
});

describe('decomposition', () => {
  it('shows a case with its text and every quote where it stands', async () => {
    const [last = ''] = await runsOf('decomposition');
    const story = await get<{
      text: { state: string; text: string; as_measured: boolean };
      trials: { concepts: { quote: { state: string; from: number; to: number } }[]; missed: unknown[] }[];
    }>(`runs/${last}/cases/tidal-marsh`);
    const golden = JSON.parse(readFileSync(join(project.folder, 'golden/tidal-marsh.gold.json'), 'utf8'));
    expect(story.text).toMatchObject({ state: 'here', text: golden.sourceText, as_measured: true });
    expect(story.trials[0]?.missed.length).toBeGreaterThan(2);
    expect(await ask(`runs/${last}/cases/nothing`)).toMatchObject({ status: 404 });
  });

  it('compares two stored runs, tells trends as the command does, prompts, decisions and approvals', async () => {
    const [after, , , before] = await runsOf('decomposition');
    const compared = await get<{ comparison: { metrics: Record<string, { size: string }> } }>(
      `decomposition/compare?a=${before}&b=${after}`,
    );
    expect(compared.comparison.metrics.concept_recall?.size).toBe('regression');
    expect(await get('decomposition/trend')).toEqual(await printed('decomposition', 'trend', '--all'));
    expect(await get('decomposition/prompts')).toEqual(await printed('decomposition', 'prompt', 'list'));
    expect(await get('decomposition/prompts/decisions')).toMatchObject({ decisions: [{ seq: 3 }, {}, {}] });
    expect(await get('decomposition/activity')).toMatchObject({
      whole: { runs: 4, outputs: 20, error_rate: { value: 0 }, cost_usd: { value: null } },
    });
    expect(await get('decomposition/approvals')).toMatchObject({
      items: ['overall', 'concept_recall'].map((metric) => ({
        metric,
        run_id: after,
        reason: 'fewer concepts on purpose',
        who: expect.stringContaining('Ada'),
      })),
    });
  });
});

describe('a blind evaluation', () => {
  const at = { folder: 'blind', by: 'ada' };
  const desk = () => get<Record<string, unknown>>('workflow/blind/desk?folder=blind&by=ada');

  it('refuses every step before its turn, with the words of the operation, and changes nothing', async () => {
    const chain = () => readFileSync(join(project.folder, 'blind/blind.jsonl'), 'utf8');
    const before = chain();
    const early = [
      ['truth', at],
      ['predictions', { ...at, answers: [{ error: 'E1', prediction: 'CANNOT_TELL' }] }],
      ['matches', { ...at, answers: [] }],
      ['check', at],
    ] as const;
    for (const [step, body] of early) {
      expect(await ask(`workflow/blind/${step}`, body)).toMatchObject({
        status: 409,
        json: { code: 'BLIND_ORDER', detail: expect.stringMatching(/not sealed|nobody has/) },
      });
    }
    expect(chain()).toBe(before);
    expect(JSON.stringify(await desk())).not.toContain('query string, where proxies');
  });

  it('keeps everything that rests on its ground truth from whoever asks', async () => {
    const [review = ''] = await runsOf('workflow');
    const at = 'experiment=reviews';
    for (const path of [
      `workflow/report?${at}`,
      `workflow/matrix?${at}`,
      `workflow/heatmap?${at}`,
      `workflow/leaderboard?${at}`,
      `workflow/compare?${at}&a=review-1&b=review-2`,
      'workflow/compare?a=review-1&b=review-2',
      `runs/${review}`,
    ])
      expect(await ask(path), path).toMatchObject({
        status: 409,
        json: {
          code: 'BLIND_ORDER',
          detail: expect.stringContaining('"blind" keeps this ground truth sealed'),
        },
      });
    expect(await get('workflow/experiments')).toMatchObject({
      experiments: [{ path: 'reviews', sealed_by: 'blind' }],
    });
    // One evaluator who walks through a second evaluation would know the truth of the first.
    const second = {
      folder: 'second',
      by: 'eve',
      truth: 'reviews/truth/webhook-relay.yaml',
      documents: 'reviews/documents/webhook-relay',
      runs: ['reviews/runs/review-1'],
    };
    expect(await ask('workflow/blind/start', second)).toMatchObject({
      status: 409,
      json: { code: 'BLIND_ORDER' },
    });
  });

  it('goes through its steps in their order, and its results are those of the command', async () => {
    const first = (await desk()) as { findings: { id: string }[] };
    const assessed = await get<{ receipt: string }>('workflow/blind/assessments', {
      ...at,
      answers: first.findings.map(({ id }) => ({ finding: id, judgement: 'CANNOT_TELL' })),
    });
    expect(assessed.receipt).toMatch(/^\d+:[0-9a-f]{64}$/);
    expect(await desk()).not.toHaveProperty('errors');
    const { errors } = await get<{ errors: { id: string }[] }>('workflow/blind/truth', at);
    await get('workflow/blind/predictions', {
      ...at,
      answers: errors.map(({ id }) => ({ error: id, prediction: 'MAYBE', why: 'it says so' })),
    });
    const third = (await desk()) as {
      matches: { findings: { id: string; candidates: { error: string }[] }[] };
    };
    await get('workflow/blind/matches', {
      ...at,
      answers: third.matches.findings.map(({ id, candidates: [found] }) =>
        found
          ? { finding: id, match: 'Y', error: found.error, reason: 'same place' }
          : { finding: id, match: 'FALSE', reason: 'no such error' },
      ),
    });
    expect(await desk()).toMatchObject({ step: 'check', waiting: [], disputed: [] });
    const checked = await get('workflow/blind/check', at);
    expect(checked).toEqual(await printed('workflow', 'blind', 'check', 'blind'));
    expect(await desk()).toMatchObject({ step: 'opened' });
    expect(await get('workflow/blind/verify?folder=blind')).toMatchObject({ intact: true });
  });
});

/** Once the blind evaluation above has opened its results. */
describe('workflow', () => {
  it('finds the experiment, and gives its tables as the commands print them', async () => {
    expect(await get('workflow/experiments')).toMatchObject({
      experiments: [{ path: 'reviews', sealed_by: null, fault: null }],
      blind: [{ path: 'blind', status: { findings: expect.any(Number) } }],
    });
    const at = 'experiment=reviews';
    expect(await get(`workflow/report?${at}`)).toEqual(await printed('workflow', 'report', 'reviews'));
    expect(await get(`workflow/heatmap?${at}`)).toEqual(await printed('workflow', 'heatmap', 'reviews'));
    expect(await get(`workflow/leaderboard?${at}`)).toEqual(
      await printed('workflow', 'leaderboard', 'reviews'),
    );
    expect(await get(`workflow/compare?${at}&a=review-1&b=review-2`)).toEqual(
      await printed('workflow', 'compare', 'review-1', 'review-2', '--experiment', 'reviews'),
    );
    expect(await get('workflow/compare?a=review-1&b=review-2')).toMatchObject({ baseline: { runs: 3 } });
    expect(await ask('workflow/compare?a=review-1&b=review-9')).toMatchObject({
      status: 404,
      json: { code: 'WORKFLOW_NOT_FOUND', title: expect.stringContaining('workflow') },
    });
    expect(await get('workflow/history')).toEqual(await printed('workflow', 'history'));
  });

  it.each(['..', '/etc', '../../etc/passwd', 'reviews/../..'])('reads nothing at %s', async (path) => {
    const name = encodeURIComponent(path);
    expect(await ask(`workflow/report?experiment=${name}`)).toMatchObject({
      status: 403,
      json: { code: 'OUTSIDE' },
    });
    expect(await ask(`workflow/blind/status?folder=${name}`)).toMatchObject({ status: 403 });
  });
});

describe('alerts', () => {
  it('are raised by runs that keep falling, and lead to the run', async () => {
    const { items } = await get<Items<{ id: string; rule: string; state: string }>>('alerts');
    expect(items.length).toBeGreaterThan(0);
    expect(new Set(items.map(({ rule }) => rule))).toEqual(new Set(['three-declines']));
    const [last] = await runsOf('decomposition');
    expect(await get(`alerts/${encodeURIComponent(items[0]?.id ?? '')}`)).toMatchObject({
      run_id: last,
      events: [],
    });
  });

  it('are acknowledged, silenced, resolved and reopened, in the order that makes sense', async () => {
    const { items } = await get<Items<{ id: string }>>('alerts');
    const id = encodeURIComponent(items[0]?.id ?? '');
    expect(await get(`alerts/${id}/acknowledge`, { who: 'Grace', why: 'looking' })).toMatchObject({
      state: 'acknowledged',
      event: { who: 'Grace', why: 'looking' },
    });
    expect(await ask(`alerts/${id}/silence`, { until: '2020-01-01T00:00:00Z' })).toMatchObject({
      status: 409,
      json: { code: 'ALERT_STATE' },
    });
    expect(await get(`alerts/${id}/silence`, { until: '2100-01-01T00:00:00Z' })).toMatchObject({
      state: 'silenced',
      event: { who: 'Ada Lovelace' },
    });
    await get(`alerts/${id}/resolve`, {});
    expect(await ask(`alerts/${id}/acknowledge`, {})).toMatchObject({ status: 409 });
    expect(await get(`alerts/${id}/reopen`, {})).toMatchObject({ state: 'open' });
    expect(await get(`alerts/${id}`)).toMatchObject({ events: [{}, {}, {}, { state: 'open' }] });
    expect(await get('alerts?state=resolved')).toMatchObject({ items: [] });
  });
});
