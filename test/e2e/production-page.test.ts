/** The pages about a service in production in a real browser, over requests that were sent to a real server. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyedFetch } from '../../src/testing/server-keys.ts';
import { type Launched, launchBrowser } from '../browser.ts';
import { type Dashboard, startDashboard } from '../dashboard.ts';
import { HOSTILE } from '../dashboard-project.ts';
import { axeFaults, lookAt, type Opened, openPage, settled, show, until } from '../page-checks.ts';

const PAGE = '/decomposition/production';
const NOW = Date.now();
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Nothing is drawn but what says so, so that it is known what waits for a rating. */
const config = { production: { sampleRate: 0, keepText: true } };

let launched: Launched = { browser: undefined, reason: 'not started' };
let usual: Dashboard;
let hostile: Dashboard;

beforeAll(async () => {
  launched = await launchBrowser();
  if (launched.browser === undefined) return;
  [usual, hostile] = await Promise.all([
    startDashboard({ empty: true, config }),
    startDashboard({ empty: true, config }),
  ]);
  await send(usual, [...lastHour(), ...lastDay(), ...weekBefore(), ...TO_RATE]);
  cpSync('prompts', join(usual.folder, 'prompts'), { recursive: true });
  const prompts = { candidate: 'decompose-concepts-v1.1', control: 'decompose-concepts-v1.0' };
  await send(usual, { ...prompts, id: 'shorter' }, 'experiments');
});

beforeEach((context) => {
  if (launched.browser === undefined) context.skip(launched.reason);
});

afterAll(async () => {
  await launched.browser?.close();
  await usual?.stop();
  await hostile?.stop();
});

async function open({ url }: Dashboard, path: string): Promise<Opened> {
  if (launched.browser === undefined) throw new Error(launched.reason);
  const opened = await openPage(launched.browser, new URL(url).origin);
  await show(opened.page, new URL(path, url).href);
  return opened;
}

