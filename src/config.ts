/**
 * Every setting, declared once: name, kind, default and effect; each section is a file in `settings/`. The reference in
 * `docs/configuration.md` and the output of `assay config` are generated from here. Precedence: flag, environment (URLs
 * only), file, default.
 */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { type ConfigPlace, findConfigFile, isThere } from './config-files.ts';
import { AssayError } from './errors.ts';
import { evaluateConfig } from './evaluate-config.ts';
import { fileError, readJson, readText } from './files.ts';
import { isTrustedFile } from './own-folder.ts';
import { sayIssue } from './say-issue.ts';
import { alertsSettings } from './settings/alerts.ts';
import { decompositionSettings } from './settings/decomposition.ts';
import { productionSettings } from './settings/production.ts';
import { retentionSettings } from './settings/retention.ts';
import { sessionSettings } from './settings/session.ts';
import { workflowSettings } from './settings/workflow.ts';
import { didYouMean } from './suggest.ts';
import { isTrustedConfig, withoutUntrusted } from './trusted-folders.ts';

/** Names end up in names of folders, which have a longest length, and in lists with commas. */
export const projectName = z
  .string()
  .trim()
  .min(1)
  .regex(/^[^\p{Cc},]{1,100}$/u, 'has 1 to 100 characters and no comma')
  .refine((name) => Buffer.byteLength(name) <= 100, 'has at most 100 bytes');

export const configSchema = z.strictObject({
  project: projectName
    .optional()
    .describe(
      'Of which project the runs, approvals, prompts and experiments of this folder are; tokens of other projects do not see them.',
    ),
  teams: z
    .record(z.string().min(1).max(60), z.array(projectName))
    .default({})
    .describe('Team → its projects, for `assay token create --team`.')
    .meta({ settings: 'one' }),
  store: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Where results are stored: a file path, relative to the configuration file, or `clickhouse://host:8123/assay`. Default: `assay/assay.db` in your data folder. Also --store and ASSAY_STORE.',
    ),
  decomposition: decompositionSettings.prefault({}),
  session: sessionSettings.prefault({}),
  workflow: workflowSettings.prefault({}),
  production: productionSettings.prefault({}),
  retention: retentionSettings.prefault({}),
  alerts: alertsSettings.prefault({}),
});

export type Config = z.output<typeof configSchema>;
export type UserConfig = z.input<typeof configSchema>;

/** For `assay.config.ts`: gives completion and type checks in an editor. */
export function defineConfig(config: UserConfig): UserConfig {
  return config;
}

export type LoadedConfig = {
  readonly config: Config;
  /** The file it came from, if there is one. */
  readonly path?: string;
  /** It is the user's own file, not one of the project. */
  readonly isUsers?: boolean;
  /** The settings that the file names, e.g. `decomposition.overallScale`. */
  readonly named: readonly string[];
  /** Settings that were ignored because this folder is not trusted. */
  readonly untrusted?: readonly string[];
};

export type LoadChoices = Partial<Omit<ConfigPlace, 'folder'>> & {
  /** A path, instead of looking for a file. */
  readonly file?: string | undefined;
};

/** The file that is named, or the nearest one from `folder` upwards, or the user's own. */
export async function loadConfig(
  folder: string,
  { file, env = process.env, dataOnly }: LoadChoices = {},
): Promise<LoadedConfig> {
  const found = file === undefined ? findConfigFile({ folder, env, dataOnly }) : undefined;
  const path = file === undefined ? found?.path : resolve(folder, file);
  if (path === undefined) return { config: configSchema.parse({}), named: [] };
  const isUsers = found?.isUsers === true;
  if (found !== undefined && !isTrustedFile(path, isUsers ? dirname(path) : folder)) throw untrusted(path);
  const written = withoutSchema(await readConfig(path, dataOnly === true));
  const needsTrust = dataOnly === true && found !== undefined && !isUsers && !isTrustedConfig(path, env);
  const { value, skipped } = needsTrust ? withoutUntrusted(written) : { value: written, skipped: [] };
  return { config: parseConfig(value, path), path, isUsers, named: namesIn(value), untrusted: skipped };
}

/** In a folder that all may write to, such as the one for temporary files, anybody can leave a program for others. */
function untrusted(path: string): AssayError {
  return new AssayError('CONFIG_UNREADABLE', `${path} belongs to another user, or others may write to it`, {
    remedy: 'It was not read. If you trust it, name it with --config.',
  });
}

/** For the editor, and no setting. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '$schema')) return value;
  const { $schema: _, ...settings } = value as { readonly $schema?: unknown };
  return settings;
}

/** Far above any hand-written file: validating a large one would delay hooks. */
const MAX_BYTES = 256 * 1024;

async function readConfig(path: string, dataOnly: boolean): Promise<unknown> {
  assertFile(path);
  const isJson = path.endsWith('.json');
  const isYaml = /\.ya?ml$/.test(path);
  if (!isJson && !isYaml) {
    if (!dataOnly) return evaluateConfig(path);
    throw new AssayError(
      'CONFIG_UNREADABLE',
      `${path} is a .ts or .js file, and this command reads only YAML and JSON`,
      {
        remedy: 'Move its settings to assay.config.yaml or assay.config.json.',
      },
    );
  }
  try {
    if (isJson) return readJson(path, MAX_BYTES);
    // Most configurations are no YAML, and its parser takes a moment to load.
    const { parseYaml } = await import('./workflow/ingest/parse-yaml.ts');
    return withoutEmpty(parseYaml(readText(path, MAX_BYTES), path).value) ?? {};
  } catch (cause) {
    if (!(cause instanceof AssayError) || cause.code !== 'INPUT_INVALID') throw cause;
    throw new AssayError('CONFIG_UNREADABLE', cause.message, { cause });
  }
}

/** A name with nothing below it, because everything there is commented out. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? undefined;
  const filled = Object.entries(value).map(([key, inner]) => [key, withoutEmpty(inner)] as const);
  return Object.fromEntries(filled.filter(([, inner]) => inner !== undefined));
}

function assertFile(path: string): void {
  let isFile: boolean;
  try {
    isFile = statSync(path).isFile();
  } catch (cause) {
    if (isThere(path))
      throw new AssayError('FILE_NOT_FOUND', `${path} is a link that leads nowhere`, { cause });
    throw fileError(path, cause);
  }
  if (!isFile) throw new AssayError('FILE_EXPECTED', `${path} is not a file`);
}

/** The settings that were written down, as dotted names. */
function namesIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [path.join('.')];
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .flatMap(([key, inner]) => namesIn(inner, [...path, key]));
}

export function parseConfig(value: unknown, path: string): Config {
  const parsed = safeParse(value, path);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AssayError('CONFIG_INVALID', `${path}: ${issue === undefined ? 'not valid' : sayPlace(issue)}`, {
    cause: parsed.error,
  });
}

/** Reading a value may run code: a getter of the configuration's own. */
function safeParse(value: unknown, path: string): z.ZodSafeParseResult<Config> {
  try {
    return configSchema.safeParse(value, { error: sayIssue });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AssayError('CONFIG_UNREADABLE', `${path} cannot be evaluated: ${why}`, { cause });
  }
}

function sayPlace(issue: z.core.$ZodIssue): string {
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
