/**
 * What a tool that writes findings brings: how to recognise its files by what they hold, how they become runs, and what
 * they have no place for. One file per tool, one line in `importers.ts`; nothing outside knows a tool's name.
 */
import type { ReviewRun } from '../../review.ts';
import type { GroundTruth } from '../../truth.ts';
import type { RawValue } from '../fields.ts';
import type { Reading, ValueMaps } from '../mapping.ts';

/** What a file is written in. */
export type Notation = 'json' | 'yaml' | 'jsonl' | 'markdown' | 'evaluation';

/** A file before anybody knows what it holds: one value, one value per line, or plain text. */
export type RawFile =
  | { readonly kind: 'document'; readonly path: string; readonly document: RawValue }
  | { readonly kind: 'lines'; readonly path: string; readonly lines: readonly RawValue[] }
  | { readonly kind: 'text'; readonly path: string; readonly text: string };

export type ImportOptions = {
  /** Names for formats that have none; what our own format says is never replaced. */
  readonly workflow?: string;
  readonly task?: string;
  readonly run?: string;
  readonly model?: string;
  /** What a workflow or a task is called that nothing names; without it that is an error. */
  readonly unnamed?: string;
  readonly maps?: ValueMaps;
};

/** `notes`: what a person should know about the import, e.g. where names come from and what was left out. */
export type ImportedRuns = Reading & { readonly runs: readonly ReviewRun[] };

export type TruthOptions = {
  /** Names for formats that have none. */
  readonly task?: string;
  readonly version?: string;
  readonly maps?: ValueMaps;
};

/** `mappings`: what was translated from another format; empty for our own. */
export type ImportedTruth = Reading & { readonly truth: GroundTruth };

/** What a run or a finding of our own format can say. */
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
  /** What people call the format. */
  readonly title: string;
  /** Ends of file names that only this format has, and what such a file is written in. */
  readonly suffixes?: Readonly<Record<string, Notation>>;
  /** What its files have no place for: it comes from options and file names, or stays unmeasured. */
  readonly cannotCarry: readonly Carried[];
  /** Told by the content, never by the name of the file, unless there is no content. */
  readonly detect: (file: RawFile) => boolean;
  readonly readRuns: (file: RawFile, options: ImportOptions) => ImportedRuns;
  /** Where the format can hold a ground truth as well. */
  readonly truth?: {
    /** Whether this file is one rather than a run. */
    readonly detect: (file: RawFile) => boolean;
    readonly read: (document: RawValue, options: TruthOptions) => ImportedTruth;
  };
};

/** The lines of a file as one value, e.g. a list of them; places in `toLine` begin at that list. */
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
