/** The four points of the monthly expansion. */
import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { formatAmount, formatCount } from '../../report/number.ts';
import { decompositionMetrics } from '../catalog.ts';
import type { Brief, CandidateCase, MonthParts } from '../production/brief/brief.ts';
import { type CanarySuggestion, type CaseReview, RUNS_TO_REVIEW } from '../production/brief/month.ts';
import {
  type MetricCorrelation,
  RATED_FOR_WEIGHTS,
  type WeightSuggestion,
} from '../production/correlations.ts';
import type { OverallWeights } from '../weights.ts';
import {
  type BriefSection,
  caseLink,
  missing,
  NO_REQUESTS,
  NO_SAMPLE,
  PRODUCTION_PAGE,
  requestLinks,
} from './brief-section.ts';

export function monthSections(brief: Brief, month: MonthParts): BriefSection[] {
  return [
    candidatesSection(brief, month),
    reviewSection(month),
    correlationSection(month),
    canariesSection(brief, month),
  ];
}

const CANDIDATES = 'New golden cases from production';
const REVIEW = 'Review of the golden cases';
const CORRELATION = 'Metrics and what people say';
const CANARIES = 'Canaries from what was made up';
const NO_TEXTS =
  'No text of a sampled request was kept, so no case can be drafted from one. production.keepText keeps them, with a retention of production.textDays.';

function candidatesSection({ operational, sample }: Brief, { texts, candidates }: MonthParts): BriefSection {
  if (operational.requests === 0) return missing('candidates', CANDIDATES, NO_REQUESTS);
  if (sample.sampled === 0) return missing('candidates', CANDIDATES, NO_SAMPLE);
  if (texts === 0) return missing('candidates', CANDIDATES, NO_TEXTS);
  if (candidates.length === 0)
    return missing(
      'candidates',
      CANDIDATES,
      'Every text that was kept is that of a golden case already, or has no concept in it.',
    );
  const unwritten = candidates.every(({ path }) => path === undefined);
  return {
    id: 'candidates',
    title: CANDIDATES,
    says: [
      `${formatAmount(candidates.length, 'draft')} from ${formatAmount(texts, 'kept text')}; a person corrects them before they count.`,
      ...candidates.map(candidateWords),
      ...(unwritten ? ['Not written yet: --drafts with a folder writes them, ready for lint.'] : []),
    ],
    links: requestLinks(candidates.map(({ requestId }) => requestId)),
    table: {
      kind: 'table',
      title: 'Drafts',
      columns: [
        { key: 'case', title: 'case', unit: 'name' },
        { key: 'request', title: 'from request', unit: 'name' },
        { key: 'concepts', title: 'concepts', unit: 'count' },
        { key: 'relationships', title: 'relationships', unit: 'count' },
        { key: 'canaries', title: 'canaries', unit: 'count' },
        { key: 'lint', title: 'lint', unit: 'text' },
        { key: 'file', title: 'file', unit: 'text', priority: 1 },
      ],
      rows: candidates.map(({ requestId, golden, findings, path }) => ({
        case: golden.id,
        request: requestId,
        concepts: golden.expectedConcepts.length,
        relationships: golden.expectedRelationships.length,
        canaries: golden.forbiddenConcepts.length,
        lint: findings.length === 0 ? 'passes' : formatAmount(findings.length, 'finding'),
        file: path,
      })),
    },
  };
}

function candidateWords({ golden, isNewTopic, score, findings }: CandidateCase): string {
  const why = [
    ...(isNewTopic ? [`no case has the topic “${golden.topic}”`] : []),
    ...(score !== undefined && score < 1 ? [`it scored ${score.toFixed(2)}`] : []),
  ];
  const asks =
    findings.length === 0
      ? ''
      : `; lint asks: ${findings
          .slice(0, 2)
          .map(({ place, message }) => `${place} ${message}`)
          .join('; ')}`;
  return `${golden.id}: ${why.length === 0 ? 'a usual request' : why.join(', ')}${asks}`;
}

