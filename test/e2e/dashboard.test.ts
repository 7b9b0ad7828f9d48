/** The dashboard in a real browser, over sessions that the real command scored and the real server serves. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keyedFetch } from '../../src/testing/server-keys.ts';
import { type Launched, launchBrowser } from '../browser.ts';
import { type Dashboard, movedTranscript, startDashboard } from '../dashboard.ts';
import {
  axeFaults,
  formulasIn,
  lookAt,
  type Opened,
  openPage,
  settled,
  show,
  until,
} from '../page-checks.ts';

const FIXED = 'examples/session/shop/11111111-aaaa-4aaa-8aaa-000000000001.jsonl';
const FIRST_LOAD_BYTES = 150_000;

/** Every page that needs no id. */
const EVERYWHERE = [
  '/',
  '/sessions',
  '/sessions?view=time',
  '/sessions?view=groups',
  '/sessions?view=worth',
  '/sessions?view=outcomes',
  '/rate',
  '/calibration',
  '/decomposition',
  '/decomposition/production',
  '/decomposition/production/rate',
  '/decomposition/activity',
  '/workflow',
  '/workflow/blind/new',
  '/alerts',
  '/audit',
];

let launched: Launched = { browser: undefined, reason: 'not started' };
let dashboard: Dashboard;
let key = '';
let parent = '';

type Listed = { readonly session_key: string; readonly session_id: string; readonly title: string | null };

async function ask<Data>(path: string): Promise<Data> {
  return (await keyedFetch(`${dashboard.url}/api/v1/${path}`)).json() as Promise<Data>;
}

