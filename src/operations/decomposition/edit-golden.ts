/**
 * Golden cases for an editor: reads them with near misses of recent runs, saves them with the next version, and stores
 * annotations of two readers.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { CaseEvidence } from '../../decomposition/evidence.ts';
import { type GoldenFinding, lintCase } from '../../decomposition/golden/lint-case.ts';
import type { GoldenRules } from '../../decomposition/golden-rules.ts';
import { type GoldenCase, goldenNames, goldenSchemaWith } from '../../decomposition/ingest/golden-case.ts';
import { parseWith } from '../../decomposition/ingest/parse.ts';
import { normalise } from '../../decomposition/match/normalise.ts';
import { AssayError } from '../../errors.ts';
import { insideOf, readJson, readText } from '../../files.ts';
import { replaceFile, underLock } from '../../locked-file.ts';
import { makeFolder } from '../../make-folder.ts';
import { cohenKappa } from '../../stats/rater-agreement.ts';
import type { Ports } from '../ports.ts';

/** The location of the golden cases; nothing outside it is read or written. */
export type GoldenPlace = { readonly root: string; readonly rules: GoldenRules };

const PLACE = 'golden';
const LONGEST = 4 * 1024 * 1024;

export type ListedGolden = {
  readonly id: string;
  readonly topic: string;
  readonly domain: string;
  readonly version: string;
  readonly draft: boolean;
  readonly concepts: number;
  readonly relationships: number;
  readonly findings: number;
};

export function listGolden({ root, rules }: GoldenPlace): readonly ListedGolden[] {
  const folder = insideOf(root, PLACE);
  if (!existsSync(folder)) return [];
  const schema = goldenSchemaWith(rules);
  return goldenNames(folder).flatMap((name): ListedGolden[] => {
    const path = insideOf(folder, name);
    const { data } = schema.safeParse(readJson(path, LONGEST));
    if (data === undefined) return [];
    const { id, topic, domain, version, draft } = data;
    return [
      {
        id,
        topic,
        domain,
        version,
        draft: draft !== undefined,
        concepts: data.expectedConcepts.length,
        relationships: data.expectedRelationships.length,
        findings: lintCase(data, rules).length,
      },
    ];
  });
}

type NearMiss = {
  readonly label: string;
  /** The closest expected concept. */
  readonly expected: string;
  readonly runs: number;
  readonly of: number;
};

export type GoldenEdit = {
  readonly golden: GoldenCase;
  /** SHA-256 of the file that the change is based on. */
  readonly sha256: string;
  readonly findings: readonly GoldenFinding[];
  readonly nearMisses: readonly NearMiss[];
  readonly readers: readonly string[];
  readonly agreement?: {
    readonly kappa?: number;
    readonly items: number;
    readonly between: readonly string[];
  };
};

export async function readGoldenEdit(id: string, place: GoldenPlace, ports: Ports): Promise<GoldenEdit> {
  const path = pathOf(id, place);
  const text = readText(path, LONGEST);
  const golden = parsed(text, path, place);
  const nearMisses = await nearMissesOf(golden, ports);
  const readings = readingsOf(id, place);
  const agreement = agreementOf(golden, nearMisses, readings);
  return {
    golden,
    sha256: hashOf(text),
    findings: lintCase(golden, place.rules),
    nearMisses,
    readers: Object.keys(readings),
    ...(agreement && { agreement }),
  };
}

export type GoldenChange = Pick<
  GoldenCase,
  'expectedConcepts' | 'expectedRelationships' | 'forbiddenConcepts' | 'forbiddenRelationships'
> & {
  readonly basedOn: string;
  /** The case is no longer a draft. */
  readonly corrected: boolean;
};

/** Saves with the next version, atomically. A file that changed meanwhile stays unchanged. */
export async function saveGoldenEdit(
  id: string,
  { basedOn, corrected, ...lists }: GoldenChange,
  place: GoldenPlace,
): Promise<{ readonly version: string; readonly changed: boolean }> {
  const path = pathOf(id, place);
  return underLock(path, () => {
    const text = readText(path, LONGEST);
    if (hashOf(text) !== basedOn)
      throw new AssayError('FILE_CHANGED', `${PLACE}/${id}.gold.json changed since you opened it`);
    const before = parsed(text, path, place);
    const { draft, ...file } = JSON.parse(text) as Record<string, unknown>;
    const kept = draft !== undefined && !corrected ? { draft } : {};
    const next = { ...file, ...kept, ...lists };
    const after = parsed(JSON.stringify(next), path, place);
    if (JSON.stringify(before) === JSON.stringify(after)) return { version: before.version, changed: false };
    const version =
      before.draft !== undefined && after.draft === undefined ? '1.0' : nextVersion(before.version);
    replaceFile(path, `${JSON.stringify({ ...next, version }, null, 2)}\n`);
    return { version, changed: true };
  });
}

function nextVersion(version: string): string {
  const [, major = '1', minor = '0'] = /^(\d{1,6})\.(\d{1,6})$/.exec(version) ?? [];
  return `${major}.${Number(minor) + 1}`;
}

const readingSchema = z.object({
  at: z.string(),
  concepts: z.array(z.string()),
  relationships: z.array(z.string()),
});

type Reading = z.infer<typeof readingSchema>;

const readingsFile = z.object({ readers: z.record(z.string(), readingSchema) });

export type GivenReading = {
  readonly by: string;
  readonly concepts: readonly string[];
  readonly relationships: readonly Pick<
    GoldenCase['forbiddenRelationships'][number],
    'source' | 'target' | 'predicate'
  >[];
};

