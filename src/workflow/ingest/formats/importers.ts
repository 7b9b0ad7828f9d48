import { assay } from './assay.ts';
import { claudePrint } from './claude-print.ts';
import { codeClimate } from './code-climate.ts';
import { codexExec } from './codex-exec.ts';
import { eslint } from './eslint.ts';
import { flatList } from './flat-list.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import type { Importer, RawFile } from './importer.ts';
import { inspectLog } from './inspect-log.ts';
import { instanceScores } from './instance-scores.ts';
import { markdownReview } from './markdown-review.ts';
import { promptfoo } from './promptfoo.ts';
import { rdjson } from './rdjson.ts';
import { sarif } from './sarif.ts';
import { semgrep } from './semgrep.ts';

/** In the order of detection: the stricter formats come first. */
export const IMPORTERS: readonly Importer[] = [
  claudePrint,
  codexExec,
  promptfoo,
  inspectLog,
  sarif,
  semgrep,
  eslint,
  github,
  gitlab,
  rdjson,
  instanceScores,
  codeClimate,
  flatList,
  assay,
  markdownReview,
];

export function importerOf(file: RawFile): Importer | undefined {
  return IMPORTERS.find((importer) => importer.detect(file));
}
