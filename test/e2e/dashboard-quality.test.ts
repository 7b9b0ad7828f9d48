/** The pages about runs, reviews and alerts in a real browser, over what real commands left. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { BUILT_WEB, buildWeb } from '../../src/server/build-web.ts';
import { keyedFetch } from '../../src/testing/server-keys.ts';
import { type Launched, launchBrowser } from '../browser.ts';
import {
  addOddSuite,
  addReviews,
  addSmallReview,
  addSuite,
  type DashboardProject,
  HOSTILE,
  openDashboardProject,
} from '../dashboard-project.ts';
import { formulasIn, lookAt, type Opened, openPage, settled, show } from '../page-checks.ts';

/** What a reviewer should have found. */
const KNOWN = 'A key is written to the log';

type Served = {
  readonly project: DashboardProject;
  readonly url: string;
  readonly stop: () => Promise<void>;
};

let launched: Launched = { browser: undefined, reason: 'not started' };
let usual: Served;
let hostile: Served;

async function serve(fill: (project: DashboardProject) => Promise<void>): Promise<Served> {
  const project = openDashboardProject();
  await fill(project);
  const { url, stop } = await project.serve(BUILT_WEB);
  return {
    project,
    url,
    stop: async () => {
      await stop();
      project.close();
    },
  };
}

beforeAll(async () => {
  launched = await launchBrowser();
  await buildWeb(() => {});
  usual = await serve(async (project) => {
    await addSuite(project);
    await addReviews(project);
    await addSmallReview(project, 'small', { workflow: 'careful', words: KNOWN, sealed: true });
  });
  hostile = await serve(async (project) => {
    await addOddSuite(project, HOSTILE);
    await addSmallReview(project, 'odd', { workflow: HOSTILE, words: HOSTILE, sealed: false });
    await addSmallReview(project, 'shut', { workflow: HOSTILE, words: HOSTILE, sealed: true });
  });
});

beforeEach((context) => {
  if (launched.browser === undefined) context.skip(launched.reason);
});

afterAll(async () => {
  await launched.browser?.close();
  await usual.stop();
  await hostile.stop();
});

async function open({ url }: Served, path: string): Promise<Opened> {
  if (launched.browser === undefined) throw new Error(launched.reason);
  const opened = await openPage(launched.browser, new URL(url).origin);
  await show(opened.page, new URL(path, url).href);
  return opened;
}

