import { existsSync } from 'node:fs';
import { readForLint } from '../../decomposition/golden/lint-suite.ts';
import type { GoldenRules } from '../../decomposition/golden-rules.ts';
import type { OutputMap } from '../../decomposition/ingest/outputs/output-map.ts';
import { tryReadOutput } from '../../decomposition/ingest/outputs/read-foreign.ts';
import { indexText, isMentioned } from '../../decomposition/investigate/text-index.ts';
import type { MonthParts } from '../../decomposition/production/brief/brief.ts';
import {
  type CaseInRun,
  type ConceptOpinion,
  type Fabrication,
  reviewCases,
  suggestCanaries,
} from '../../decomposition/production/brief/month.ts';
import { opinionOf } from '../../decomposition/production/brief/week.ts';
import { correlate, suggestWeights } from '../../decomposition/production/correlations.ts';
import type { DecompositionText } from '../../decomposition/production/record.ts';
import {
  RATED_CONCEPT,
  RATED_FABRICATION,
  RATED_MISSING,
  requestOf,
} from '../../decomposition/production/watched.ts';
import type { OverallWeights } from '../../decomposition/weights.ts';
import { AssayError } from '../../errors.ts';
import type { Feedback, Period, Rating, Store } from '../../store/store.ts';
import type { Ports } from '../ports.ts';
import { draftCandidates } from './draft-candidates.ts';
import { PRODUCTION_METRICS, ratedOutputs, type WatchedRecords } from './watched-decompositions.ts';

export type BriefMonthRequest = {
  readonly golden: string;
  readonly rules: GoldenRules;
  readonly map: OutputMap;
  readonly weights: OverallWeights;
  readonly drafts?: string | undefined;
};

const GOLDEN_METRICS = [
  'decomposition/concept-recall',
  'decomposition/concept-precision',
  'decomposition/provenance-coverage',
  'decomposition/relationship-accuracy',
  'decomposition/hallucination-rate',
  'decomposition/overall',
];

const MOST_RUNS = 20;
const MOST_CANARIES = 10;

/** The number of stored texts to look through, the latest. */
const MOST_TEXTS = 500;

export async function briefMonth(
  request: BriefMonthRequest,
  period: Period,
  watched: WatchedRecords,
  ports: Ports,
): Promise<MonthParts> {
  const store = await ports.store('looking');
  // A team may draw its first cases from production.
  const golden = existsSync(request.golden)
    ? readForLint(request.golden, request.rules).cases.map((one) => one.golden)
    : [];
  const concepts = await store.readRatings({ kind: RATED_CONCEPT, latest: true, ...period });
  const invented = await store.readRatings({ kind: RATED_FABRICATION, latest: true, ...period });
  const lacking = await store.readRatings({ kind: RATED_MISSING, latest: true, ...period });
  const feedback = await store.readFeedback({ instrument: 'decomposition', ...period });
  const texts = await storedTexts(watched, store);
  const { runs, inRuns } = await casesInRuns(store, period, feedback);
  const outputs = await ratedOutputs(watched, feedback, store);
  return {
    cases: golden.length,
    runs,
    texts: texts.size,
    candidates: await draftCandidates(
      {
        ...request,
        texts,
        golden,
        sampled: watched.sampled,
        rejected: labelsByRequest(opinionsIn(concepts, invented).filter(({ isGood }) => !isGood)),
        missing: labelsByRequest(opinionsIn(lacking, [])),
      },
      ports,
    ),
    review: reviewCases(golden, inRuns, opinionsIn(concepts, invented)),
    canaries: suggestCanaries(fabricationsIn(invented, texts, request.map), golden, MOST_CANARIES),
    rated: outputs.length,
    correlations: correlate(outputs, [...GOLDEN_METRICS, ...PRODUCTION_METRICS]),
    weights: suggestWeights(outputs, request.weights),
  };
}

async function storedTexts(
  { sampled }: WatchedRecords,
  store: Store,
): Promise<ReadonlyMap<string, DecompositionText>> {
  const texts = new Map<string, DecompositionText>();
  for (const { id } of sampled.slice(-MOST_TEXTS)) {
    const stored = await store.readDecompositionText(id);
    if (stored !== undefined) texts.set(id, stored);
  }
  return texts;
}

const OPINIONS = { up: 1, down: -1, neither: 0 } as const;

async function casesInRuns(store: Store, period: Period, feedback: readonly Feedback[]) {
  const listed = await store.listRuns({ instrument: 'decomposition', ...period, limit: MOST_RUNS });
  const inRuns: CaseInRun[] = [];
  for (const { runId } of listed) {
    const run = await store.readRun(runId);
    for (const { caseId, zone, metrics } of run?.cases ?? []) {
      const opinions = feedback
        .filter((one) => one.runId === runId && one.outputId === caseId && one.item === undefined)
        .map((one) => OPINIONS[opinionOf(one) ?? 'neither']);
      inRuns.push({ runId, caseId, metrics, opinions, zone });
    }
  }
  return { runs: listed.length, inRuns };
}

function labelOf(subject: string): string | undefined {
  const place = subject.indexOf('#');
  return place < 0 ? undefined : subject.slice(place + 1);
}

/** A concept that was called made up is one that is rejected. */
function opinionsIn(concepts: readonly Rating[], invented: readonly Rating[]): ConceptOpinion[] {
  const said = [
    ...concepts.map((one) => ({ ...one, isGood: one.rating >= 0.5 })),
    ...invented.map((one) => ({ ...one, isGood: one.rating < 0.5 })),
  ];
  return said.flatMap(({ subjectId, isGood }) => {
    const label = labelOf(subjectId);
    return label === undefined ? [] : [{ label, isGood, requestId: requestOf(subjectId) }];
  });
}

function labelsByRequest(opinions: readonly ConceptOpinion[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...Map.groupBy(opinions, ({ requestId }) => requestId)].map(([id, own]) => [
      id,
      own.map(({ label }) => label),
    ]),
  );
}

function fabricationsIn(
  invented: readonly Rating[],
  texts: ReadonlyMap<string, DecompositionText>,
  map: OutputMap,
): Fabrication[] {
  const rated = opinionsIn([], invented)
    .filter(({ isGood }) => !isGood)
    .map(({ label, requestId }): Fabrication => ({ label, requestId, source: 'rated' }));
  return [...rated, ...[...texts.values()].flatMap((kept) => unmentionedIn(kept, map))];
}

function unmentionedIn({ id, text, output }: DecompositionText, map: OutputMap): Fabrication[] {
  const read = output === undefined ? undefined : tryReadOutput(output, map);
  // An output that cannot be read was counted as a failure when it came.
  if (read === undefined || read instanceof AssayError) return [];
  const index = indexText(text);
  return read.concepts
    .filter(({ label, aliases = [] }) => [label, ...aliases].every((name) => !isMentioned(index, name)))
    .map(({ label }) => ({ label, requestId: id, source: 'unmentioned' }));
}
