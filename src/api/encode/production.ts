import type { z } from 'zod';
import type {
  OperationalFigures,
  Production,
  ProductionSpan,
  SampledFigures,
} from '../../decomposition/production/production.ts';
import type { production } from '../schema/production.ts';
import { encodeExtractionFigures } from './extraction-figures.ts';
import { encodeMeasurement } from './measurement.ts';

type Wire = z.infer<typeof production>;

export function encodeProduction(result: Production): Wire {
  return {
    format: 'assay-production',
    version: 1,
    since: result.since ?? null,
    until: result.until ?? null,
    by: result.by,
    whole: encodeFigures(result.operational),
    sample: encodeSample(result.sample),
    spans: result.spans.map(encodeSpan),
    versions: result.versions.map(({ cell: { promptVersion, model }, figures }) => ({
      prompt_version: promptVersion ?? null,
      model: model ?? null,
      ...encodeFigures(figures),
    })),
  };
}

function encodeSpan({ cell, figures }: ProductionSpan): Wire['spans'][number] {
  return {
    at: cell.at,
    ...encodeFigures(figures),
    sampled: cell.sampled,
    confidences: [...cell.confidence.bins],
    predicates: { ...cell.predicates },
    error_kinds: { ...cell.errorKinds },
  };
}

function encodeFigures(figures: OperationalFigures): Wire['whole'] {
  return {
    requests: figures.requests,
    errors: figures.errors,
    ...encodeExtractionFigures(figures),
  };
}

function encodeSample(sample: SampledFigures): Wire['sample'] {
  const { hallucination } = sample;
  return {
    sampled: sample.sampled,
    rated: sample.rated,
    share_rated: encodeMeasurement(sample.shareRated),
    acceptable: encodeMeasurement(sample.acceptable),
    feedback: encodeMeasurement(sample.feedback),
    quotes_verified: encodeMeasurement(sample.quotesVerified),
    unsupported_quotes: encodeMeasurement(hallucination.unsupportedQuotes),
    unmentioned_concepts: encodeMeasurement(hallucination.unmentionedConcepts),
    rated_fabrications: encodeMeasurement(hallucination.ratedFabrications),
    partial: sample.isPartial,
  };
}
