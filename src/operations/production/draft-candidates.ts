import { join } from 'node:path';
import { draftCase, draftCaseName } from '../../decomposition/golden/draft-case.ts';
import { lintCase } from '../../decomposition/golden/lint-case.ts';
import { findSameTexts } from '../../decomposition/golden/same-texts.ts';
import type { GoldenRules } from '../../decomposition/golden-rules.ts';
import { openExtractor } from '../../decomposition/ingest/extractors/open.ts';
import type { GoldenCase } from '../../decomposition/ingest/golden-case.ts';
import type { ExtractionOutput } from '../../decomposition/ingest/output.ts';
import type { OutputMap } from '../../decomposition/ingest/outputs/output-map.ts';
import { tryReadOutput } from '../../decomposition/ingest/outputs/read-foreign.ts';
import { normalise } from '../../decomposition/match/normalise.ts';
import type { CandidateCase } from '../../decomposition/production/brief/brief.ts';
import { scoreOf, type WatchedRecord } from '../../decomposition/production/brief/week.ts';
import type { DecompositionText } from '../../decomposition/production/record.ts';
import { AssayError } from '../../errors.ts';
import type { Ports } from '../ports.ts';
import { writeNewFile } from '../write-new-file.ts';

export type DraftCandidatesRequest = {
  readonly texts: ReadonlyMap<string, DecompositionText>;
  readonly sampled: readonly WatchedRecord[];
  readonly golden: readonly GoldenCase[];
  readonly rules: GoldenRules;
  readonly map: OutputMap;
  /** Concepts that people rejected: id of a request → labels. */
  readonly rejected: ReadonlyMap<string, readonly string[]>;
  /** Concepts that raters say an output lacks: the same. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
  /** Where they are written; without it they are only shown. */
  readonly drafts?: string | undefined;
};

const WANTED = 2;

const NO_DOMAIN = 'Its domain is only the first of the list.';

const MOST_TRIED = 12;

export async function draftCandidates(
  request: DraftCandidatesRequest,
  ports: Ports,
): Promise<CandidateCase[]> {
  const { texts, golden } = request;
  const candidates: CandidateCase[] = [];
  const ids = new Set(golden.map(({ id }) => id));
  let tried = 0;
  for (const one of chosen(request)) {
    if (tried === MOST_TRIED || candidates.filter(({ findings }) => findings.length === 0).length === WANTED)
      break;
    // Two cases on one matter teach less than two on two.
    if (candidates.some(({ golden: { topic } }) => normalise(topic) === normalise(one.record.topic ?? '')))
      continue;
    if (isInSuite(texts.get(one.id)?.text ?? '', golden)) continue;
    tried += 1;
    const drafted = await draftOf(one, request, ids, ports);
    if (drafted !== undefined) candidates.push(drafted);
  }
  const best = candidates
    .toSorted((a, b) => Number(a.findings.length > 0) - Number(b.findings.length > 0))
    .slice(0, WANTED);
  return best.map((one) => written(one, request.drafts));
}

/** A text that comes twice is no second opinion. */
function isInSuite(text: string, golden: readonly GoldenCase[]): boolean {
  return findSameTexts([...golden.map(({ sourceText }) => sourceText), text]).some(
    ({ second }) => second === golden.length,
  );
}

type Choice = WatchedRecord & { readonly isNewTopic: boolean; readonly score?: number };

/** New topics first, then the lowest scores; a text that is long enough to be a case before all others. */
function chosen({ texts, sampled, golden, rules }: DraftCandidatesRequest): Choice[] {
  const topics = new Set(golden.map(({ topic }) => normalise(topic)));
  const seen = new Set<string>();
  return sampled
    .filter(({ id, record }) => {
      const key = record.textHash ?? id;
      if (!texts.has(id) || seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .map((one): Choice => {
      const { topic } = one.record;
      const score = scoreOf(one);
      return {
        ...one,
        isNewTopic: topic !== undefined && !topics.has(normalise(topic)),
        ...(score !== undefined && { score }),
      };
    })
    .sort(
      (a, b) =>
        Number(fits(b, texts, rules)) - Number(fits(a, texts, rules)) ||
        Number(b.isNewTopic) - Number(a.isNewTopic) ||
        (a.score ?? 1) - (b.score ?? 1) ||
        (a.id < b.id ? -1 : 1),
    );
}

function fits({ id }: Choice, texts: DraftCandidatesRequest['texts'], { words }: GoldenRules): boolean {
  return (texts.get(id)?.text.split(/\s+/).length ?? 0) >= words[0];
}

async function draftOf(
  one: Choice,
  { texts, rules, map, rejected, missing }: DraftCandidatesRequest,
  ids: Set<string>,
  ports: Ports,
): Promise<CandidateCase | undefined> {
  const stored = texts.get(one.id);
  if (stored === undefined) return undefined;
  const bad = new Set((rejected.get(one.id) ?? []).map(normalise));
  const said = outputOf(stored, map, bad);
  const extractor = await openExtractor({ kind: 'local', sureEnough: 0.02 });
  const local = await extractor.extract({ id: one.id, text: stored.text, trial: 1 }, ports.signal);
  const output = {
    ...local,
    concepts: [
      ...said.concepts,
      ...(missing.get(one.id) ?? []).map((label) => ({ label })),
      ...local.concepts.filter(({ label }) => !bad.has(normalise(label))),
    ],
    relationships: [...said.relationships, ...local.relationships],
  };
  if (output.concepts.length === 0) return undefined;
  const topic = one.record.topic ?? output.concepts[0]?.label ?? one.id;
  const facts = {
    id: freeName(draftCaseName(topic), ids),
    topic,
    domain: rules.domains[0] ?? 'technical',
    created: ports.now().toISOString().slice(0, 10),
  };
  const drafted = draftCase(stored.text, output, facts, rules);
  const golden = withCanaries(
    {
      ...drafted.golden,
      draft: `${drafted.golden.draft} ${NO_DOMAIN}`,
      citation: `Request ${one.id} of production, ${one.record.at.slice(0, 10)}`,
    },
    [...(rejected.get(one.id) ?? [])],
    rules,
  );
  return {
    requestId: one.id,
    at: one.record.at,
    isNewTopic: one.isNewTopic,
    score: one.score,
    golden,
    findings: lintCase(golden, rules),
  };
}

/** What people did not reject; an output that cannot be read has nothing to add. */
function outputOf(
  { output }: DecompositionText,
  map: OutputMap,
  bad: ReadonlySet<string>,
): Pick<ExtractionOutput, 'concepts' | 'relationships'> {
  const read = tryReadOutput(output ?? {}, map);
  if (read instanceof AssayError) return { concepts: [], relationships: [] };
  const { concepts, relationships } = read;
  return { concepts: concepts.filter(({ label }) => !bad.has(normalise(label))), relationships };
}

/** What was made up here is the best canary for this text, as long as the case stays one that lint passes. */
function withCanaries(golden: GoldenCase, invented: readonly string[], rules: GoldenRules): GoldenCase {
  const forbiddenConcepts = [...new Set([...invented, ...golden.forbiddenConcepts])].slice(
    0,
    rules.canaries[1],
  );
  const better = { ...golden, forbiddenConcepts };
  return lintCase(better, rules).length > lintCase(golden, rules).length ? golden : better;
}

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}-${count}`;
  taken.add(free);
  return free;
}

function written(one: CandidateCase, folder: string | undefined): CandidateCase {
  if (folder === undefined) return one;
  const path = join(folder, `${one.golden.id}.gold.json`);
  writeNewFile(path, `${JSON.stringify(one.golden, null, 2)}\n`);
  return { ...one, path };
}
