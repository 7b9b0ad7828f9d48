import { estimate, type Measurement, unmeasured } from '../../measure/metric.ts';
import { formatAmount, formatCount } from '../../report/number.ts';
import { tableOf } from '../../report/view.ts';
import { decompositionMetrics } from '../catalog.ts';
import type { Brief, CandidateCase, MonthParts } from '../production/brief/brief.ts';
import { type CaseReview, RUNS_TO_REVIEW } from '../production/brief/month.ts';
import {
  type MetricCorrelation,
  RATED_FOR_WEIGHTS,
  type WeightSuggestion,
} from '../production/correlations.ts';
import type { OverallWeights } from '../weights.ts';
import {
  type BriefSection,
  caseLink,
  NO_REQUESTS,
  NO_SAMPLE,
  PRODUCTION_PAGE,
  requestLinks,
  section,
} from './brief-section.ts';

export function monthSections(brief: Brief, month: MonthParts): BriefSection[] {
  return [
    section('candidates', 'New golden cases from production', candidates(brief, month)),
    section('review', 'Review of the golden cases', caseReview(month)),
    section('correlation', 'Metrics and user ratings', correlation(month)),
    section('canaries', 'Canaries from what was made up', canaries(brief, month)),
  ];
}

const NO_TEXTS =
  'No text of a sampled request is stored, so no case can be drafted. production.keepText stores them for production.textDays.';

