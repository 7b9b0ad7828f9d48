/** A ground truth from any format: JSON, YAML, a Markdown table, SARIF. */
import { readText } from '../../files.ts';
import type { GroundTruth } from '../truth.ts';
import { kindOf } from './kind.ts';
import type { Mapping, ValueMaps } from './mapping.ts';
import { notationOf, readSource } from './source.ts';
import { parseMarkdownTruth } from './truth-markdown.ts';
import { importSarifTruth } from './truth-sarif.ts';
import { checkTruth, TRUTH_REMEDY } from './truth-schema.ts';
import { refuse } from './validate.ts';

export type TruthOptions = {
  /** Names for formats that have none. */
  readonly task?: string;
  readonly version?: string;
  readonly maps?: ValueMaps;
};

export type ImportedTruth = {
  readonly truth: GroundTruth;
  readonly format: string;
  /** What was translated from another format; empty for our own. */
  readonly mappings: readonly Mapping[];
  /** What a person should know about the import: names that were chosen, places that were not clear. */
  readonly notes: readonly string[];
};

export function readTruth(path: string, options?: TruthOptions): GroundTruth {
  return importTruth(path, options).truth;
}

export function importTruth(path: string, options: TruthOptions = {}): ImportedTruth {
  if (notationOf(path) === 'markdown') {
    const { source, notes } = parseMarkdownTruth(readText(path), path);
    return { truth: checkTruth(source), format: 'Markdown', mappings: [], notes };
  }
  const source = readSource(path);
  switch (kindOf(source)) {
    case 'sarif':
      return importSarifTruth(source, options);
    case 'truth':
      return { truth: checkTruth(source), format: notationOf(path).toUpperCase(), mappings: [], notes: [] };
    default:
      throw refuse(
        source,
        [],
        `is no ground truth but ${kindOf(source) ?? 'something unknown'}`,
        TRUTH_REMEDY,
      );
  }
}
