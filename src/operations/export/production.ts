import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import { inPages, kindOf, type ReadColumn, tableOf } from './table.ts';

type Request = DecompositionRecord;

function text(key: string, doc: string, read: (one: Request) => string | undefined): ReadColumn<Request> {
  return { key, type: 'text', doc, read };
}

function number(key: string, doc: string, read: (one: Request) => number | undefined): ReadColumn<Request> {
  return { key, type: 'number', doc, read };
}

const meanConfidence = ({ confidence }: Request) =>
  confidence === undefined || confidence.n === 0 ? undefined : confidence.sum / confidence.n;

const REQUEST_TABLE = tableOf({
  name: 'production_requests',
  doc: 'Requests of a decomposition service in production, with the arm of the experiment they were part of. Never their text.',
  key: ['request_id'],
  items: (one: Request) => [one],
  columns: [
    { key: 'request_id', type: 'text', required: true, doc: 'Name of the request', read: (one) => one.id },
    { key: 'created_at', type: 'time', required: true, doc: 'When it was made, UTC', read: (one) => one.at },
    { key: 'status', type: 'text', required: true, doc: '`ok` or `error`', read: (one) => one.status },
    text('error_kind', 'What went wrong, in a word', (one) => one.errorKind),
    number('latency_ms', 'How long it took, milliseconds', (one) => one.latencyMs),
    number('cost_usd', 'What it cost', (one) => one.costUsd),
    number('input_tokens', 'Tokens read', (one) => one.inputTokens),
    number('output_tokens', 'Tokens written', (one) => one.outputTokens),
    text('model', 'The model that answered', (one) => one.model),
    text('prompt_version', 'Version of the prompt', (one) => one.promptVersion),
    text('topic', 'What it was about, as its sender says', (one) => one.topic),
    text('text_hash', 'SHA-256 of its text', (one) => one.textHash),
    number('text_length', 'Characters of its text', (one) => one.textLength),
    number('concepts', 'Concepts that were extracted', (one) => one.concepts),
    number('relationships', 'Relationships that were extracted', (one) => one.relationships),
    number('mean_confidence', 'Mean confidence of the concepts that say one', meanConfidence),
    number('confident_concepts', 'How many concepts say one', (one) => one.confidence?.n),
    number('quotes_given', 'Quotes that concepts gave, where the text was seen', (one) => one.quotes?.given),
    number('quotes_verified', 'Those of them that stand in the text', (one) => one.quotes?.verified),
    number(
      'concepts_unmentioned',
      'Concepts that the text never mentions, where it was seen',
      (one) => one.unmentioned?.unmentioned,
    ),
    number(
      'sample_probability',
      'It was drawn for a closer look with this probability',
      (one) => one.sample?.probability,
    ),
    text('sample_stratum', 'What it was drawn from', (one) => one.sample?.stratum),
    text('experiment', 'The experiment it was part of', (one) => one.experiment?.id),
    text('arm', 'The arm of the experiment', (one) => one.experiment?.arm),
  ],
});

const PREDICATE_TABLE = tableOf({
  name: 'production_predicates',
  doc: 'How many relationships of each request have which predicate; those beyond the twenty most used are `(other)`.',
  key: ['request_id', 'predicate'],
  items: ({ id, predicates = {} }: Request) =>
    Object.entries(predicates).map(([predicate, count]) => ({ id, predicate, count })),
  columns: [
    { key: 'request_id', type: 'text', required: true, doc: 'The request', read: (one) => one.id },
    { key: 'predicate', type: 'text', required: true, doc: 'The predicate', read: (one) => one.predicate },
    {
      key: 'relationships',
      type: 'number',
      required: true,
      doc: 'How many relationships have it',
      read: (one) => one.count,
    },
  ],
});

export const PRODUCTION = kindOf<Request>({
  kind: 'production',
  time: 'created_at',
  tables: [REQUEST_TABLE, PREDICATE_TABLE],
  read: (store, { period }) =>
    inPages(
      (page) => store.readDecompositions({ ...period, ...page }),
      (one) => one.id,
    ),
});
