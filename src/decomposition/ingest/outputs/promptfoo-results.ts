/** Results of promptfoo: `promptfoo eval -o results.json`, or `.jsonl`. */
import { AssayError } from '../../../errors.ts';
import { isRecord } from './foreign-graph.ts';
import type { OutputMap } from './output-map.ts';
import { figure, NAMES, noAnswer, type ResultItem, type ResultRow, textsOf } from './result-item.ts';
import { parsePath, valueAt } from './value-path.ts';

/** `testIdx` and `promptIdx` are in every row that promptfoo writes. */
export function isPromptfooRow(value: unknown): boolean {
  return isRecord(value) && typeof value.testIdx === 'number' && typeof value.promptIdx === 'number';
}

export function promptfooItems(rows: readonly ResultRow[], map: OutputMap, path: string): ResultItem[] {
  const all = rows.map(({ value, where }) => ({ where, row: value as Record<string, unknown> }));
  const chosen = all.filter(
    ({ row }) =>
      (map.provider === undefined || providerOf(row) === map.provider) &&
      (map.prompt === undefined || labelOf(row) === map.prompt),
  );
  refuseSeveral(
    chosen.map(({ row }) => row),
    path,
  );
  return chosen.map(({ where, row }) => promptfooItem(where, row, map));
}

/** Answers of two models or prompts are no repeats of each other. */
function refuseSeveral(rows: readonly Record<string, unknown>[], path: string): void {
  for (const [key, nameOf] of [
    ['provider', providerOf],
    ['prompt', labelOf],
  ] as const) {
    const names = [...new Set(rows.map(nameOf))];
    if (names.length < 2) continue;
    const some = names.slice(0, 5).map((name) => (name.length > 60 ? `${name.slice(0, 60)}…` : name));
    throw new AssayError(
      'INPUT_INVALID',
      `${path} holds the answers of ${names.length} ${key}s: ${some.join('; ')}`,
      {
        remedy: [{ say: 'Choose one', options: { map: `${key}=${some[0]}` } }],
      },
    );
  }
}

function providerOf({ provider }: Record<string, unknown>): string {
  const id = isRecord(provider) ? (provider.label ?? provider.id) : provider;
  return typeof id === 'string' && id !== '' ? id : 'an unnamed provider';
}

function labelOf({ prompt }: Record<string, unknown>): string {
  const label = isRecord(prompt) ? (prompt.label ?? prompt.raw) : prompt;
  return typeof label === 'string' ? label : '';
}

function promptfooItem(where: string, row: Record<string, unknown>, map: OutputMap): ResultItem {
  const test = isRecord(row.testCase) ? row.testCase : {};
  const vars = { ...(isRecord(test.vars) ? test.vars : {}), ...(isRecord(row.vars) ? row.vars : {}) };
  const metadata = isRecord(test.metadata) ? test.metadata : {};
  const id = map.id === undefined ? undefined : valueAt(row, parsePath(map.id, 'id'));
  const own = [...NAMES.flatMap((key) => [metadata[key], vars[key]]), test.description];
  const response = isRecord(row.response) ? row.response : {};
  const output = response.output ?? row.output;
  const fault = row.error ?? response.error;
  const label = labelOf(row);
  const [latencyMs, costUsd] = [figure(row.latencyMs), figure(row.cost)];
  return {
    where: `${where} test ${Number(row.testIdx) + 1}`,
    names: textsOf(map.id === undefined ? own : [id]),
    texts: textsOf(Object.values(vars)),
    value: map.output === undefined ? output : row,
    // A failed assertion is an error there and an answer here; only what gave no answer failed.
    ...(output === undefined || output === null || output === '' ? { error: noAnswer(where, fault) } : {}),
    facts: {
      model: providerOf(row).slice(0, 200),
      ...(label !== '' && label.length <= 100 && { promptVersion: label }),
      ...(latencyMs !== undefined && { latencyMs }),
      ...(costUsd !== undefined && { costUsd }),
    },
  };
}
