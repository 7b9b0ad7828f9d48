/**
 * Every setting, declared once: name, kind, default and what it does. The reference in `docs/configuration.md` and
 * the output of `assay config` are generated from here. Precedence: flag, environment (URLs only), file, default.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { OVERALL_WEIGHTS } from './decomposition/weights.ts';
import { AssayError } from './errors.ts';
import { readJson } from './files.ts';
import { didYouMean } from './suggest.ts';

const weight = (value: number, what: string) => z.number().min(0).max(1).default(value).describe(what);

const decompositionSchema = z.strictObject({
  overallScale: z
    .enum(['documented', 'attainable'])
    .default('documented')
    .describe(
      'Which overall score the gate uses: `documented` reaches 0.85 at most, `attainable` adds the penalty weight and reaches 1.',
    ),
  weights: z
    .strictObject({
      recall: weight(OVERALL_WEIGHTS.recall, 'Weight of concept recall in the overall score.'),
      precision: weight(OVERALL_WEIGHTS.precision, 'Weight of concept precision.'),
      relationshipAccuracy: weight(OVERALL_WEIGHTS.relationshipAccuracy, 'Weight of relationship accuracy.'),
      provenance: weight(OVERALL_WEIGHTS.provenance, 'Weight of provenance coverage.'),
      hallucinationPenalty: weight(
        OVERALL_WEIGHTS.hallucinationPenalty,
        'Weight subtracted for hallucinated concepts.',
      ),
    })
    .prefault({}),
});

export const configSchema = z.strictObject({
  store: z
    .string()
    .min(1)
    .default('.assay/assay.db')
    .describe(
      'Where results are kept: a file path, relative to the configuration file. Also --store and ASSAY_STORE.',
    ),
  decomposition: decompositionSchema.prefault({}),
});

export type Config = z.output<typeof configSchema>;
export type UserConfig = z.input<typeof configSchema>;

/** For `assay.config.ts`: gives completion and type checks in an editor. */
export function defineConfig(config: UserConfig): UserConfig {
  return config;
}

export const CONFIG_FILES = ['assay.config.ts', 'assay.config.js', 'assay.config.json'] as const;

export type LoadedConfig = {
  readonly config: Config;
  /** The file it came from, if there is one. */
  readonly path?: string;
};

/** The nearest configuration file from `folder` upwards, or the one named. */
export async function loadConfig(folder: string, named?: string): Promise<LoadedConfig> {
  const path = named === undefined ? findConfig(folder) : resolve(folder, named);
  if (path === undefined) return { config: configSchema.parse({}) };
  return { config: parseConfig(await readConfig(path), path), path };
}

function findConfig(folder: string): string | undefined {
  const path = CONFIG_FILES.map((name) => join(folder, name)).find((candidate) => existsSync(candidate));
  if (path !== undefined) return path;
  const parent = dirname(folder);
  return parent === folder ? undefined : findConfig(parent);
}

async function readConfig(path: string): Promise<unknown> {
  if (path.endsWith('.json')) return readJson(path);
  if (!existsSync(path)) throw new AssayError('FILE_NOT_FOUND', `${path} does not exist`);
  try {
    const module: { default?: unknown } = await import(pathToFileURL(path).href);
    if (module.default !== undefined) return module.default;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('CONFIG_UNREADABLE', `${path} cannot be evaluated: ${why}`, { cause });
  }
  throw new AssayError('CONFIG_UNREADABLE', `${path} has no default export`);
}

export function parseConfig(value: unknown, path: string): Config {
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AssayError('CONFIG_INVALID', `${path}: ${issue === undefined ? 'not valid' : sayIssue(issue)}`, {
    cause: parsed.error,
  });
}

function sayIssue(issue: z.core.$ZodIssue): string {
  const place = issue.path.map(String).join('.');
  if (issue.code !== 'unrecognized_keys')
    return `${place === '' ? 'the whole file' : place}: ${issue.message}`;
  const [key = ''] = issue.keys;
  const known = keysAt(configSchema, issue.path);
  return `unknown key "${[place, key].filter(Boolean).join('.')}"${didYouMean(key, known)}`;
}

/** The keys that are allowed at a place of the configuration. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let here: unknown = schema;
  for (const step of path) here = shapeOf(here)?.[String(step)];
  return Object.keys(shapeOf(here) ?? {});
}

function shapeOf(schema: unknown): Record<string, unknown> | undefined {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return shapeOf(schema.unwrap());
  return undefined;
}
