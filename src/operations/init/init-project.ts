import { appendFileSync, existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, extname, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { draftCaseName, type GoldenDraft } from '../../decomposition/golden/draft-case.ts';
import type { GoldenRules } from '../../decomposition/golden-rules.ts';
import { AssayError } from '../../errors.ts';
import { replaceFile } from '../../locked-file.ts';
import type { DraftedTruth } from '../../workflow/draft-truth.ts';
import { draftGoldenCase } from '../decomposition/draft-golden-case.ts';
import type { Ports } from '../ports.ts';
import { draftGroundTruth } from '../workflow/draft-ground-truth.ts';
import { WRITABLE, writeNewFile } from '../write-new-file.ts';
import { inspectFolder, type ProjectFolder } from './inspect-folder.ts';
import { type ProjectSchema, projectSchema } from './project-schemas.ts';

/** Data, so that the server, hooks and agents read it too. */
export const WRITTEN_CONFIG = 'assay.config.yaml';

export type InitRequest = {
  readonly folder: string;
  readonly measured: 'decomposition' | 'workflow' | 'sessions';
  /** The text of a new configuration. */
  readonly config: string;
  /** A text to draft the first golden case from. */
  readonly text?: string;
  /** What a review found, to draft the first ground truth from. */
  readonly review?: string;
  /** The categories of a ground truth. */
  readonly categories?: readonly string[];
  /** The step that CI runs, as a file below the folder. */
  readonly ci?: { readonly path: string; readonly text: string };
  readonly rules?: GoldenRules;
  /** A script for package.json, where there is one. */
  readonly script?: Script;
};

type Script = { readonly name: string; readonly line: string };

export type InitResult = {
  readonly measured: InitRequest['measured'];
  readonly found: ProjectFolder;
  /** Paths from the folder. */
  readonly written: readonly string[];
  /** What was there already, and was left as it is. */
  readonly existing: readonly string[];
  readonly draft?: GoldenDraft;
  readonly truth?: DraftedTruth;
  /** What a first golden case may be made from. */
  readonly first?: { readonly id: string; readonly text: string };
};

/** Writes what a project needs to measure itself. Nothing that is there is written over. */
export async function initProject(request: InitRequest, ports: Ports): Promise<InitResult> {
  const { folder, measured, text, review, config, ci } = request;
  const found = inspectFolder(folder);
  const [written, existing]: [string[], string[]] = [[], []];
  const place = (path: string, content: string) => {
    if (isThere(join(folder, path))) return void existing.push(path);
    writeNewFile(join(folder, path), content);
    written.push(path);
  };
  for (const path of [
    'golden',
    'truth',
    WRITTEN_CONFIG,
    'assay-schemas',
    '.gitignore',
    PACKAGE_FILE,
    ...(ci === undefined ? [] : [ci.path]),
  ])
    refuseLinkOut(folder, path);
  // What may fail comes first: a text that cannot be read leaves nothing behind.
  const schemas = schemasFor(request);
  const draft = text === undefined ? undefined : await draftFrom(text, request, schemas, ports);
  if (draft !== undefined) written.push(relative(folder, draft.path));
  const truth = review === undefined ? undefined : truthFrom(review, request, schemas);
  if (truth !== undefined) written.push(relative(folder, truth.path));
  for (const { copy } of Object.values(schemas)) if (copy !== undefined) place(copy.path, copy.text);
  if (found.config === undefined) place(WRITTEN_CONFIG, config);
  else existing.push(relative(folder, found.config) || basename(found.config));
  if (ci !== undefined) place(ci.path, ci.text);
  (ignoreStore(folder) ? written : existing).push('.gitignore');
  if (request.script !== undefined && found.packageJson)
    (addScript(folder, request.script) ? written : existing).push(PACKAGE_FILE);
  const first = found.text === undefined ? undefined : { id: caseIdOf(found.text), text: found.text };
  return {
    measured,
    found,
    written,
    existing,
    ...(draft && { draft }),
    ...(truth && { truth }),
    ...(first && { first }),
  };
}

type Schemas = { readonly golden?: ProjectSchema; readonly truth?: ProjectSchema };

/** Of what is drafted now, and of what is written by hand later. */
function schemasFor({ folder, measured, text, review, rules }: InitRequest): Schemas {
  const hasGolden = text !== undefined || measured === 'decomposition';
  const hasTruth = review !== undefined || measured === 'workflow';
  return {
    ...(hasGolden && { golden: projectSchema(folder, 'golden-case', rules) }),
    ...(hasTruth && { truth: projectSchema(folder, 'workflow-ground-truth') }),
  };
}

function caseIdOf(text: string): string {
  return draftCaseName(basename(text, extname(text)));
}

/** The path of the first ground truth, named after the review that it is drafted from. */
export function truthPathOf(review: string): string {
  return `truth/${draftCaseName(basename(review, extname(review)))}.yaml`;
}

function truthFrom(
  review: string,
  { folder, categories }: InitRequest,
  { truth: schema }: Schemas,
): DraftedTruth {
  const path = join(folder, truthPathOf(review));
  if (existsSync(path))
    throw new AssayError('USAGE', `there is a ground truth ${truthPathOf(review)} already`, {
      remedy: 'Name another review, or none.',
    });
  return draftGroundTruth({
    truth: path,
    review,
    ...(categories && { categories }),
    ...(schema && { schema: schema.address }),
  });
}

async function draftFrom(
  text: string,
  { folder, rules }: InitRequest,
  { golden: schema }: Schemas,
  ports: Ports,
) {
  const id = caseIdOf(text);
  const golden = join(folder, 'golden');
  if (existsSync(join(golden, `${id}.gold.json`)))
    throw new AssayError('USAGE', `there is a golden case ${id} already`, {
      remedy: 'Name another text, or none.',
    });
  const request = { id, text, golden, ...(rules && { rules }), ...(schema && { schema: schema.address }) };
  return draftGoldenCase(request, ports);
}

const PACKAGE_FILE = 'package.json';

/** Where the project has scripts; false where it is there or the file is none that is understood. */
function addScript(folder: string, { name, line }: Script): boolean {
  const path = join(folder, PACKAGE_FILE);
  const before = readFileSync(path, 'utf8');
  const file = parsedPackage(before);
  if (file === undefined || Object.hasOwn(file.scripts ?? {}, name)) return false;
  const indent = /^[\t ]+(?=")/m.exec(before)?.[0] ?? '  ';
  const scripts = { ...file.scripts, [name]: line };
  const text = JSON.stringify({ ...file, scripts }, null, indent);
  replaceFile(path, before.endsWith('\n') ? `${text}\n` : text);
  return true;
}

function parsedPackage(text: string): { readonly scripts?: Readonly<Record<string, unknown>> } | undefined {
  try {
    // As it was read: what a schema gives back has its keys in another order.
    const json = JSON.parse(text);
    return packageSchema.safeParse(json).success ? json : undefined;
  } catch {
    return undefined;
  }
}

const packageSchema = z.looseObject({ scripts: z.record(z.string(), z.unknown()).optional() });

const STORE_LINE = '.assay/';

/** One line at the end; false when it is there. */
function ignoreStore(folder: string): boolean {
  const path = join(folder, '.gitignore');
  const before = existsSync(path) ? readFileSync(path, 'latin1') : '';
  if (before.split('\n').some((line) => [STORE_LINE, '.assay', '/.assay/', '/.assay'].includes(line.trim())))
    return false;
  const glue = before === '' || before.endsWith('\n') ? '' : '\n';
  // Added, not written anew: what is there need not be UTF-8.
  writeAtEnd(path, `${glue}${STORE_LINE}\n`);
  return true;
}

function writeAtEnd(path: string, text: string): void {
  try {
    appendFileSync(path, text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('OUTPUT_FAILED', `${path} cannot be written: ${why}`, {
      cause,
      remedy: WRITABLE,
    });
  }
}

/** True for a dangling link as well: somebody made it on purpose. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Who made the folder may have made links in it: nothing is written where one leads out of it, or into what is no file. */
function refuseLinkOut(folder: string, path: string): void {
  const root = realpathSync(folder);
  let at = root;
  for (const name of path.split('/')) {
    at = join(at, name);
    const entry = lstatSync(at, { throwIfNoEntry: false });
    if (entry === undefined) return;
    const real = existsSync(at) ? realpathSync(at) : undefined;
    const isInside = real?.startsWith(join(root, sep));
    const isPlain = real !== undefined && (statSync(real).isFile() || statSync(real).isDirectory());
    if (!isInside || !isPlain)
      throw new AssayError(
        'OUTPUT_FAILED',
        `${at} leads out of ${folder} or is no file; nothing was written`,
        {
          remedy: 'Move it away first.',
        },
      );
    at = real;
  }
}
