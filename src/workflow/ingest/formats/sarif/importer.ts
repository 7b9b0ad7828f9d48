/** SARIF 2.1.0: what analysers report, and ground truths that say what is right as well. */
import { isRecord } from '../../is-record.ts';
import { type RawValue, refuse } from '../../validate.ts';
import type { Importer, RawFile } from '../importer.ts';
import { importSarifRun } from './runs.ts';
import { importSarifTruth } from './truth.ts';

export const sarif: Importer = {
  name: 'sarif',
  title: 'SARIF',
  suffixes: { '.sarif': 'json' },
  cannotCarry: ['workflow', 'task', 'depth', 'concerns', 'labels', 'tokens'],
  detect: (file) =>
    file.kind === 'document' &&
    isRecord(file.document.value) &&
    Object.hasOwn(file.document.value, 'version') &&
    Array.isArray(file.document.value.runs),
  readRuns: (file, options) => importSarifRun(documentOf(file), options),
  truth: { detect: (file) => saysWhatIsRight(documentOf(file).value), read: importSarifTruth },
};

function documentOf(file: RawFile): RawValue {
  if (file.kind === 'document') return file.document;
  throw refuse({ path: file.path, value: undefined }, [], 'is no SARIF document');
}

/** A tool does not report what is right; a ground truth does. */
function saysWhatIsRight(value: unknown): boolean {
  const runs = isRecord(value) && Array.isArray(value.runs) ? value.runs : [];
  const results = runs.flatMap((run: unknown) =>
    isRecord(run) && Array.isArray(run.results) ? run.results : [],
  );
  return results.some((result: unknown) => isRecord(result) && result.kind === 'pass');
}