async function rate(session: string, rating: number, note?: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const address = `${dashboard.url}/api/v1/sessions/${session}/ratings`;
  const answer = await keyedFetch(address, {
    method: 'POST',
    headers,
    body: JSON.stringify({ rating, note }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** As an agent sends its transcript while it works. */
async function send(id: string, lines: string): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' };
  const address = `${dashboard.url}/api/v1/sessions/${id}/events?ended=true`;
  const answer = await keyedFetch(address, { method: 'POST', headers, body: lines });
  if (!answer.ok) throw new Error(await answer.text());
}

beforeAll(async () => {
  launched = await launchBrowser();
  if (launched.browser === undefined) {
    process.stderr.write(`The dashboard was not looked at: ${launched.reason}\n`);
    return;
  }
  dashboard = await startDashboard();
  const { items } = await ask<{ items: Listed[] }>('sessions?sort=lowest_q&limit=1');
  key = items[0]?.session_key ?? '';
  const rated = await ask<{ items: (Listed & { readonly q: number })[] }>('sessions?limit=16&sort=oldest');
  for (const [index, one] of rated.items.entries())
    await rate(one.session_key, Math.max(1, Math.min(5, Math.round(1 + 4 * one.q) - (index % 3))));
  const tree = await ask<{ items: Listed[] }>('sessions?search=s-main&limit=5');
  parent = tree.items.find(({ session_id }) => session_id === 's-main')?.session_key ?? '';
});

beforeEach((context) => {
  if (launched.browser === undefined) context.skip(launched.reason);
});

afterAll(async () => {
  await launched.browser?.close();
  await dashboard?.stop();
});

async function open(url = dashboard.url): Promise<Opened> {
  if (launched.browser === undefined) throw new Error(launched.reason);
  return openPage(launched.browser, url);
}

/** Address → words that only real data shows. */
const PAGES: Readonly<Record<string, () => { readonly path: string; readonly words: RegExp }>> = {
  overview: () => ({ path: '/', words: /median Q, 0\.\d\d the week before/ }),
  sessions: () => ({ path: '/sessions', words: /\d+ sessions: mean Q 0\.\d\d/ }),
  'sessions-time': () => ({ path: '/sessions?view=time&step=day', words: /Cost per day: \$/ }),
  'sessions-groups': () => ({ path: '/sessions?view=groups&by=model', words: /Mean Q by model: 0\.\d\d to/ }),
  'sessions-worth': () => ({
    path: '/sessions?view=worth',
    words: /Frontier: coding[\s\S]*Which model for which work[\s\S]*not enough data/,
  }),
  'sessions-outcomes': () => ({
    path: '/sessions?view=outcomes',
    words: /What became of the work|repository/,
  }),
  session: () => ({ path: `/sessions/${key}`, words: /Q 0\.\d\d/ }),
  'session-tree': () => ({ path: `/sessions/${parent}`, words: /Sub-agents/ }),
  rate: () => ({ path: `/sessions/${key}/rate`, words: /How good was the work\?/ }),
  calibration: () => ({ path: '/calibration', words: /go together with r 0\.\d\d/ }),
};

describe('each page', () => {
  test.each(Object.keys(PAGES))(
    '%s: what is stored, quietly, on a screen and on a telephone, in light and in dark',
    async (name) => {
      const { path, words } = PAGES[name]?.() ?? { path: '/', words: /x/ };
      const { page, complaints } = await open();
      await show(page, dashboard.url + path);
      expect(await page.locator('main').innerText()).toMatch(words);
      expect(await lookAt(page, name)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );
});

const rowNames = (page: Page): Promise<string[]> => page.locator('tbody th a').allInnerTexts();

describe('the dashboard', () => {
  test('shows the overview on one screen of 1280 × 800, each figure a link to what it is made of', async () => {
    const { page } = await open();
    await show(page, dashboard.url);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(800);
    await page.getByRole('link', { name: /stored →/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    await page.context().close();
  });

  test('loads at most 150 kB of compressed script, with its charts', async () => {
    for (const path of ['/', '/sessions?view=time', `/sessions/${key}`]) {
      const { page, scripts } = await open();
      await show(page, dashboard.url + path);
      const sum = [...scripts.values()].reduce((total, size) => total + size, 0);
      expect(scripts.size).toBeGreaterThan(1);
      expect(sum).toBeGreaterThan(10_000);
      expect(sum).toBeLessThan(FIRST_LOAD_BYTES);
      await page.context().close();
    }
  });

  test('keeps its filters in the address, and a shared address shows the same', async () => {
    const { page } = await open();
    await show(page, `${dashboard.url}/sessions`);
    const all = (await rowNames(page)).length;
    await page.getByLabel('Task type').selectOption('operations');
    await page.waitForURL(/task_type=operations/);
    await settled(page);
    await until(page, async () => (await rowNames(page)).length < all);
    const narrowed = await rowNames(page);
    expect(new Set(narrowed)).toEqual(new Set(['Deploy the new build to staging']));
    const other = await open();
    await show(other.page, page.url());
    expect(await rowNames(other.page)).toEqual(narrowed);
    await page.getByRole('button', { name: 'clear' }).click();
    await until(page, async () => (await rowNames(page)).length === all);
    for (const one of [page, other.page]) await one.context().close();
  });

  test('searches from the keyboard, saves the view under a name and finds it again', async () => {
    const { page } = await open();
    await show(page, `${dashboard.url}/sessions`);
    await page.keyboard.press('/');
    await page.keyboard.type('haiku');
    await page.waitForURL(/search=haiku/);
    await page.getByText('Views', { exact: true }).click();
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByLabel('Name of this view').fill('small ones');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await show(page, `${dashboard.url}/`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('small');
    await page.getByRole('option', { name: /small ones/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/search=haiku/);
    await page.context().close();
  });

  test('is walked with the keyboard alone, and always shows where the focus is', async () => {
    const { page, complaints } = await open();
    await show(page, dashboard.url);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL(/\/sessions$/);
    await settled(page);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.rowIndex')).toBe(2);
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sessions\/[0-9a-f]{24}$/);
    await settled(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find a page or a session' }).waitFor();
    await page.keyboard.type('calib');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/calibration$/);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('which model');
    await page.keyboard.press('Enter');
    await page.waitForURL(/view=worth$/);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('shows the transcript’s own lines where a signal was seen', async () => {
    const { page } = await open();
    await show(page, `${dashboard.url}/sessions/${key}`);
    await page
      .getByRole('button', { name: /^line \d+$/ })
      .first()
      .click();
    await page.locator('.said .marked pre').first().waitFor();
    expect((await page.locator('.said .marked pre').first().innerText()).length).toBeGreaterThan(2);
    await page.context().close();
  });

  test('says that there is no such session, and offers nothing to do with it', async () => {
    const { page } = await open();
    await show(page, `${dashboard.url}/sessions/0123456789abcdef01234567`);
    await page.getByRole('alert').waitFor();
    expect(await page.locator('main').innerText()).toMatch(/No session/);
    expect(await page.getByText('Rate it').count()).toBe(0);
    await page.context().close();
  });

  test('shows on a telephone what was seen, without scrolling sideways', async () => {
    const { page } = await open();
    await page.setViewportSize({ width: 360, height: 800 });
    await show(page, `${dashboard.url}/sessions/${key}`);
    const said = await page.locator('.said-evidence').first().boundingBox();
    expect((said?.x ?? 999) + (said?.width ?? 999)).toBeLessThanOrEqual(360);
    await page.context().close();
  });

  test('asks for a rating without telling Q, tells it when it is saved, and holds Q against it', async () => {
    const { page } = await open();
    await show(page, `${dashboard.url}/rate`);
    await page.waitForURL(/\/sessions\/[0-9a-f]{24}\/rate$/);
    await settled(page);
    const before = (await page.locator('main > :not(.transcript)').allInnerTexts()).join('\n');
    expect(before).not.toMatch(/Q (?:is )?[01]\.\d\d|excellent\?|failed|✗|acceptable\?/);
    const save = page.getByRole('button', { name: 'Save and see its Q' });
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel(/^4 good/).check();
    await page.getByLabel('thumb up').check();
    await save.click();
    await page.getByText(/Its Q is/).waitFor();
    expect(await page.locator('main').innerText()).toMatch(/Saved: 4 of 5\. Its Q is [01]\.\d\d/);
    await page.getByRole('link', { name: 'Calibration' }).click();
    await page.getByRole('heading', { level: 1, name: 'Calibration' }).waitFor();
    await page.getByRole('heading', { name: 'Rated sessions, furthest apart first' }).waitFor();
    await page.context().close();
  });

  test('shows a session while it goes on, and moves nothing under the pointer', async () => {
    const { page, complaints } = await open();
    await show(page, `${dashboard.url}/sessions?period=1d`);
    const before = (await rowNames(page)).length;
    await send('live-1', movedTranscript(FIXED, 0.03, 700));
    await until(page, async () => (await rowNames(page)).length === before + 1);
    await page.locator('tbody tr').nth(1).hover();
    const held = await rowNames(page);
    await send('live-2', movedTranscript(FIXED, 0.02, 701));
    await page.getByText('1 new, shown when you leave the list').waitFor();
    expect(await rowNames(page)).toEqual(held);
    await page.mouse.move(0, 0);
    await until(page, async () => (await rowNames(page)).length === before + 2);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('exports the whole list, also what is not loaded, as far as the filters let it through', async () => {
    for (const n of [0, 1, 2, 3]) await send(`more-${n}`, movedTranscript(FIXED, 2.5 + n, 710 + n));
    const { page } = await open();
    await show(page, `${dashboard.url}/sessions?task_type=coding`);
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV: Sessions' }).click(),
    ]);
    const [head, ...lines] = readFileSync(await csv.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(head).toMatch(/^session_id,session_key,started_at,project,title,task_type,/);
    const { total } = await ask<{ total: number }>('sessions?limit=1&task_type=coding');
    expect(lines).toHaveLength(total);
    await show(page, `${dashboard.url}/sessions`);
    const [json] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'JSON: Sessions' }).click(),
    ]);
    const all = JSON.parse(readFileSync(await json.path(), 'utf8')) as Listed[];
    expect(all.length).toBeGreaterThan((await rowNames(page)).length);
    expect(all.length).toBeGreaterThan(50);
    await page.context().close();
  });
});

describe('a session that is hostile in every field', () => {
  const PAYLOAD =
    '=HYPERLINK("x")<img src=x onerror="alert(1)"><script>alert(2)</script>[a](javascript:alert(3))';

  test('is shown as the text it is, on every page that shows it', async () => {
    const folder = join(dashboard.transcripts, 'hostile');
    mkdirSync(folder, { recursive: true });
    const path = 'examples/session/shop/22222222-bbbb-4bbb-8bbb-000000000002.jsonl';
    const lines = movedTranscript(path, 0.1, 900)
      .trim()
      .split('\n')
      .map((line) => JSON.stringify(poisoned(JSON.parse(line))));
    writeFileSync(join(folder, 'hostile.jsonl'), `${lines.join('\n')}\n`);
    await dashboard.assay('sessions', 'score', folder, '--quiet');
    const { items } = await ask<{ items: Listed[] }>('sessions?limit=10&titles=true');
    const hostile = items.find(({ title }) => title?.includes('javascript:alert(3)'))?.session_key;
    expect(hostile).toBeDefined();
    const git = join(dashboard.folder, '.gitconfig');
    await promisify(execFile)('git', ['config', '--file', git, 'user.name', `${PAYLOAD} as an author`]);
    await rate(hostile ?? '', 1, `${PAYLOAD} as a note`);
    rmSync(git);
    const { page, complaints } = await open();
    for (const address of [
      '/',
      '/sessions',
      '/sessions?view=groups&by=project',
      '/sessions?view=groups&by=model',
      '/sessions?view=worth',
      `/sessions/${hostile}`,
      `/sessions/${hostile}/rate`,
      '/sessions?view=outcomes',
      '/calibration',
      `/sessions?search=${encodeURIComponent(PAYLOAD)}`,
    ]) {
      await show(page, dashboard.url + address);
      expect(await page.locator('main img, main script, main a[href^="javascript"]').count(), address).toBe(
        0,
      );
      if (address === `/sessions/${hostile}`)
        for (const part of ['a note', 'an author'])
          expect(await page.locator('main').innerText()).toContain(`${PAYLOAD} as ${part}`);
      expect(await formulasIn(page), address).toEqual([]);
      // A long table shows its first rows.
      for (const more of await page.getByRole('button', { name: /^Show all/ }).all()) await more.click();
      if (address !== '/' && !address.includes('?search'))
        expect(await page.locator('main').innerText(), address).toContain('javascript:alert(3)');
    }
    await page.getByText('Views', { exact: true }).click();
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByLabel('Name of this view').fill(`${PAYLOAD} as a view`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: `${PAYLOAD} as a view` }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('as a view');
    await page.getByRole('option', { name: `${PAYLOAD} as a view` }).waitFor();
    expect(await page.locator('body img, body a[href^="javascript"]').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  /** Ids and structure stay; every text that a person or a model wrote, and every name, is the payload. */
  function poisoned(value: unknown, name = ''): unknown {
    if (Array.isArray(value)) return value.map((one) => poisoned(one, name));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([one, inner]) => [one, poisoned(inner, one)]));
    if (name === 'cwd') return `/work/${PAYLOAD.replaceAll('/', '')}`;
    return typeof value === 'string' &&
      /^(?:text|content|model|gitBranch|version|command|description)$/.test(name)
      ? `${PAYLOAD} ${value}`
      : value;
  }
});

describe('a dashboard that others can reach', () => {
  let guarded: Dashboard;

  beforeAll(async () => {
    if (launched.browser === undefined) return;
    guarded = await startDashboard({ empty: true, guarded: true });
    writeFileSync(join(guarded.transcripts, 'one.jsonl'), movedTranscript(FIXED, 0.5, 800));
    await guarded.assay('sessions', 'score', guarded.transcripts, '--quiet');
  });
  afterAll(async () => guarded?.stop());

  test('asks for a token, says when it is wrong, and shows everything with a good one', async () => {
    const { page } = await open(guarded.url);
    await page.goto(guarded.url);
    const field = page.getByLabel('Token', { exact: true });
    await field.fill('not a token');
    await page.getByRole('button', { name: 'Open the dashboard' }).click();
    await page.getByText('The token was not accepted').waitFor();
    await field.fill(guarded.token);
    await page.getByRole('button', { name: 'Open the dashboard' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText('● live').waitFor();
    await page.context().close();
  });

  test('shows a token of one project what is its own on every page, and says kindly what is not', async () => {
    const made = await guarded.assay('token', 'create', 'other', '--scope', 'admin', '--project', 'other');
    const { page, complaints } = await open(guarded.url);
    await page.addInitScript((token) => sessionStorage.setItem('assay-token', token), made.trim());
    for (const path of EVERYWHERE) {
      await show(page, `${guarded.url}${path}`);
      expect(await page.locator('.failed').allTextContents(), path).toEqual([]);
      expect(await page.getByRole('heading', { level: 1 }).count(), path).toBe(1);
      expect(await page.locator('body').textContent(), path).not.toContain('/work/shop');
    }
    await show(page, `${guarded.url}/workflow`);
    await page.getByText('which is of another project than your token').first().waitFor();
    await show(page, `${guarded.url}/audit`);
    await page.getByText('Only who sees all projects can tell').waitFor();
    // What it may not see is answered with 404 or 403, which a browser tells on its console.
    expect(complaints.filter((one) => !/404|status of 403|403: .*\/audit\/verification/.test(one))).toEqual(
      [],
    );
    await page.context().close();
  });

  test('tells a token that may only read who may see the audit log', async () => {
    const made = await guarded.assay('token', 'create', 'reader', '--scope', 'read');
    const { page } = await open(guarded.url);
    await page.addInitScript((token) => sessionStorage.setItem('assay-token', token), made.trim());
    await show(page, `${guarded.url}/audit`);
    expect(await page.locator('main code').allInnerTexts()).toEqual(['assay token create --scope admin']);
    expect(await axeFaults(page)).toEqual([]);
    await page.context().close();
  });

  test('hands over files without the token in any address', async () => {
    const { page } = await open(guarded.url);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${guarded.url}/sessions`);
    await page.getByLabel('Token', { exact: true }).fill(guarded.token);
    await page.getByRole('button', { name: 'Open the dashboard' }).click();
    const save = async (name: string) => {
      const link = page.getByRole('link', { name, exact: true });
      const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
      return readFileSync(await file.path(), 'utf8');
    };
    expect((await save('CSV: Sessions')).split('\r\n')).toHaveLength(3);
    await page.locator('tbody th a').first().click();
    expect(JSON.parse(await save('JSON'))).toMatchObject({ format: 'assay-explanation' });
    expect(asked.filter((url) => url.includes(guarded.token))).toEqual([]);
    await page.context().close();
  });
});

describe('a dashboard over an empty store', () => {
  let empty: Dashboard;

  beforeAll(async () => {
    if (launched.browser !== undefined) empty = await startDashboard({ empty: true });
  });
  afterAll(async () => empty?.stop());

  test('says on every page what fills it', async () => {
    const { page, complaints } = await open(empty.url);
    for (const [path, command] of [
      ['/', 'assay sessions score'],
      ['/sessions', 'assay sessions score'],
      ['/calibration', 'assay sessions rate'],
      ['/rate', 'assay sessions score'],
    ] as const) {
      await show(page, empty.url + path);
      expect(await page.locator('main code').allInnerTexts(), path).toContain(command);
      // Where nothing is measured nothing is well either.
      expect(await page.locator('main').innerText(), path).not.toMatch(/Every session|days needs attention/);
      expect(await axeFaults(page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('says as of when it is while the server is gone, and goes on when it is back', async () => {
    writeFileSync(join(empty.transcripts, 'one.jsonl'), movedTranscript(FIXED, 0.5, 801));
    await empty.assay('sessions', 'score', empty.transcripts, '--quiet');
    const { page } = await open(empty.url);
    await show(page, `${empty.url}/sessions`);
    const names = await rowNames(page);
    expect(names).toHaveLength(1);
    const restart = await empty.kill();
    await page.getByText(/not live since \d\d:\d\d: trying again/).waitFor();
    // As when the reader comes back to the page.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page
      .locator('.stale', { hasText: /As of \d\d:\d\d: the server does not answer/ })
      .first()
      .waitFor();
    expect(await rowNames(page)).toEqual(names);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: '7 days' }).click();
    await page.getByText('The server does not answer').first().waitFor();
    expect(await page.locator('main code').allInnerTexts()).toContain('assay serve');
    await restart();
    await page.getByText('● live').waitFor();
    await until(page, async () => (await page.locator('.stale, .failed').count()) === 0);
    expect(await rowNames(page)).toEqual(names);
    await page.context().close();
  });
});
