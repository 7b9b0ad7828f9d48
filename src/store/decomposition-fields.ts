/** What a record of production must hold beyond its kinds of fields: sums are made of it that are never made again. */
import { CONFIDENCE_BINS, type DecompositionRecord } from '../decomposition/production/record.ts';
import { invalid, isPlainObject } from './canonical.ts';

const AMOUNTS = [
  'latencyMs',
  'costUsd',
  'inputTokens',
  'outputTokens',
  'textLength',
  'concepts',
  'relationships',
] as const;
const NAMES = ['id', 'errorKind', 'model', 'promptVersion', 'topic', 'project'] as const;

export function checkDecomposition(record: DecompositionRecord, where: string): DecompositionRecord {
  for (const name of NAMES) if (record[name] === '') throw invalid(`${where}.${name}`, 'must not be empty');
  for (const name of AMOUNTS)
    if ((record[name] ?? 0) < 0) throw invalid(`${where}.${name}`, 'must not be less than 0');
  const { confidence, predicates, sample, quotes, unmentioned, experiment } = record;
  if (confidence !== undefined) checkConfidence(confidence, `${where}.confidence`);
  if (predicates !== undefined) checkCounts(predicates, `${where}.predicates`);
  if (quotes !== undefined) checkParts(quotes, ['given', 'verified'], `${where}.quotes`);
  if (unmentioned !== undefined) checkParts(unmentioned, ['concepts', 'unmentioned'], `${where}.unmentioned`);
  if (sample !== undefined && !(sample.probability > 0 && sample.probability <= 1))
    throw invalid(`${where}.sample.probability`, 'must be above 0 and at most 1');
  if (sample !== undefined) checkTexts(sample, ['stratum'], `${where}.sample`);
  if (experiment !== undefined) checkTexts(experiment, ['id', 'arm', 'keyHash'], `${where}.experiment`);
  return record;
}

function checkConfidence(
  { n, sum, bins }: NonNullable<DecompositionRecord['confidence']>,
  where: string,
): void {
  checkCounts({ n }, where);
  if (!(sum >= 0 && sum <= n + 1e-6)) throw invalid(`${where}.sum`, 'must be from 0 to as many as there are');
  if (!Array.isArray(bins) || bins.length !== CONFIDENCE_BINS)
    throw invalid(`${where}.bins`, `must be ${CONFIDENCE_BINS} counts`);
  checkCounts({ ...bins }, `${where}.bins`);
  if (bins.reduce((all, one) => all + one, 0) !== n) throw invalid(`${where}.bins`, `must add up to ${n}`);
}

function checkCounts(counts: unknown, where: string): void {
  if (!isPlainObject(counts)) throw invalid(where, 'must be a plain object');
  for (const [name, count] of Object.entries(counts))
    if (!Number.isSafeInteger(count) || (count as number) < 0)
      throw invalid(`${where}.${name}`, 'must be a whole number from 0 on');
}

/** `[all, some]`, of which the second cannot be more than the first. */
function checkParts(parts: object, [all, some]: readonly [string, string], where: string): void {
  checkCounts(parts, where);
  const of = parts as Readonly<Record<string, number | undefined>>;
  const [whole, part] = [of[all], of[some]];
  if (whole === undefined || part === undefined || Object.keys(parts).length !== 2)
    throw invalid(where, `must be ${all} and ${some}`);
  if (part > whole) throw invalid(`${where}.${some}`, `cannot be more than ${all}`);
}

function checkTexts(value: object, names: readonly string[], where: string): void {
  const texts = value as Readonly<Record<string, unknown>>;
  for (const name of names)
    if (typeof texts[name] !== 'string' || texts[name] === '')
      throw invalid(`${where}.${name}`, 'must be a text');
}