async function send(dashboard: Dashboard, body: object, path = 'decompositions'): Promise<void> {
  const answer = await keyedFetch(new URL(`/api/v1/${path}`, dashboard.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.clone().text()).toBe(201);
}

async function ask<Data>({ url }: Dashboard, path: string): Promise<Data> {
  return (await (await keyedFetch(new URL(`/api/v1/${path}`, url))).json()) as Data;
}

/** A request of so many milliseconds ago that was answered; its concepts are as sure as `sure` says. */
function answered(id: string, ago: number, sure: number, i: number): object {
  const bins = Array.from({ length: 20 }, (_, bin) => (bin === Math.floor(sure * 20) ? 18 : 0));
  return {
    id,
    at: new Date(NOW - ago).toISOString(),
    latency_ms: 700 + ((i * 331) % 1900),
    cost_usd: 0.02 + (i % 5) / 1000,
    prompt_version: i % 3 === 0 ? 'v1.4' : 'v1.3',
    model: 'openai/gpt-5-mini',
    topic: ['rivers', 'cities', 'soil'][i % 3],
    concepts: 18 + (i % 4),
    relationships: 34 + (i % 7),
    confidence: { n: 18, sum: 18 * sure, bins },
    predicates: { causes: 20 + (i % 3), 'part of': 14 },
  };
}

const many = <Made>(count: number, make: (i: number) => Made) =>
  Array.from({ length: count }, (_, i) => make(i));
/** Between 0.86 and 0.9 before, and between 0.72 and 0.76 now: that has moved, and the counts have not. */
const sureBefore = (i: number) => 0.86 + (i % 5) / 100;
const sureNow = (i: number) => 0.72 + (i % 5) / 100;

const lastHour = () => [
  ...many(90, (i) => answered(`now-${i}`, MINUTE_MS * (1 + i * 0.4), sureNow(i), i)),
  ...many(2, (i) => ({
    ...{ id: `bad-${i}`, at: new Date(NOW - MINUTE_MS * (3 + i)).toISOString() },
    ...{
      status: 'error',
      error_kind: 'timeout',
      latency_ms: 9000,
      prompt_version: 'v1.4',
      model: 'openai/gpt-5-mini',
    },
  })),
];
const lastDay = () => many(60, (i) => answered(`day-${i}`, MINUTE_MS * (130 + i * 15), sureNow(i), i));
const weekBefore = () =>
  many(300, (i) => answered(`week-${i}`, DAY_MS * (1.2 + (i % 60) / 10), sureBefore(i), i));

const sampled = { sample: { probability: 0.05, stratum: 'rivers / high confidence' } };
const TEXT =
  'Rain feeds the river, and the river feeds the plain. Where the plain is paved, the water runs off.';
/** Two with their texts and one of which only counts are known; the order of the queue is that of their hashes. */
const TO_RATE = ['req-a', 'req-b', 'req-c'].map((id, i) => ({
  ...{ id, at: new Date(NOW - MINUTE_MS * 10).toISOString(), latency_ms: 1200 },
  ...{ topic: 'rivers', prompt_version: 'v1.4', model: 'openai/gpt-5-mini', ...sampled },
  ...(i === 2
    ? { concepts: 12, relationships: 20 }
    : {
        text: TEXT,
        output: {
          concepts: [
            { label: 'Rain', sourceQuote: 'Rain feeds the river', confidence: 0.9 },
            { label: 'Concrete', confidence: 0.7 },
            { label: 'Run-off', sourceQuote: 'the water runs off', confidence: 0.8 },
          ],
        },
      }),
}));

describe('a service in production', () => {
  it.each([
    ['now', '', 'By minute', /95 requests, 2\.1% failed/],
    ['day', '?view=day', 'By hour', /155 requests/],
    ['month', '?view=month', 'By day', /455 requests/],
  ])('is shown in the view %s, on screens and in colours of every kind', async (name, query, table, lead) => {
    const { page, complaints } = await open(usual, `${PAGE}${query}`);
    expect(await page.textContent('.lead')).toMatch(lead);
    expect(await page.textContent('main')).toContain('3 requests were sampled and 0 of them rated');
    const tableOf = (caption: string) =>
      page.locator('table', { has: page.locator('caption', { hasText: caption }) });
    expect(await tableOf(table).locator('tbody tr').count()).toBeGreaterThan(1);
    expect(await tableOf('By prompt version').locator('tbody').textContent()).toContain('v1.4');
    const targets = tableOf('Targets').locator('tbody tr');
    expect(await targets.filter({ hasText: 'Cost' }).textContent()).toMatch(/< \$0\.05.*✓ met/);
    // Two outputs tell nothing yet, however good they are.
    expect(await targets.filter({ hasText: '> 95.0%' }).textContent()).toContain('? unclear');
    expect(await tableOf('Experiments').locator('tbody').textContent()).toMatch(/shorter.*too early to tell/);
    expect(await page.locator('.card svg').count()).toBeGreaterThan(2);
    expect(await lookAt(page, `production-${name}`)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('says what has drifted, and what has not', async () => {
    const { page } = await open(usual, PAGE);
    const row = (name: string) =>
      page.locator('table:has(caption:text("Drift: the last day")) tr', { hasText: name }).textContent();
    expect(await row('Mean confidence')).toMatch(/0\.88.*0\.74.*▲ moved/);
    expect(await row('Distribution of confidence')).toContain('▲ moved');
    expect(await row('Concepts per topic')).toContain('✓ no sign of it');
    expect(await row('Distribution of predicates')).toContain('✓ no sign of it');
    await page.context().close();
  });

  it('changes while it is looked at', async () => {
    const { page, complaints } = await open(hostile, PAGE);
    expect(await page.textContent('main')).toContain('Nothing was recorded in the last hour');
    expect(await page.textContent('main')).toContain('too few to tell');
    expect(await axeFaults(page)).toEqual([]);
    await send(hostile, [answered('first', MINUTE_MS, 0.9, 1)]);
    await page.locator('.lead', { hasText: '1 request, 0.0% failed' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

describe('outputs that wait for a rating', () => {
  it('are none where none was drawn, and the page says so', async () => {
    const { page, complaints } = await open(hostile, `${PAGE}/rate`);
    expect(await page.textContent('main')).toContain('None was drawn in the last 7 days');
    expect(await page.locator('form').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('are shown with what was kept, on screens and in colours of every kind', async () => {
    const { page, complaints } = await open(usual, `${PAGE}/rate`);
    const { items } = await ask<Queue>(usual, 'decompositions/queue');
    await page.getByLabel('Concrete').selectOption('made up');
    expect(await page.textContent('main')).toContain(items[0]?.decomposition.id);
    expect(await page.locator('.source-text').textContent()).toBe(TEXT);
    expect(await page.getByRole('button', { name: 'Save and go on' }).isDisabled()).toBe(true);
    expect(await lookAt(page, 'production-rate')).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('are looked at by their id, whoever named them, and one that is not there is said to be gone', async () => {
    const { items } = await ask<Queue>(usual, 'decompositions/queue');
    const id = items.at(-1)?.decomposition.id ?? '';
    const { page, complaints } = await open(usual, `${PAGE}/rate?id=${encodeURIComponent(id)}`);
    expect(await page.locator('.turn p:first-child code').textContent()).toContain(id);
    expect(await lookAt(page, 'production-rate-one')).toEqual([]);
    await page.context().close();
    const gone = await open(usual, `${PAGE}/rate?id=nobody`);
    expect(await gone.page.textContent('main')).toContain('No request has this id');
    expect([...complaints, ...gone.complaints]).toEqual([]);
    await gone.page.context().close();
  });

  it('are rated one after the other by keyboard alone, and estimates rest on it', async () => {
    const { page, complaints } = await open(usual, PAGE);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    /** Goes on with the Tab key until the focus is on what has this name. */
    const tabTo = async (name: string) => {
      for (let i = 0; i < 80; i++) {
        await page.keyboard.press('Tab');
        if ((await page.evaluate(NAME_OF_FOCUS)) === name) return;
      }
      throw new Error(`Tab never reaches "${name}"`);
    };
    const { items } = await ask<Queue>(usual, 'decompositions/queue');
    const ids = items.map(({ decomposition }) => decomposition.id);
    const [first = '', second = ''] = ids.filter((id) => id !== 'req-c');
    const turn = (id: string) => page.locator('.turn p:first-child code', { hasText: id }).waitFor();
    const rate: Readonly<Record<string, () => Promise<void>>> = {
      [first]: async () => {
        await tabTo('acceptable');
        await press('ArrowRight');
        expect(await page.getByLabel('not acceptable').isChecked()).toBe(true);
        await tabTo('Concrete');
        await press('m');
        await tabTo('Why: Concrete');
        await page.keyboard.type('nowhere in the text');
        await tabTo('Run-off');
        await press('r');
        await tabTo('Why, in a few words (may be left out)');
        await page.keyboard.type('it invents');
        await tabTo('Save and go on');
        await press('Enter');
        await page.getByText('Saved: not acceptable, with 2 concepts.').waitFor();
      },
      [second]: async () => {
        await tabTo('Skip');
        await press('Enter');
        await page.getByText('Skipped: it stays').waitFor();
      },
      'req-c': async () => {
        expect(await page.textContent('main')).toContain('Its text is not stored');
        await tabTo('acceptable');
        await press('Space');
        await tabTo('nothing is made up');
        await press('Space', 'Enter');
        await page.getByText('Saved: acceptable.').waitFor();
      },
    };
    await tabTo('rate outputs');
    await press('Enter');
    await page.waitForURL(/production\/rate/);
    for (const id of ids) {
      await turn(id);
      await settled(page);
      await rate[id]?.();
    }
    await page.getByText('You skipped the rest').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await tabTo('Look at it again');
    await press('Enter');
    await turn(second);
    await tabTo('acceptable');
    await press('Space', 'Enter');
    await page.getByText('All of them are rated').waitFor();
    expect(complaints).toEqual([]);

    const { sample } = await ask<{ sample: Record<string, { value: number; n: number }> }>(
      usual,
      'production',
    );
    expect(sample.acceptable?.value).toBeCloseTo(2 / 3, 12);
    // One concept of the eighteen that somebody looked at.
    expect(sample.rated_fabrications?.value).toBeCloseTo(1 / 18, 12);
    const brief = await usual
      .assay('production', 'rate', '--list', '--format', 'json')
      .catch(({ stdout }) => stdout);
    expect(JSON.parse(brief)).toMatchObject({ open: 0, sampled: 3 });
    await show(page, new URL(PAGE, usual.url).href);
    const rated = page.locator('table:has(caption:text("Targets")) tr', { hasText: 'Human-rated accuracy' });
    expect(await rated.textContent()).toMatch(/66\.7%.*3$/);
    await page.context().close();
  });
});

type Queue = { readonly items: readonly { readonly decomposition: { readonly id: string } }[] };

const NAME_OF_FOCUS = `(() => {
  const at = document.activeElement;
  return at.getAttribute('aria-label') ?? (at.labels?.[0] ?? at).textContent.trim();
})()`;

describe('what a service sends', () => {
  it('is shown as text, whatever it is', async () => {
    const at = new Date(NOW - MINUTE_MS).toISOString();
    const names = {
      topic: `${HOSTILE}-topic`,
      prompt_version: `${HOSTILE}-prompt`,
      model: `${HOSTILE}-model`,
    };
    const concepts = [{ label: `${HOSTILE}-label`, sourceQuote: `${HOSTILE}-quote`, confidence: 0.9 }];
    const relationships = many(60, () => ({
      source: `${HOSTILE}-label`,
      target: `${HOSTILE}-label`,
      predicate: `${HOSTILE}`.slice(0, 90),
    }));
    await send(hostile, [
      {
        id: 'odd"<img>',
        at,
        ...names,
        ...sampled,
        text: `${HOSTILE}-text`,
        output: { concepts, relationships },
      },
      ...many(60, (i) => ({ ...answered(`before-${i}`, DAY_MS * 2, 0.9, i), ...names })),
      ...many(60, (i) => ({
        ...answered(`after-${i}`, MINUTE_MS * 2, 0.9, i),
        ...{ ...names, predicates: { [HOSTILE.slice(0, 90)]: 30 } },
      })),
      { id: 'failed', at, status: 'error', error_kind: `${HOSTILE}-kind`, ...names, ...sampled },
    ]);
    const { page, complaints } = await open(hostile, '/');
    const look = async (path: string, words: readonly string[]) => {
      if (path !== '') await show(page, new URL(path, hostile.url).href);
      await settled(page);
      const text = await page.textContent('main');
      for (const word of words) expect(text, path).toContain(word);
      expect(await page.evaluate('globalThis.hit'), path).toBeUndefined();
      expect(await page.locator('main img, main script, main iframe').count(), path).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBe(0);
      expect(await axeFaults(page), path).toEqual([]);
    };
    await page.setViewportSize({ width: 360, height: 800 });
    for (const view of ['now', 'day', 'month'])
      await look(`${PAGE}?view=${view}`, [names.prompt_version, names.model, HOSTILE.slice(0, 90)]);
    await look(`${PAGE}/rate`, [names.topic]);
    const shown: string[] = [];
    for (let i = 0; i < 2; i++) {
      await look('', [names.prompt_version, names.model]);
      shown.push((await page.textContent('main')) ?? '');
      await page.getByRole('button', { name: 'Skip' }).click();
      await until(page, async () => (await page.textContent('main')) !== shown.at(-1));
    }
    for (const word of ['label', 'quote', 'text', 'kind'])
      expect(shown.join(' '), word).toContain(`${HOSTILE}-${word}`);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