function candidates({ operational, sample }: Brief, { texts, candidates: drafts }: MonthParts) {
  if (operational.requests === 0) return NO_REQUESTS;
  if (sample.sampled === 0) return NO_SAMPLE;
  if (texts === 0) return NO_TEXTS;
  if (drafts.length === 0) return 'Every stored text is already a golden case, or has no concepts.';
  const unwritten = drafts.every(({ path }) => path === undefined);
  return {
    says: [
      `${formatAmount(drafts.length, 'draft')} from ${formatAmount(texts, 'stored text')}; correct them before they count.`,
      ...drafts.map(candidateWords),
      ...(unwritten ? ['Not written yet: --drafts with a folder writes them, ready for lint.'] : []),
    ],
    links: requestLinks(drafts.map(({ requestId }) => requestId)),
    table: tableOf('Drafts', drafts, [
      { key: 'case', unit: 'name', of: ({ golden }) => golden.id },
      { key: 'request', title: 'from request', unit: 'name', of: ({ requestId }) => requestId },
      { key: 'concepts', unit: 'count', of: ({ golden }) => golden.expectedConcepts.length },
      { key: 'relationships', unit: 'count', of: ({ golden }) => golden.expectedRelationships.length },
      { key: 'canaries', unit: 'count', of: ({ golden }) => golden.forbiddenConcepts.length },
      {
        key: 'lint',
        of: ({ findings }) => (findings.length === 0 ? 'passes' : formatAmount(findings.length, 'finding')),
      },
      { key: 'file', priority: 1, of: ({ path }) => path },
    ]),
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

function caseReview({ cases, runs, review }: MonthParts) {
  if (cases === 0)
    return 'There are no golden cases here. assay decomposition new drafts the first from a text.';
  if (runs === 0 && review.length === 0)
    return 'No run of the golden cases was stored in this period. assay decomposition run stores one.';
  const count = (finding: CaseReview['finding']) => review.filter((one) => one.finding === finding).length;
  return {
    says: [
      `${formatAmount(cases, 'case')} over ${formatAmount(runs, 'run')}: ${count('too easy')} too easy, ${count('never fails')} never fail, ${count('contradicted by ratings')} contradicted by ratings.`,
      ...(runs < RUNS_TO_REVIEW
        ? [`Fewer than ${RUNS_TO_REVIEW} runs cannot show whether a case is too easy.`]
        : []),
    ],
    ...(review.length > 0 && {
      links: review.slice(0, MOST_REVIEWED).flatMap(reviewLinks),
      table: tableOf(
        'Cases to check',
        review,
        [
          { key: 'case', unit: 'name', of: ({ caseId }) => caseId },
          { key: 'finding' },
          { key: 'evidence', min: 20, of: evidenceOf },
        ],
        { limit: MOST_REVIEWED },
      ),
    }),
  };
}

const MOST_REVIEWED = 12;

/** The review is about a production request, or about the output of a case in a run. */
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

function canaries({ sample }: Brief, { canaries: found, texts }: MonthParts) {
  if (found.length === 0)
    return sample.rated > 0 || texts > 0
      ? { says: ['Nothing that was made up was seen more than once.'] }
      : 'No concept was rated, and no text is stored to look for unmentioned concepts.';
  return {
    says: [
      'Put them among forbiddenConcepts of a case with a text on the same matter that does not name them.',
    ],
    links: requestLinks(found.flatMap(({ examples }) => examples)),
    table: tableOf('Made up in production', found, [
      { key: 'canary', of: ({ label }) => label },
      { key: 'requests', unit: 'count', of: ({ count }) => count },
      { key: 'rated', title: 'called made up', unit: 'count' },
      { key: 'known', title: 'forbidden in', of: ({ alreadyIn }) => alreadyIn.join(', ') || undefined },
      { key: 'examples', of: ({ examples }) => examples.join(', ') },
    ]),
  };
}

const PRODUCTION_TITLES: Readonly<Record<string, string>> = {
  'production/accepted-concepts': 'Concepts that raters accept (precision of production)',
  'production/found-concepts': 'Concepts found, of those that raters expect (recall of production)',
  'production/made-up-concepts': 'Concepts that raters call made up',
  'production/quoted-concepts': 'Concepts with a quote (provenance coverage)',
  'production/verified-quotes': 'Verified quotes',
  'production/mentioned-concepts': 'Concepts that the text mentions',
  'production/confidence': 'Mean confidence',
  'production/concepts': 'Number of concepts',
  'production/relationships': 'Number of relationships',
  'production/latency': 'Latency',
  'production/cost': 'Cost',
};

function correlation({ rated, correlations, weights }: MonthParts) {
  if (rated === 0)
    return 'No output has both a metric and an opinion. Rate sampled requests, or send feedback on requests, or on a case of a run.';
  const titles = new Map(decompositionMetrics().map(({ id, title }) => [id, title]));
  return {
    says: [
      `${formatAmount(rated, 'output')} with both; rank correlations, corrected for the number of metrics measured.`,
      weightWords(weights),
    ],
    links: [PRODUCTION_PAGE],
    table: tableOf('Correlation with satisfaction', correlations, [
      { key: 'metric', of: ({ metric }) => titles.get(metric) ?? PRODUCTION_TITLES[metric] ?? metric },
      { key: 'outputs', unit: 'count', of: ({ n }) => n },
      { key: 'correlation', unit: 'score', of: correlationOf },
      { key: 'p', title: 'corrected p', unit: 'p-value', of: ({ adjustedP }) => adjustedP },
      { key: 'weight', of: ({ metric }) => weightOf(metric, weights) },
    ]),
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

const WEIGHT_NAMES: Readonly<Record<keyof OverallWeights, string>> = {
  recall: 'recall',
  precision: 'precision',
  relationshipAccuracy: 'relationship accuracy',
  provenance: 'provenance',
  hallucinationPenalty: 'hallucination',
};

/** A metric outside the overall score has no weight to change. */
function weightOf(metric: string, weights: WeightSuggestion): string | undefined {
  const key = WEIGHT_KEYS[metric];
  if (key === undefined) return undefined;
  return weights.kind === 'adjust' && weights.of.includes(key)
    ? `→ ${weights.weights[key].toFixed(2)}`
    : 'keep';
}

function weightWords(weights: WeightSuggestion): string {
  if (weights.kind === 'too few')
    return `Weights: keep. ${formatCount(weights.n)} rated outputs have two or more metrics of the overall score, ${RATED_FOR_WEIGHTS} are needed to try others.`;
  const figures = `rank correlation with satisfaction ${weights.now.toFixed(2)} as they are, ${weights.fitted.toFixed(2)} fitted, on outputs held out of the fit`;
  const gain =
    weights.gain === undefined
      ? ''
      : `; gain ${weights.gain.low.toFixed(2)} to ${weights.gain.high.toFixed(2)}`;
  return weights.kind === 'adjust'
    ? `Weights: others predict better for ${weights.of.map((key) => WEIGHT_NAMES[key]).join(', ')} (${figures}${gain}).`
    : `Weights: keep. Others do not predict better for certain (${figures}${gain}).`;
}