function reviewSection({ cases, runs, review }: MonthParts): BriefSection {
  if (cases === 0)
    return missing(
      'review',
      REVIEW,
      'There are no golden cases here. assay decomposition new drafts the first from a text.',
    );
  if (runs === 0 && review.length === 0)
    return missing(
      'review',
      REVIEW,
      'No run of the golden cases was kept in this time. assay decomposition run keeps one.',
    );
  const of = (finding: CaseReview['finding']) => review.filter((one) => one.finding === finding).length;
  return {
    id: 'review',
    title: REVIEW,
    says: [
      `${formatAmount(cases, 'case')} over ${formatAmount(runs, 'run')}: ${of('too easy')} too easy, ${of('never fails')} never fail, ${of('contradicted by ratings')} contradicted by ratings.`,
      ...(runs < RUNS_TO_REVIEW
        ? [`Fewer than ${RUNS_TO_REVIEW} runs cannot tell whether a case is too easy.`]
        : []),
    ],
    ...(review.length > 0 && {
      links: review.slice(0, MOST_REVIEWED).flatMap(reviewLinks),
      table: {
        kind: 'table',
        title: 'Cases to look at',
        columns: [
          { key: 'case', title: 'case', unit: 'name' },
          { key: 'finding', title: 'finding', unit: 'text' },
          { key: 'evidence', title: 'evidence', unit: 'text', min: 20 },
        ],
        rows: review.map((one) => ({ case: one.caseId, finding: one.finding, evidence: evidenceOf(one) })),
        limit: MOST_REVIEWED,
      },
    }),
  };
}

const MOST_REVIEWED = 12;

/** People spoke of a request of production, or of the output of a case in a run. */
function reviewLinks({ caseId, about, finding, examples }: CaseReview) {
  const isOfRequests = finding === 'contradicted by ratings' && examples[0] !== about;
  return isOfRequests ? requestLinks(examples) : examples.slice(0, 1).map((run) => caseLink(run, caseId));
}

function evidenceOf({ finding, runs, about, says, examples }: CaseReview): string {
  if (finding === 'too easy')
    return `full marks in all ${formatAmount(runs, 'run')} (${examples.join(', ')})`;
  if (finding === 'never fails')
    return `at its target in all ${formatAmount(runs, 'run')} (${examples.join(', ')})`;
  return `“${about}” is ${says} (${examples.join(', ')})`.replace(/^“(.*)” is (passes|fails)/, 'run $1 $2');
}

function canariesSection({ sample }: Brief, { canaries, texts }: MonthParts): BriefSection {
  if (canaries.length === 0) {
    const looked = sample.rated > 0 || texts > 0;
    return looked
      ? { id: 'canaries', title: CANARIES, says: ['Nothing that was made up was seen more than once.'] }
      : missing(
          'canaries',
          CANARIES,
          'Nobody rated a concept, and no text was kept to look for what it never mentions.',
        );
  }
  return {
    id: 'canaries',
    title: CANARIES,
    says: [
      'Put them among forbiddenConcepts of a case with a text on the same matter that does not name them.',
    ],
    links: requestLinks(canaries.flatMap(({ examples }) => examples)),
    table: {
      kind: 'table',
      title: 'Made up in production',
      columns: [
        { key: 'canary', title: 'canary', unit: 'text' },
        { key: 'requests', title: 'requests', unit: 'count' },
        { key: 'rated', title: 'called made up', unit: 'count' },
        { key: 'known', title: 'forbidden in', unit: 'text' },
        { key: 'examples', title: 'examples', unit: 'text' },
      ],
      rows: canaries.map(canaryRow),
    },
  };
}

