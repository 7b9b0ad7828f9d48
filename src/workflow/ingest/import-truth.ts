/** A ground truth from any format: our own as JSON, YAML or a Markdown table, and what importers read. */
import type { GroundTruth } from '../truth.ts';
import { kindName, kindOf } from './file-kind.ts';
import type { ImportedTruth, TruthOptions } from './formats/importer.ts';
import { notationOf, readFile } from './read-file.ts';
import { parseMarkdownTruth } from './truth-markdown.ts';
import { checkTruth, TRUTH_REMEDY } from './truth-schema.ts';
import { refuse } from './validate.ts';

export function readTruth(path: string, options?: TruthOptions): GroundTruth {
  return importTruth(path, options).truth;
}

export function importTruth(path: string, options: TruthOptions = {}): ImportedTruth {
  const file = readFile(path);
  if (file.kind === 'text') {
    const { source, notes } = parseMarkdownTruth(file.text, path);
    return { truth: checkTruth(source), format: 'Markdown', mappings: [], notes };
  }
  const document = file.kind === 'document' ? file.document : { path, value: undefined };
  const kind = kindOf(file);
  if (kind === 'truth') {
    const format = notationOf(path).toUpperCase();
    return { truth: checkTruth(document), format, mappings: [], notes: [] };
  }
  if (typeof kind === 'object' && kind.truth !== undefined) return kind.truth.read(document, options);
  throw refuse(document, [], `is no ground truth but ${kindName(kind)}`, TRUTH_REMEDY);
}
