import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-golden-'));
  cpSync(
    'golden/cholera-and-clean-water.gold.json',
    join(folder, 'golden/cholera-and-clean-water.gold.json'),
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const ID = 'cholera-and-clean-water';
const fileOf = () => readFileSync(join(folder, `golden/${ID}.gold.json`), 'utf8');

type Edit = {
  sha256: string;
  version: string;
  concepts: { label: string; aliases: string[]; required: boolean }[];
  relationships: object[];
  forbidden_concepts: string[];
  forbidden_relationships: object[];
};

async function opened() {
  const { ask } = await startTestServer({ withSessions: false, folder });
  const post = (path: string, body: unknown) =>
    ask(`/api/v1/golden/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const one = (await (await ask(`/api/v1/golden/${ID}`)).json()) as Edit;
  const { sha256: based_on, concepts, relationships, forbidden_concepts, forbidden_relationships } = one;
  return {
    ask,
    post,
    one,
    change: { based_on, concepts, relationships, forbidden_concepts, forbidden_relationships },
  };
}

it('lists cases, saves a change as the next version, and not one that is based on another file', async () => {
  const { ask, post, one, change } = await opened();
  expect(await (await ask('/api/v1/golden')).json()).toMatchObject({ cases: [{ id: ID, n_findings: 0 }] });
  expect(await (await post(ID, change)).json()).toMatchObject({ version: one.version, changed: false });
  const concepts = change.concepts.map((concept) =>
    concept.label === 'sewers' ? { ...concept, aliases: [...concept.aliases, 'sewerage'] } : concept,
  );
  const [major, minor] = one.version.split('.').map(Number);
  const next = `${major}.${(minor ?? 0) + 1}`;
  expect(await (await post(ID, { ...change, concepts })).json()).toMatchObject({
    version: next,
    changed: true,
  });
  const saved = JSON.parse(fileOf());
  expect(saved).toMatchObject({ version: next, topic: 'How the cause of cholera was found' });
  expect(JSON.stringify(saved.expectedConcepts)).toContain('sewerage');
  const late = await post(ID, { ...change, concepts: [] });
  expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([409, 'FILE_CHANGED']);
  expect(readdirSync(join(folder, 'golden'))).toEqual([`${ID}.gold.json`]);
});

it('writes nothing that is no golden case, and nothing outside the folder', async () => {
  const { ask, post, change } = await opened();
  const before = fileOf();
  const wrong = [{ source: 'cholera', target: 'sewers', predicate: 'EATS', required: true }];
  expect((await post(ID, { ...change, relationships: wrong })).status).toBe(422);
  for (const id of ['..%2F..%2Fetc', '%2e%2e', 'none', 'a.gold.json'])
    expect((await post(id, change)).status, id).toBe(404);
  const elsewhere = mkdtempSync(join(tmpdir(), 'assay-elsewhere-'));
  writeFileSync(join(elsewhere, 'linked.gold.json'), before);
  symlinkSync(join(elsewhere, 'linked.gold.json'), join(folder, 'golden/linked.gold.json'));
  expect((await ask('/api/v1/golden/linked')).status).toBe(403);
  expect((await post('linked', change)).status).toBe(403);
  expect(readFileSync(join(elsewhere, 'linked.gold.json'), 'utf8')).toBe(before);
  rmSync(elsewhere, { recursive: true });
  expect(fileOf()).toBe(before);
});

it('ends a draft with version 1.0', async () => {
  mkdirSync(join(folder, 'golden'), { recursive: true });
  writeFileSync(
    join(folder, `golden/${ID}.gold.json`),
    JSON.stringify({ ...JSON.parse(fileOf()), draft: 'proposed', version: '0.1' }),
  );
  const { post, change } = await opened();
  expect(await (await post(ID, { ...change, corrected: true })).json()).toMatchObject({ version: '1.0' });
  expect(JSON.parse(fileOf())).not.toHaveProperty('draft');
});

it('compares two readers: all but one of four concepts, κ over what the case and both propose', async () => {
  const { post, one } = await opened();
  const all = one.concepts.map(({ label }) => label);
  const relationships: object[] = [];
  const first = await (await post(`${ID}/readings`, { by: 'ann', concepts: all, relationships })).json();
  expect(first).toMatchObject({ readers: ['ann'], agreement: null });
  const answer = await post(`${ID}/readings`, { by: 'bob', concepts: all.slice(1), relationships });
  const second = (await answer.json()) as { agreement: { kappa: number } };
  // Of c concepts and r relationships: ann says c yes, bob c − 1; they differ in one item.
  const [c, n] = [all.length, all.length + one.relationships.length];
  const expected = (c / n) * ((c - 1) / n) + ((n - c) / n) * ((n - c + 1) / n);
  expect(second.agreement).toMatchObject({ items: n, between: ['ann', 'bob'] });
  expect(second.agreement.kappa).toBeCloseTo((1 - 1 / n - expected) / (1 - expected), 9);
});
