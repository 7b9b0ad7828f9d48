/** Imports runs and ground truths from any format, detected by content. */
import type { ReviewRun } from '../review.ts';
import type { GroundTruth } from '../truth.ts';
import { isRecord, refuse } from './fields.ts';
import type {
  ImportedRuns,
  ImportedTruth,
  Importer,
  ImportOptions,
  RawFile,
  TruthOptions,
} from './formats/importer.ts';
import { importerOf } from './formats/importers.ts';
import { readFile } from './read-file.ts';
import { RUN_REMEDY } from './run-schema.ts';
import { parseMarkdownTruth } from './truth-markdown.ts';
import { checkTruth, TRUTH_REMEDY } from './truth-schema.ts';

/** Reads one file, which may contain several runs. */
export function readRun(path: string, options?: ImportOptions): readonly ReviewRun[] {
  return importRuns(path, options).runs;
}

export function importRuns(path: string, options: ImportOptions = {}): ImportedRuns {
  const file = readFile(path);
  const kind = kindOf(file);
  if (typeof kind === 'object') return kind.readRuns(file, options);
  if (file.kind === 'lines')
    throw refuse(file.lines[0] ?? { path, value: undefined }, [], 'does not begin with a run', RUN_REMEDY);
  const whole = file.kind === 'document' ? file.document : { path, value: undefined };
  throw refuse(whole, [], `is no run of a review but ${kindName(kind)}`, RUN_REMEDY);
}

/**
 * Reads a ground truth in any format: Assay's own as JSON, YAML or a Markdown table, or one that an importer supports.
 */

export function readTruth(path: string, options?: TruthOptions): GroundTruth {
  return importTruth(path, options).truth;
}

export function importTruth(path: string, options: TruthOptions = {}): ImportedTruth {
  const file = readFile(path);
  if (file.kind === 'text') {
    const { source, notes } = parseMarkdownTruth(file.text, path);
    return { truth: checkTruth(source), mappings: [], notes };
  }
  const document = file.kind === 'document' ? file.document : { path, value: undefined };
  const kind = kindOf(file);
  if (kind === 'truth') return { truth: checkTruth(document), mappings: [], notes: [] };
  if (typeof kind === 'object' && kind.truth !== undefined) return kind.truth.read(document, options);
  throw refuse(document, [], `is no ground truth but ${kindName(kind)}`, TRUTH_REMEDY);
}

/** What a file contains: a ground truth or an experiment in Assay's format, or a format of an importer. */
export type Kind = 'truth' | 'experiment' | Importer;

/** Detected by the keys of the content, never by the file name. */
export function kindOf(file: RawFile): Kind | undefined {
  const importer = importerOf(file);
  if (importer !== undefined) return importer;
  const value = file.kind === 'document' ? file.document.value : undefined;
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, 'tasks')) return 'experiment';
  return Object.hasOwn(value, 'errors') || Object.hasOwn(value, 'traps') ? 'truth' : undefined;
}

function kindName(kind: Kind | undefined): string {
  if (kind === undefined) return 'something unknown';
  if (typeof kind === 'object') return `a run (${kind.title})`;
  return kind === 'truth' ? 'a ground truth' : 'an experiment';
}
