/** What the commands that score reviews have in common. */
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { AssayError } from '../../errors.ts';
import { didYouMean } from '../../suggest.ts';
import type { ValueMaps } from '../../workflow/ingest/mapping.ts';
import { readDocuments } from '../../workflow/ingest/read-documents.ts';
import { readMapping } from '../../workflow/ingest/read-mapping.ts';
import { OES_COMPONENTS, type OesComponent } from '../../workflow/weights.ts';
import type { Arguments, Options } from '../command.ts';

export const REVIEW_OPTIONS: Options = {
  truth: {
    type: 'string',
    value: 'FILE',
    doc: 'The ground truth: JSON, YAML, Markdown, or what another tool writes',
  },
  documents: { type: 'string', value: 'DIR', doc: 'The reviewed documents; quotes are looked up in them' },
  mapping: { type: 'string', value: 'FILE', doc: 'Severities and categories of other tools (JSON or YAML)' },
  oes: {
    type: 'string',
    value: 'PARTS',
    doc: `The parts of the overall effectiveness, e.g. wds,precision (default: ${OES_COMPONENTS.join(',')})`,
  },
};

export function textOf({ values }: Arguments, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** Paths as they were typed, also where no shell has expanded a pattern. */
export function expand(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    if (!/[*?{]/.test(pattern)) return [pattern];
    const paths = globSync(pattern).sort();
    if (paths.length === 0) throw new AssayError('FILE_NOT_FOUND', `no file fits ${pattern}`);
    return paths;
  });
}

export function documentsOption(args: Arguments): { readonly documents?: ReadonlyMap<string, string> } {
  const folder = textOf(args, 'documents');
  return folder === undefined ? {} : { documents: readDocuments(resolve(folder)) };
}

export function mapsOption(args: Arguments): { readonly maps?: ValueMaps } {
  const file = textOf(args, 'mapping');
  return file === undefined ? {} : { maps: readMapping(file) };
}

export function oesOption(args: Arguments): readonly OesComponent[] {
  const text = textOf(args, 'oes');
  if (text === undefined) return OES_COMPONENTS;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !OES_COMPONENTS.some((one) => one === name));
  if (unknown !== undefined) {
    throw new AssayError(
      'USAGE',
      `--oes takes ${OES_COMPONENTS.join(', ')}, not "${unknown}"${didYouMean(unknown, OES_COMPONENTS)}`,
    );
  }
  return names as OesComponent[];
}
