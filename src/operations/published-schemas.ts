/** The JSON Schemas of `docs/formats/`, which are part of the package: what editors and validators read. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AssayError } from '../errors.ts';
import { didYouMean } from '../suggest.ts';

const FOLDER = new URL('../../docs/formats/', import.meta.url);

export const SCHEMA_ENDING = '.schema.json';

/** Files that people and their programs write; all others are what comes out of the product. */
const OF_FILES: readonly string[] = [
  'configuration',
  'golden-case',
  'extraction-output',
  'workflow-ground-truth',
  'workflow-run',
  'workflow-experiment',
  'workflow-mapping',
  'neutral',
];

export type PublishedSchema = {
  readonly name: string;
  readonly title: string;
  /** It describes a file that is written by hand or by another program. */
  readonly isOfFile: boolean;
};

/** Those of files first. */
export function listSchemas(): readonly PublishedSchema[] {
  const names = namesOf();
  const files = OF_FILES.filter((name) => names.includes(name));
  return [...files, ...names.filter((name) => !files.includes(name))].map((name) => ({
    name,
    title: titleOf(readSchema(name)),
    isOfFile: files.includes(name),
  }));
}

/** Its text, as it is published. Only what a listing of the folder names is read. */
export function readSchema(name: string): string {
  const names = namesOf();
  if (!names.includes(name))
    throw new AssayError('NOT_FOUND', `there is no schema "${name}"${didYouMean(name, names)}`, {
      remedy: [{ say: 'See all of them', step: { operation: 'schema' } }],
    });
  return readFileSync(new URL(`${name}${SCHEMA_ENDING}`, FOLDER), 'utf8');
}

function namesOf(): string[] {
  return readdirSync(fileURLToPath(FOLDER))
    .filter((file) => file.endsWith(SCHEMA_ENDING))
    .map((file) => file.slice(0, -SCHEMA_ENDING.length))
    .toSorted();
}

function titleOf(text: string): string {
  const { title, description } = JSON.parse(text) as {
    readonly title?: string;
    readonly description?: string;
  };
  return title ?? description ?? '';
}
