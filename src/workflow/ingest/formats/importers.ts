import { assay } from './assay/importer.ts';
import { codeClimate } from './code-climate/importer.ts';
import { eslint } from './eslint/importer.ts';
import { github } from './github/importer.ts';
import { gitlab } from './gitlab/importer.ts';
import type { Importer, RawFile } from './importer.ts';
import { inspectLog } from './inspect-log/importer.ts';
import { instanceScores } from './instance-scores/importer.ts';
import { markdownReview } from './markdown-review/importer.ts';
import { promptfoo } from './promptfoo/importer.ts';
import { rdjson } from './rdjson/importer.ts';
import { sarif } from './sarif/importer.ts';
import { semgrep } from './semgrep/importer.ts';

/** In the order in which they are asked: the more a format asks of a file, the earlier. */
export const IMPORTERS: readonly Importer[] = [
  promptfoo,
  inspectLog,
  sarif,
  semgrep,
  eslint,
  github,
  gitlab,
  rdjson,
  instanceScores,
  assay,
  codeClimate,
  markdownReview,
];

export function importerOf(file: RawFile): Importer | undefined {
  return IMPORTERS.find((importer) => importer.detect(file));
}
