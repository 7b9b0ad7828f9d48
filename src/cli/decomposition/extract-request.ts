import { resolve } from 'node:path';
import type { Vocabulary } from '../../decomposition/golden-rules.ts';
import { AssayError } from '../../errors.ts';
import type { ExtractTextsRequest } from '../../operations/decomposition/extract-texts.ts';
import type { Texts } from '../../operations/decomposition/extraction-tasks.ts';
import type { Arguments, Terminal } from '../command.ts';
import { readSettings } from '../settings.ts';
import { textOf } from '../text-of.ts';
import { namedExtractor } from './extractor-request.ts';
import { repeatOf } from './option-values.ts';

export async function extractRequest(args: Arguments, terminal: Terminal): Promise<ExtractTextsRequest> {
  const repeat = repeatOf(args);
  const { golden } = (await readSettings(args, terminal)).config.decomposition;
  const texts = textsOf(args, terminal, golden);
  const out = textOf(args, 'out');
  if (out !== undefined && texts.from === 'batch')
    throw new AssayError('USAGE', '--batch prints lines; --out is for files and --golden');
  return {
    texts,
    repeat,
    extractor: { ...namedExtractor(args, terminal), predicates: golden.predicates },
    ...(out !== undefined && { out: resolve(terminal.cwd, out) }),
    stdin: process.stdin,
  };
}

function textsOf(args: Arguments, { cwd }: Terminal, vocabulary: Vocabulary): Texts {
  const [batch, golden] = [textOf(args, 'batch'), textOf(args, 'golden')];
  const asked = [args.positionals.length > 0, batch !== undefined, golden !== undefined];
  if (asked.filter(Boolean).length !== 1) {
    throw new AssayError('USAGE', 'name text files, or --batch, or --golden: one of them', {
      remedy: 'E.g. assay decomposition extract notes.txt; - is standard input.',
    });
  }
  const place = (path: string) => (path === '-' ? path : resolve(cwd, path));
  if (batch !== undefined) return { from: 'batch', path: place(batch) };
  if (golden !== undefined) return { from: 'golden', folder: place(golden), vocabulary };
  return { from: 'files', paths: args.positionals.map(place) };
}
