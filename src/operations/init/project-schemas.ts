import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GOLDEN_RULES, type Vocabulary } from '../../decomposition/golden-rules.ts';
import { goldenJsonSchema } from '../../decomposition/ingest/json-schemas.ts';
import { readSchema } from '../published-schemas.ts';
import { schemaAddress, schemaCopyOf } from '../schema-address.ts';

const FOLDERS = { 'golden-case': 'golden', 'workflow-ground-truth': 'truth' } as const;

export type ProjectSchema = {
  /** From the files that it describes. */
  readonly address: string;
  /** What has to be written for that address to lead somewhere, from the folder of the project. */
  readonly copy?: { readonly path: string; readonly text: string };
};

/** The schema of one kind of file: that of the package where the project has it, else a copy. */
export function projectSchema(
  folder: string,
  name: keyof typeof FOLDERS,
  vocabulary: Vocabulary = GOLDEN_RULES,
): ProjectSchema {
  const path = schemaCopyOf(name);
  const known = schemaAddress(join(folder, FOLDERS[name], 'any'), name);
  const isOwn = name === 'golden-case' && !isDocumented(vocabulary);
  // The package's schema would mark the project's own terms as wrong.
  const needsCopy = known === undefined || (isOwn && !existsSync(join(folder, path)));
  if (!needsCopy) return { address: known };
  const text = isOwn ? `${JSON.stringify(goldenJsonSchema(vocabulary), null, 2)}\n` : readSchema(name);
  return { address: `../${path}`, copy: { path, text } };
}

function isDocumented({ domains, predicates }: Vocabulary): boolean {
  const words = (one: Vocabulary) => JSON.stringify([one.domains.toSorted(), one.predicates.toSorted()]);
  return words({ domains, predicates }) === words(GOLDEN_RULES);
}
