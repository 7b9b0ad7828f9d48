import { assay } from './assay/importer.ts';
import { codeClimate } from './code-climate/importer.ts';
import type { Importer, RawFile } from './importer.ts';
import { rdjson } from './rdjson/importer.ts';
import { sarif } from './sarif/importer.ts';

/** In the order in which they are asked: the more a format asks of a file, the earlier. */
export const IMPORTERS: readonly Importer[] = [sarif, rdjson, assay, codeClimate];

export function importerOf(file: RawFile): Importer | undefined {
  return IMPORTERS.find((importer) => importer.detect(file));
}