async function ask<Data>({ url }: Served, path: string, body?: object): Promise<Data> {
  const answer = await keyedFetch(new URL(`/api/v1/${path}`, url), {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  return (await answer.json()) as Data;
}

type Runs = { readonly items: readonly { readonly run: { readonly id: string } }[] };
type Desk = { readonly findings: readonly { readonly id: string }[] };
type Alerts = { readonly items: readonly { readonly id: string; readonly state: string }[] };

async function runsOf(served: Served): Promise<readonly string[]> {
  return (await ask<Runs>(served, 'runs?instrument=decomposition')).items.map(({ run }) => run.id);
}

/** Every page, by the name of its picture. */
async function addresses(served: Served): Promise<Readonly<Record<string, string>>> {
  const runs = await runsOf(served);
  const [alert] = (await ask<Alerts>(served, 'alerts')).items;
  const at = served === usual;
  const [experiment, blind] = at ? ['reviews', 'small-blind'] : ['odd', 'shut-blind'];
  return {
    decomposition: '/decomposition',
    'decomposition-run': `/decomposition/runs/${runs[0]}`,
    'decomposition-case': `/decomposition/runs/${runs.at(at ? 0 : -1)}/cases/${at ? 'urban-heat' : 'odd-case'}`,
    'decomposition-activity': '/decomposition/activity?by=hour',
    'decomposition-compare': `/decomposition/compare?a=${runs.at(-1)}&b=${runs[0]}`,
    workflow: '/workflow',
    'workflow-experiment': `/workflow/experiment?path=${experiment}`,
    'workflow-compare': at
      ? '/workflow/compare?experiment=reviews&a=review-1&b=review-2'
      : `/workflow/compare?${new URLSearchParams({ a: HOSTILE, b: HOSTILE })}`,
    'workflow-blind': `/workflow/blind?${new URLSearchParams({ folder: blind ?? '', by: at ? 'grace' : HOSTILE })}`,
    'workflow-blind-new': '/workflow/blind/new',
    alerts: '/alerts',
    alert: `/alerts/${encodeURIComponent(alert?.id ?? '')}`,
    audit: '/audit',
  };
}

/** What was written by whom, where it can be anything. */
const MUST_SHOW: Readonly<Record<string, readonly string[]>> = {
  decomposition: [`${HOSTILE} let through`, `${HOSTILE} as an author`],
  'workflow-blind': [HOSTILE],
};

/** Pages of figures, or of forms alone. */
const WITHOUT_WORDS = ['workflow-blind-new', 'decomposition-activity', 'audit'];

const NAMES = [
  'decomposition',
  'decomposition-run',
  'decomposition-case',
  'decomposition-compare',
  'decomposition-activity',
  'workflow',
  'workflow-experiment',
  'workflow-compare',
  'workflow-blind',
  'workflow-blind-new',
  'alerts',
  'alert',
  'audit',
];

describe.each(NAMES)('the page %s', (name) => {
  it('is quiet, on a screen and on a telephone, in light and in dark', async () => {
    const { page, complaints } = await open(usual, (await addresses(usual))[name] ?? '');
    expect(await lookAt(page, name)).toEqual([]);
    expect(await page.evaluate(`document.querySelectorAll('h1').length`)).toBe(1);
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('table')].filter((one) => !one.caption?.textContent).length`,
      ),
    ).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

/** Everything that an evaluator is asked for, answered with the same words, until the results are open. */
async function answerBlindly(served: Served, folder: string): Promise<void> {
  const at = { folder, by: HOSTILE };
  const hostileFields = { error: HOSTILE, evidence: HOSTILE, confidence: 'HIGH' };
  const answers = {
    assessments: ['F1', 'F2'].map((finding) => ({ finding, judgement: 'ERROR', ...hostileFields })),
    predictions: ['E1', 'E2'].map((error) => ({ error, prediction: 'NO', why: HOSTILE })),
    matches: ['F1', 'F2'].map((finding) => ({ finding, match: 'UNRESOLVED', reason: HOSTILE })),
  };
  const findings = (await ask<Desk>(served, `workflow/blind/desk?${new URLSearchParams(at)}`)).findings;
  const known = (one: { finding: string }, index: number) => ({ ...one, finding: findings[index]?.id });
  await ask(served, 'workflow/blind/assessments', { ...at, answers: answers.assessments.map(known) });
  await ask(served, 'workflow/blind/truth', at);
  await ask(served, 'workflow/blind/predictions', { ...at, answers: answers.predictions });
  await ask(served, 'workflow/blind/matches', { ...at, answers: answers.matches.map(known) });
  expect(await ask(served, 'workflow/blind/check', at)).toMatchObject({ decisions: [{}, {}] });
}

describe('what somebody wrote', () => {
  it('is shown as text on every page, whatever it is', async () => {
    const [alert] = (await ask<Alerts>(hostile, 'alerts')).items;
    const said = { who: `${HOSTILE} as a name`, why: `${HOSTILE} as a reason` };
    await ask(hostile, `alerts/${encodeURIComponent(alert?.id ?? '')}/acknowledge`, said);
    await answerBlindly(hostile, 'shut-blind');
    const { page, complaints } = await open(hostile, '/');
    for (const [name, path] of Object.entries(await addresses(hostile))) {
      await page.goto(new URL(path, hostile.url).href);
      await settled(page);
      expect(await page.evaluate('globalThis.hit'), name).toBeUndefined();
      expect(
        await page.evaluate(`document.querySelectorAll('main img, main script, main iframe').length`),
        name,
      ).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(1280);
      for (const text of name === 'alert' ? [...Object.values(said)] : (MUST_SHOW[name] ?? []))
        expect(await page.textContent('main'), name).toContain(text);
      expect(await formulasIn(page), name).toEqual([]);
      if (!WITHOUT_WORDS.includes(name)) expect(await page.textContent('body'), name).toContain('<img src=x');
    }
    // A comparison of a workflow with itself is refused, in words that are text as well.
    expect(complaints.filter((one) => !/status of 4|^4\d\d: /.test(one))).toEqual([]);
    await page.context().close();
  });
});

describe('the audit log', () => {
  it('is narrowed by its address, and says whether it is as it was written', async () => {
    expect(await usual.project.assay('store', 'prune', '--keep-days', 'runs=9', '--yes')).toMatchObject({
      status: 0,
    });
    const { page, complaints } = await open(usual, '/audit?what=prune');
    await page.getByText(/\d entr(y|ies): each fits the one before it/).waitFor();
    const rows = page.locator('tbody tr');
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/store prune[\s\S]*runs=9[\s\S]*✓ done/),
    ]);
    const { head } = await ask<{ head: string }>(usual, 'audit/verification');
    await page.getByLabel('A head that you kept').fill(head);
    await page.keyboard.press('Enter');
    await page.getByText('The head that you kept is among them').waitFor();
    await page.getByLabel('A head that you kept').fill('0'.repeat(64));
    await page.keyboard.press('Enter');
    await page.getByText('the log is not as it was written').first().waitFor();
    await page.getByLabel('from').fill('2050-01-01');
    await page.getByText('No matching entries').waitFor();
    expect(new URL(page.url()).searchParams.get('since')).toBe('2050-01-01');
    await page.getByRole('button', { name: 'clear' }).click();
    await rows.first().waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

describe('a case', () => {
  it('marks quotes in its text, and the table says what the graph shows', async () => {
    const { page } = await open(usual, (await addresses(usual))['decomposition-case'] ?? '');
    expect(await page.locator('mark[id]').count()).toBeGreaterThan(2);
    const name = (await page.locator('section.graph svg').getAttribute('aria-label')) ?? '';
    const count = async (state: string) =>
      page.locator('table:has(caption:text("Relationships")) .pill', { hasText: state }).count();
    const [right, wrong, missing] = [await count('right'), await count('wrong'), await count('missing')];
    expect(name).toMatch(new RegExp(`^${right} right, ${wrong} wrong and ${missing} missing`));
    expect(await page.locator('section.graph path.edge').count()).toBe(right + wrong + missing);
    await page.context().close();
  });

  it('says so when its golden file is gone', async () => {
    const [run] = await runsOf(hostile);
    const { page } = await open(hostile, `/decomposition/runs/${run}/cases/nothing`);
    expect(await page.textContent('main')).toContain('has no case');
    await page.context().close();
  });
});

describe('by keyboard', () => {
  it('j, k and Enter lead from a run to its worst case, and the address can be shared', async () => {
    const [run] = await runsOf(usual);
    const { page } = await open(usual, `/decomposition/runs/${run}`);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/cases\//);
    await settled(page);
    const title = await page.textContent('h1');
    const { page: other } = await open(usual, new URL(page.url()).pathname);
    expect(await other.textContent('h1')).toBe(title);
    await page.context().close();
    await other.context().close();
  });

  it('a blind evaluation is walked from the first finding to the results, and never out of order', async () => {
    const { page, complaints } = await open(usual, '/workflow/blind?folder=small-blind');
    const press = async (label: string | RegExp, key: string) => {
      await page.getByLabel(label).first().focus();
      await page.keyboard.press(key);
    };
    const type = async (label: string, text: string) => {
      await page.getByLabel(label).focus();
      await page.keyboard.type(text);
    };
    const goOn = async (button: RegExp) => {
      await page.getByRole('button', { name: button }).focus();
      await page.keyboard.press('Enter');
    };
    await type('Your name', 'grace');
    await page.keyboard.press('Enter');

    for (const n of [1, 2]) {
      await page.locator('.form [role=status]', { hasText: `${n} of 2` }).waitFor();
      expect(await page.textContent('main')).not.toContain('error E1');
      await press('an error', 'Space');
      await type('What error does it stand for?', 'a secret in a log');
      await type('What is the evidence?', 'the quote');
      await press('high', 'Space');
      await goOn(/^Save/);
    }
    await page.getByText('This receipt proves').waitFor();
    const early = await ask<{ code: string }>(usual, 'workflow/blind/matches', {
      folder: 'small-blind',
      by: 'grace',
      answers: [],
    });
    expect(early.code).toBe('BLIND_ORDER');

    await goOn(/^Show me the known errors/);
    for (const n of [1, 2]) {
      await page.locator('.form [role=status]', { hasText: `${n} of 2` }).waitFor();
      await press('maybe', 'Space');
      await type('Why, or why not?', 'it is easy to see');
      await goOn(/^Save/);
    }
    await page.getByText('Step 3').waitFor();
    for (const n of [1, 2]) {
      await page.locator('.form [role=status]', { hasText: `${n} of 2` }).waitFor();
      await press(/^matches$/, 'Space');
      await type('Why?', 'same lines');
      await goOn(/^Save/);
    }
    await goOn(/^Open the results/);
    await page.getByText('no sign of bias').waitFor();
    expect(await page.locator('table:has(caption:text("Decisions about findings")) tbody tr').count()).toBe(
      2,
    );
    expect(complaints).toEqual([]);
    const chain = readFileSync(join(usual.project.folder, 'small-blind/blind.jsonl'), 'utf8');
    const steps = chain
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).step);
    expect(steps).toEqual([
      ...['start', 'assess', 'assess', 'seal', 'show-truth', 'predict', 'predict', 'seal'],
      ...['match', 'match', 'seal', 'open'],
    ]);
    await page.context().close();
  });
});

describe('a blind evaluation in two windows', () => {
  it('keeps the order, and what was written in the second one is said not to be saved', async () => {
    const folder = 'twice-blind';
    await addSmallReview(usual.project, 'twice', { workflow: 'careful', words: KNOWN, sealed: true });
    const path = `/workflow/blind?folder=${folder}&by=grace`;
    const [one, two] = [await open(usual, path), await open(usual, path)];
    const assess = async ({ page }: Opened, evidence: string) => {
      await page.getByLabel('an error').check();
      await page.getByLabel('What error does it stand for?').fill('a secret in a log');
      await page.getByLabel('What is the evidence?').fill(evidence);
      await page.getByLabel('high').check();
    };
    const save = ({ page }: Opened) => page.getByRole('button', { name: /^Save/ }).click();
    const at = ({ page }: Opened, step: string) =>
      page.locator('.form [role=status]', { hasText: step }).waitFor();
    await assess(two, 'written in the second window');
    await assess(one, 'the quote');
    await save(one);
    await at(one, '2 of 2');
    // As when the reader comes back to the second window: what is written there stays.
    await two.page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await settled(two.page);
    expect(await two.page.getByLabel('What is the evidence?').inputValue()).toBe(
      'written in the second window',
    );
    await save(two);
    await two.page.getByRole('alert').filter({ hasText: 'written in the second window' }).waitFor();
    await at(two, '2 of 2');
    await assess(two, 'the second quote');
    await assess(one, 'too late');
    await save(two);
    await two.page.getByRole('button', { name: /^Show me the known errors/ }).click();
    await at(two, '1 of 2');
    await save(one);
    await one.page.getByRole('alert').filter({ hasText: 'too late' }).waitFor();
    await at(one, '1 of 2');
    expect(await one.page.textContent('main')).toContain('Step 2');
    const chain = readFileSync(join(usual.project.folder, folder, 'blind.jsonl'), 'utf8');
    const entries = chain
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { step: string });
    expect(entries.map(({ step }) => step)).toEqual(['start', 'assess', 'assess', 'seal', 'show-truth']);
    expect(chain).not.toMatch(/written in the second window|too late/);
    for (const { page } of [one, two]) await page.context().close();
  });
});

describe('an alert', () => {
  it('is acknowledged, silenced, resolved and reopened, and follows what others do', async () => {
    const [alert] = (await ask<Alerts>(usual, 'alerts')).items;
    const id = encodeURIComponent(alert?.id ?? '');
    const { page, complaints } = await open(usual, `/alerts/${id}`);
    const state = (text: string) => page.locator('.lead .pill', { hasText: text }).waitFor();
    await page.getByLabel(/^Why/).fill('looking at the prompt');
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await state('acknowledged');
    await page.getByRole('button', { name: 'Silence' }).click();
    await state('silenced');
    await ask(usual, `alerts/${id}/resolve`, { who: 'Grace', why: 'the prompt was rolled back' });
    await state('resolved');
    expect(await page.getByRole('button', { name: 'Silence' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Reopen' }).click();
    await state('open');
    const history = await page.locator('table:has(caption:text("History")) tbody').textContent();
    for (const words of ['looking at the prompt', 'the prompt was rolled back', 'Grace', 'reopened'])
      expect(history).toContain(words);
    await page.getByRole('link', { name: 'the run that raised it' }).click();
    await page.waitForURL(/\/decomposition\/runs\//);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

describe('tables', () => {
  it('are exported whole, and a filter is an address', async () => {
    const { page } = await open(usual, '/alerts');
    await page.getByLabel('State').selectOption('resolved');
    await page.waitForURL(/state=resolved/);
    await page.goto(new URL('/workflow/experiment?path=reviews', usual.url).href);
    await settled(page);
    const errors = page.locator('[aria-label="CSV: Known errors across runs"]');
    await page.locator('details', { has: errors }).locator('summary').click();
    const waiting = page.waitForEvent('download');
    await errors.click();
    const text = readFileSync((await (await waiting).path()) ?? '', 'utf8');
    const [head, ...lines] = text.trim().split('\r\n');
    expect(head).toContain('found by review-1');
    expect(lines).toHaveLength(12);
    await page.context().close();
  });
});

describe('a blind evaluation', () => {
  it('is started from an experiment on a page', async () => {
    const { page } = await open(usual, '/workflow/blind/new');
    await page.getByLabel('Folder for the evaluation').fill('from-page');
    await page.getByLabel('Who starts it').fill('ada');
    await page.getByLabel(/^Evaluators/).fill('grace, edsger');
    await page.getByRole('button', { name: 'Freeze and seal' }).click();
    await page.waitForURL(/folder=from-page/);
    expect(existsSync(join(usual.project.folder, 'from-page/blind.jsonl'))).toBe(true);
    await page.getByText('edsger').first().waitFor();
    await page.context().close();
  });

  it('keeps the known errors of its experiment from whoever looks, until it is opened', async () => {
    const { page } = await open(usual, '/workflow');
    const row = page.locator('tr', { hasText: 'until from-page is opened' });
    expect(await row.locator('a').count()).toBe(1);
    for (const path of [
      '/workflow/experiment?path=reviews',
      '/workflow/compare?experiment=reviews&a=review-1&b=review-2',
      '/workflow/compare?a=review-1&b=review-2',
    ]) {
      await show(page, new URL(path, usual.url).href);
      const text = (await page.textContent('main')) ?? '';
      expect(text, path).toContain('sealed until its results are opened');
      expect(text, path).not.toContain('query string');
    }
    await page.context().close();
  });

  it('outside the folder is refused in words', async () => {
    const { page } = await open(usual, '/workflow/blind/new');
    await page.getByLabel('Folder for the evaluation').fill('../elsewhere');
    await page.getByLabel('Who starts it').fill('ada');
    await page.getByRole('button', { name: 'Freeze and seal' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.textContent('[role=alert]')).toContain('does not lie below');
    await page.context().close();
  });
});

describe('a folder with nothing in it', () => {
  it.each([
    ['/decomposition', 'assay decomposition run'],
    ['/workflow', 'assay workflow new'],
    ['/alerts', 'No alert was raised'],
  ])('says on %s how it is filled', async (path, words) => {
    const empty = await serve(async () => {});
    onTestFinished(empty.stop);
    const { page, complaints } = await open(empty, path);
    expect(await page.textContent('main')).toContain(words);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
