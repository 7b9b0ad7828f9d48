import type { Importer, RawFile } from './formats/importer.ts';
import { importerOf } from './formats/importers.ts';
import { isRecord } from './is-record.ts';

/** What a file holds: a ground truth or an experiment of our own, or what one of the importers reads. */
export type Kind = 'truth' | 'experiment' | Importer;

/** Told by the keys of the content, never by the name of the file. */
export function kindOf(file: RawFile): Kind | undefined {
  const importer = importerOf(file);
  if (importer !== undefined) return importer;
  const value = file.kind === 'document' ? file.document.value : undefined;
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, 'tasks')) return 'experiment';
  return Object.hasOwn(value, 'errors') || Object.hasOwn(value, 'traps') ? 'truth' : undefined;
}

export function kindName(kind: Kind | undefined): string {
  if (kind === undefined) return 'something unknown';
  if (typeof kind === 'object') return `a run (${kind.title})`;
  return kind === 'truth' ? 'a ground truth' : 'an experiment';
}
