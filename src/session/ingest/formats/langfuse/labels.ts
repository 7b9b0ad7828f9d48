/**
 * Ratings of traces in Langfuse: scores given by hand (`ANNOTATION`), from 0 to 1 or true and false. Scores of programs
 * and models are not ratings by people, and other scales are not guessed.
 */
import { AssayError } from '../../../../errors.ts';
import { asId, asObject, asObjects, asText, type JsonObject } from '../../json/json-fields.ts';
import type { Harness, HarnessLabel } from '../harness.ts';
import { langfuseSessionId } from './adapter.ts';
import { field } from './observation.ts';

type Said = { readonly session: string; readonly name: string; readonly value: number };

export const harness: Harness = {
  name: 'Langfuse',
  labels: (document, path) => {
    const scores = scoresIn(document);
    if (scores === undefined) return undefined;
    const byHand = scores.filter(({ score }) => score.source === 'ANNOTATION');
    const said = byHand.flatMap(saidOf);
    refuseOthers(byHand.length, said, path);
    return [...Map.groupBy(said, ({ session }) => session)].map(([session, own]): HarnessLabel => {
      const outcome = own.reduce((sum, { value }) => sum + value, 0) / own.length;
      return { outcome, of: { session } };
    });
  },
};

type Scored = { readonly score: JsonObject; readonly trace: JsonObject };

/** Scores by themselves, or within the traces they are of; undefined where there is nothing of the kind. */
function scoresIn(document: unknown): Scored[] | undefined {
  const fields = asObject(document);
  const list = asObjects(Array.isArray(document) ? document : (fields?.data ?? (fields && [fields])));
  const found = list.flatMap((one): Scored[] => {
    if (isScore(one)) return [{ score: one, trace: asObject(one.trace) ?? {} }];
    const trace = asObject(one.trace) ?? one;
    return asObjects(one.scores)
      .filter(isScore)
      .map((score) => ({ score, trace }));
  });
  return found.length === 0 ? undefined : found;
}

function isScore(one: JsonObject): boolean {
  const [source, of] = [asText(one.source), field(one, 'traceId') ?? field(one, 'sessionId')];
  return (
    source !== undefined && /^(?:ANNOTATION|API|EVAL)$/.test(source) && of !== undefined && 'value' in one
  );
}

function saidOf({ score, trace }: Scored): Said[] {
  const value =
    score.dataType === 'CATEGORICAL' || score.data_type === 'CATEGORICAL' ? undefined : score.value;
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) return [];
  const named = asId(field(score, 'sessionId')) ?? asId(field(trace, 'sessionId'));
  const traceId = asText(field(score, 'traceId'));
  if (named === undefined && traceId === undefined) return [];
  return [{ session: langfuseSessionId(named, traceId ?? ''), name: asText(score.name) ?? '', value }];
}

function refuseOthers(byHand: number, said: readonly Said[], path: string): void {
  const names = [...new Set(said.map(({ name }) => name))];
  const remedy =
    'Write them as CSV with session_id,rating (1 to 5) and name it with --ratings, or with session_id,outcome and --outcomes.';
  if (names.length > 1)
    throw new AssayError(
      'INPUT_INVALID',
      `${path} has scores by hand of ${names.length} names: ${names.slice(0, 5).join(', ')}; which of them says how good a session was is not known`,
      { remedy: `Export one of them. ${remedy}` },
    );
  if (said.length === 0)
    throw new AssayError(
      'INPUT_INVALID',
      byHand === 0
        ? `${path} has scores of programs only, and none that a person gave by hand`
        : `${path} has scores by hand, but none from 0 to 1 or of true and false`,
      { remedy },
    );
}
