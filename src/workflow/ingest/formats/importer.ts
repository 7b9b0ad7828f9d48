/**
 * What an importer for one tool's findings provides: how to recognise its files by content, how to convert them into
 * runs, and which fields the format lacks. One file per tool and one line in `importers.ts`; no other code knows a
 * tool's name.
 */
import type { ReviewRun } from '../../review.ts';
import type { GroundTruth } from '../../truth.ts';
import type { RawValue } from '../fields.ts';
import type { Reading, ValueMaps } from '../mapping.ts';

/** The syntax of a file. */
export type Notation = 'json' | 'yaml' | 'jsonl' | 'markdown' | 'evaluation';

/** A file before its format is detected: one value, one value per line, or plain text. */
export type RawFile =
  | { readonly kind: 'document'; readonly path: string; readonly document: RawValue }
  | { readonly kind: 'lines'; readonly path: string; readonly lines: readonly RawValue[] }
  | { readonly kind: 'text'; readonly path: string; readonly text: string };

export type ImportOptions = {
  /** Names for formats without names; names in Assay's own format are never replaced. */
  readonly workflow?: string;
  readonly task?: string;
  readonly run?: string;
  readonly model?: string;
  /** Fallback name for an unnamed workflow or task; without it, a missing name is an error. */
  readonly unnamed?: string;
  readonly maps?: ValueMaps;
};

/** `notes`: what the user should know about the import, e.g. where names come from and what was skipped. */
export type ImportedRuns = Reading & { readonly runs: readonly ReviewRun[] };

export type TruthOptions = {
  /** Names for formats without names. */
  readonly task?: string;
  readonly version?: string;
  readonly maps?: ValueMaps;
};

/** `mappings`: translations from another format; empty for Assay's own. */
export type ImportedTruth = Reading & { readonly truth: GroundTruth };

/** The fields of a run or finding in Assay's own format. */
type Carried =
  | 'workflow'
  | 'task'
  | 'category'
  | 'severity'
  | 'depth'
  | 'concerns'
  | 'lines'
  | 'quote'
  | 'labels'
  | 'tokens';

export type Importer = {
  /** The name of its file. */
  readonly name: string;
  /** The common name of the format. */
  readonly title: string;
  /** File name suffixes that only this format uses, and their syntax. */
  readonly suffixes?: Readonly<Record<string, Notation>>;
  /** Fields the format lacks: they come from options and file names, or stay unmeasured. */
  readonly cannotCarry: readonly Carried[];
  /** Detection uses the content; it uses the file name only if the file is empty. */
  readonly detect: (file: RawFile) => boolean;
  readonly readRuns: (file: RawFile, options: ImportOptions) => ImportedRuns;
  /** Present if the format can also hold a ground truth. */
  readonly truth?: {
    /** Whether this file is a ground truth rather than a run. */
    readonly detect: (file: RawFile) => boolean;
    readonly read: (document: RawValue, options: TruthOptions) => ImportedTruth;
  };
};

/** The lines of a file as one list; places in `toLine` are relative to that list. */
export function linesAsOne(
  { path, lines }: Extract<RawFile, { kind: 'lines' }>,
  wrap: (values: readonly unknown[]) => unknown,
  depth = 0,
): RawValue {
  return {
    path,
    value: wrap(lines.map(({ value }) => value)),
    lineOf: (place) => lines[Number(place[depth])]?.lineOf?.([]),
  };
}