function canaryRow({ label, count, rated, alreadyIn, examples }: CanarySuggestion) {
  return {
    canary: label,
    requests: count,
    rated,
    known: alreadyIn.length === 0 ? undefined : alreadyIn.join(', '),
    examples: examples.join(', '),
  };
}

const PRODUCTION_TITLES: Readonly<Record<string, string>> = {
  'production/accepted-concepts': 'Concepts that people accept (precision of production)',
  'production/verified-quotes': 'Verified quotes (provenance of production)',
  'production/mentioned-concepts': 'Concepts that the text mentions',
  'production/confidence': 'Mean confidence',
  'production/concepts': 'Number of concepts',
  'production/relationships': 'Number of relationships',
  'production/latency': 'Latency',
  'production/cost': 'Cost',
};

function correlationSection({ rated, correlations, weights }: MonthParts): BriefSection {
  if (rated === 0)
    return missing(
      'correlation',
      CORRELATION,
      'No output has both a metric and an opinion. Rate sampled requests, or send feedback with the id of a run and a case: only there recall and precision are known.',
    );
  const titles = new Map(decompositionMetrics().map(({ id, title }) => [id, title]));
  return {
    id: 'correlation',
    title: CORRELATION,
    says: [
      `${formatAmount(rated, 'output')} with both; rank correlations, corrected for as many metrics as could be told.`,
      weightWords(weights),
    ],
    links: [PRODUCTION_PAGE],
    table: {
      kind: 'table',
      title: 'Correlation with satisfaction',
      columns: [
        { key: 'metric', title: 'metric', unit: 'text' },
        { key: 'outputs', title: 'outputs', unit: 'count' },
        { key: 'correlation', title: 'correlation', unit: 'score' },
        { key: 'p', title: 'corrected p', unit: 'p-value' },
        { key: 'weight', title: 'weight', unit: 'text' },
      ],
      rows: correlations.map((one) => ({
        metric: titles.get(one.metric) ?? PRODUCTION_TITLES[one.metric] ?? one.metric,
        outputs: one.n,
        correlation: correlationOf(one),
        p: one.adjustedP,
        weight: weightOf(one.metric, weights),
      })),
    },
  };
}

function correlationOf({ n, correlation }: MetricCorrelation): Measurement {
  if (correlation === undefined)
    return unmeasured(n < 3 ? 'fewer than three outputs have both' : 'all of them are the same');
  return estimate(correlation.r, n, correlation.interval ?? {});
}

const WEIGHT_KEYS: Readonly<Record<string, keyof OverallWeights>> = {
  'decomposition/concept-recall': 'recall',
  'decomposition/concept-precision': 'precision',
  'decomposition/provenance-coverage': 'provenance',
  'decomposition/relationship-accuracy': 'relationshipAccuracy',
  'decomposition/hallucination-rate': 'hallucinationPenalty',
};

/** What is no part of the overall score has no weight to change. */
function weightOf(metric: string, weights: WeightSuggestion): string | undefined {
  const key = WEIGHT_KEYS[metric];
  if (key === undefined) return undefined;
  return weights.kind === 'adjust' ? `→ ${weights.weights[key].toFixed(2)}` : 'keep';
}

function weightWords(weights: WeightSuggestion): string {
  if (weights.kind === 'too few')
    return `Weights: keep. ${formatCount(weights.n)} rated outputs have all five metrics of the overall score, ${RATED_FOR_WEIGHTS} are needed to try others.`;
  const figures = `rank correlation with satisfaction ${weights.now.toFixed(2)} as they are, ${weights.fitted.toFixed(2)} fitted, on outputs that were left out of the fit`;
  const gain =
    weights.gain === undefined
      ? ''
      : `; gain ${weights.gain.low.toFixed(2)} to ${weights.gain.high.toFixed(2)}`;
  return weights.kind === 'adjust'
    ? `Weights: others predict better (${figures}${gain}).`
    : `Weights: keep. Others do not predict better for certain (${figures}${gain}).`;
}