/** Saves what one reader expects of a text in the folder of the cases, so that two readings can be compared. */
export async function saveReading(
  id: string,
  { by, concepts, relationships }: GivenReading,
  place: GoldenPlace,
  ports: Ports,
): Promise<GoldenEdit> {
  pathOf(id, place);
  const path = readingsPath(id, place);
  makeFolder(join(place.root, PLACE, READINGS));
  await underLock(path, () => {
    const readers = {
      ...readingsOf(id, place),
      [by]: {
        at: ports.now().toISOString(),
        concepts: [...new Set(concepts.map(normalise))].sort(),
        relationships: [...new Set(relationships.map(edgeOf))].sort(),
      },
    };
    replaceFile(path, `${JSON.stringify({ readers }, null, 2)}\n`);
  });
  return readGoldenEdit(id, place, ports);
}

const READINGS = 'readings';

function readingsPath(id: string, { root }: GoldenPlace): string {
  return insideOf(join(root, PLACE), join(READINGS, `${id}.json`));
}

function readingsOf(id: string, place: GoldenPlace): Readonly<Record<string, Reading>> {
  const path = readingsPath(id, place);
  return existsSync(path) ? parseWith(readingsFile, readJson(path, LONGEST), path).readers : {};
}

/** Agreement of the last two readers on everything that the case, a run or one of them proposes. */
function agreementOf(
  { expectedConcepts, expectedRelationships }: GoldenCase,
  nearMisses: readonly NearMiss[],
  readings: Readonly<Record<string, Reading>>,
): GoldenEdit['agreement'] {
  const [second, first] = Object.entries(readings).toSorted(([, a], [, b]) => (a.at < b.at ? 1 : -1));
  if (first === undefined || second === undefined) return undefined;
  const itemsIn = ({ concepts, relationships }: Omit<Reading, 'at'>) => [...concepts, ...relationships];
  const [one, other] = [new Set(itemsIn(first[1])), new Set(itemsIn(second[1]))];
  const proposed = [
    ...expectedConcepts.map(({ label }) => normalise(label)),
    ...expectedRelationships.map(edgeOf),
    ...nearMisses.map(({ label }) => normalise(label)),
  ];
  const items = [...new Set([...one, ...other, ...proposed])];
  const said = (reader: ReadonlySet<string>) => items.map((item) => (reader.has(item) ? 'yes' : 'no'));
  const kappa = cohenKappa(said(one), said(other))?.kappa;
  return { items: items.length, between: [first[0], second[0]], ...(kappa !== undefined && { kappa }) };
}

function edgeOf({ source, target, predicate }: GivenReading['relationships'][number]): string {
  const ends = [normalise(source), normalise(target)];
  return [predicate, ...(predicate === 'RELATES_TO' ? ends.sort() : ends)].join('\t');
}

const RUNS = 6;

async function nearMissesOf(golden: GoldenCase, ports: Ports): Promise<readonly NearMiss[]> {
  const store = await ports.store('looking');
  const runs = await store.listRuns({ instrument: 'decomposition', limit: RUNS });
  const known = new Set(
    [
      ...golden.expectedConcepts.flatMap(({ label, aliases }) => [label, ...aliases]),
      ...golden.forbiddenConcepts,
    ].map(normalise),
  );
  const seen = new Map<string, { readonly label: string; readonly runs: Set<string> }>();
  let of = 0;
  for (const { runId } of runs) {
    const found = (await store.readRun(runId))?.cases.find(({ caseId }) => caseId === golden.id)?.evidence;
    if (found === undefined) continue;
    of += 1;
    for (const { concepts } of (found as unknown as CaseEvidence).trials) {
      for (const { label, match, canary, unmentioned } of concepts) {
        const key = normalise(label);
        if (match !== undefined || canary !== undefined || unmentioned || known.has(key)) continue;
        const one = seen.get(key) ?? { label, runs: new Set() };
        one.runs.add(runId);
        seen.set(key, one);
      }
    }
  }
  return [...seen.values()]
    .flatMap(({ label, runs: said }) => {
      const expected = nearestTo(label, golden);
      return expected === undefined ? [] : [{ label, expected, runs: said.size, of }];
    })
    .toSorted((a, b) => b.runs - a.runs || (a.label < b.label ? -1 : 1));
}

const SHORTEST_WORD = 4;

/** The expected concept that shares the most words. */
function nearestTo(label: string, { expectedConcepts }: GoldenCase): string | undefined {
  const words = new Set(
    normalise(label)
      .split(' ')
      .filter((word) => word.length >= SHORTEST_WORD),
  );
  const shared = expectedConcepts.map(({ label: expected, aliases }) => ({
    expected,
    count: new Set(
      [expected, ...aliases].flatMap((name) => normalise(name).split(' ')).filter((word) => words.has(word)),
    ).size,
  }));
  const best = shared.reduce((one, other) => (other.count > one.count ? other : one), {
    expected: '',
    count: 0,
  });
  return best.count === 0 ? undefined : best.expected;
}

function pathOf(id: string, { root }: GoldenPlace): string {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))
    throw new AssayError('CASE_NOT_FOUND', `"${id}" is no name of a golden case`);
  const path = insideOf(insideOf(root, PLACE), `${id}.gold.json`);
  if (!existsSync(path)) throw new AssayError('CASE_NOT_FOUND', `there is no golden case "${id}"`);
  return path;
}

function parsed(text: string, path: string, { rules }: GoldenPlace): GoldenCase {
  return parseWith(goldenSchemaWith(rules), JSON.parse(text), path);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
