import { basename, extname } from 'node:path';
import { stringify } from 'yaml';
import { AssayError } from '../../errors.ts';
import { type DraftedTruth, draftTruth } from '../../workflow/draft-truth.ts';
import { importRuns } from '../../workflow/ingest/import-file.ts';
import { checkTruth } from '../../workflow/ingest/truth-schema.ts';
import { CATEGORIES } from '../../workflow/truth.ts';
import { schemaAddress } from '../schema-address.ts';
import { writeNewFile } from '../write-new-file.ts';

export type DraftGroundTruthRequest = {
  /** The file to write: YAML or JSON. */
  readonly truth: string;
  /** The findings of one review, in any format that can be read as a run. */
  readonly review: string;
  /** The name of the task; default: that of the review. */
  readonly task?: string;
  readonly categories?: readonly string[];
  /** URL or path of the ground truth schema for editors; default: that of the project. */
  readonly schema?: string;
};

/** Drafts a ground truth from a review and writes the requested file. */
export function draftGroundTruth(request: DraftGroundTruthRequest): DraftedTruth {
  const { truth: path, review, categories = CATEGORIES } = request;
  const kind = extname(path).toLowerCase();
  if (!['.yaml', '.yml', '.json'].includes(kind))
    throw new AssayError('USAGE', `${path}: a ground truth is drafted as YAML or JSON`, {
      remedy: 'Let its name end in .yaml.',
    });
  const named = basename(path, extname(path));
  const { runs } = importRuns(review, { unnamed: named });
  const task = request.task ?? runs[0]?.task ?? named;
  const { truth, guessed } = draftTruth(runs, task, categories);
  if (truth.errors.length === 0)
    throw new AssayError('INPUT_INVALID', `${review} reports nothing, so there is nothing to propose`);
  // Never write a file that Assay could not read again.
  checkTruth({ path, value: truth });
  const $schema = request.schema ?? schemaAddress(path, 'workflow-ground-truth');
  writeNewFile(
    path,
    kind === '.json'
      ? `${JSON.stringify({ $schema, ...truth }, null, 2)}\n`
      : `${schemaLine($schema)}${stringify(truth, { lineWidth: 0 })}`,
  );
  return { path, review, truth, guessed };
}

/** The comment that the YAML language server expects. */
function schemaLine(address: string | undefined): string {
  return address === undefined ? '' : `# yaml-language-server: $schema=${address}\n`;
}
