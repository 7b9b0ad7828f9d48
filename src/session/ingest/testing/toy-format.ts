/** A format as small as possible, for tests of everything around formats. */
import type { Emit, LoadedFormat } from '../formats/format.ts';

export type ToyRecord = { toy: string; id?: string; parent?: string; session?: string; tokens?: number };

type ToyState = { said: number };

/** Every record is a reply; its tokens show afterwards which records were counted. */
export const toy: LoadedFormat = {
  name: 'toy',
  oneTells: true,
  title: 'Toy',
  detect: ({ records }) => records.some((record) => isToy(record) || isToyDocument(record)),
  start: () => ({ said: 0 }),
  step: (state, record, line, emit) => stepToy(state as ToyState, record, line, emit),
  elements: (document) => (isToyDocument(document) ? document.toys : [document]),
  entryKey: (record) => (isToy(record) ? record.id : undefined),
  parentKey: (record) => (isToy(record) ? record.parent : undefined),
};

function stepToy(state: ToyState, record: unknown, line: number, emit: Emit): string | undefined {
  if (!isToy(record)) return 'not a toy';
  if (record.toy === 'explode') throw new Error('as a careless reader would');
  state.said += 1;
  const usage = { input: 0, output: record.tokens ?? 0, cacheRead: 0, cacheWrite: 0 };
  const id = record.id === undefined ? {} : { messageId: record.id };
  emit({ kind: 'reply', text: record.toy, model: 'toy', usage, line, ...id }, record.session);
  return undefined;
}

function isToy(record: unknown): record is ToyRecord {
  return typeof record === 'object' && record !== null && 'toy' in record && typeof record.toy === 'string';
}

function isToyDocument(value: unknown): value is { toys: unknown[] } {
  return typeof value === 'object' && value !== null && 'toys' in value && Array.isArray(value.toys);
}
