/**
 * Every setting, declared once: name, kind, default and what it does. The reference in `docs/configuration.md` and
 * the output of `assay config` are generated from here. Precedence: flag, environment (URLs only), file, default.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { findConfigFile, isThere } from './config-files.ts';
import { DEFAULT_MATCH_LEVEL, MATCH_LEVELS } from './decomposition/evidence.ts';
import { GOLDEN_RULES } from './decomposition/golden-rules.ts';
import { ALERT_RULES } from './decomposition/production/alert-rules.ts';
import { MIN_CASES, OVERALL_WEIGHTS } from './decomposition/weights.ts';
import { AssayError } from './errors.ts';
import { evaluateConfig } from './evaluate-config.ts';
import { fileError, readJson } from './files.ts';
import { isTrustedFile } from './own-folder.ts';
import { sayIssue } from './say-issue.ts';
import { TASK_TYPES } from './session/profiles/task-type.ts';
import { DOCUMENTED_PROFILES, SIGNAL_WEIGHTS } from './session/weights.ts';
import { DEFAULT_STORE } from './store/open.ts';
import { didYouMean } from './suggest.ts';
import { LINE_TOLERANCE } from './workflow/match/place.ts';
import { CATEGORIES } from './workflow/truth.ts';
import { OES_WEIGHTS } from './workflow/weights.ts';

const weight = (value: number, what: string) => z.number().min(0).max(1).default(value).describe(what);

const count = z.int().min(0).max(1_000_000);

const range = (value: readonly [number, number], what: string) =>
  z
    .tuple([count, count])
    .refine(([least, most]) => least <= most, 'the first number is the least, the second the most')
    .default([...value])
    .describe(what);

const words = (value: readonly string[], what: string) =>
  z
    .array(z.string().trim().min(1).max(100))
    .min(1)
    .max(200)
    .default([...value])
    .describe(what);

/** The line of a metric between 0 and 1. */
const line = z.number().min(-1).max(1);

function sumOf(weights: object): number {
  return Object.values(weights).reduce((sum: number, one) => sum + one, 0);
}

const decompositionSchema = z
  .strictObject({
    model: z
      .string()
      .min(1)
      .default('none')
      .describe(
        'The model that `assay decomposition run --prompt` asks, e.g. `openai/gpt-5-mini`. Also --model.',
      ),
    matchLevel: z
      .enum(MATCH_LEVELS)
      .default(DEFAULT_MATCH_LEVEL)
      .describe(
        'The loosest way of recognising a concept that counts, from strict to loose; `semantic` needs the offline model.',
      ),
    predicateMap: z
      .record(z.string().min(1), z.string().min(1))
      .default({})
      .describe(
        'Predicates of an extractor of your own and what they mean, e.g. `{ "leads to": "CAUSES" }`; other unknown ones are wrong.',
      ),
    map: z
      .strictObject({
        id: z.string().min(1).optional(),
        output: z.string().min(1).optional(),
        concepts: z.string().min(1).optional(),
        quote: z.string().min(1).optional(),
        relationships: z.string().min(1).optional(),
        relationshipQuote: z.string().min(1).optional(),
        provider: z.string().min(1).optional(),
        prompt: z.string().min(1).optional(),
      })
      .meta({ settings: 'one' })
      .default({})
      .describe(
        'How recorded outputs of another shape are read, e.g. `{ concepts: "entities[].name", relationships: "relations[].head/tail/type" }`. Also --map.',
      ),
    overallScale: z
      .enum(['documented', 'attainable'])
      .default('documented')
      .describe(
        'Which overall score the gate uses: `documented` reaches 0.85 at most, `attainable` adds the penalty weight and reaches 1.',
      ),
    golden: z
      .strictObject({
        domains: words(
          GOLDEN_RULES.domains,
          'The domains that golden cases may have, and of which each asks for one.',
        ),
        predicates: words(
          GOLDEN_RULES.predicates,
          'The predicates of golden cases and outputs. All of them have a direction, except RELATES_TO.',
        ),
        minCases: z.int().min(1).default(GOLDEN_RULES.minCases).describe('Golden cases that lint asks for.'),
        concepts: range(GOLDEN_RULES.concepts, 'Expected concepts of a golden case, at least and at most.'),
        withAliases: z
          .int()
          .min(0)
          .default(GOLDEN_RULES.withAliases)
          .describe('Concepts of a case with aliases, at least.'),
        relationships: range(GOLDEN_RULES.relationships, 'Expected relationships of a golden case.'),
        canaries: range(GOLDEN_RULES.canaries, 'Forbidden concepts of a golden case.'),
        forbiddenRelationships: range(
          GOLDEN_RULES.forbiddenRelationships,
          'Forbidden relationships of a golden case.',
        ),
        words: range(GOLDEN_RULES.words, 'Words of the text of a golden case.'),
        paragraphs: range(GOLDEN_RULES.paragraphs, 'Paragraphs of the text of a golden case.'),
      })
      .prefault({}),
    gate: z
      .strictObject({
        lines: z
          .record(
            z.string(),
            z.union([
              line,
              z.strictObject({ fail: line.optional(), target: line.optional(), excellent: line.optional() }),
            ]),
          )
          .default({})
          .describe(
            'Your own lines by metric, e.g. `{ concept_recall: { fail: 0.7, target: 0.8 } }`, or the fail line alone. A metric with a fail line of yours is gated. Also --min and --max.',
          ),
        leaveOut: z
          .array(z.string().min(1))
          .default([])
          .describe(
            'Metrics that the gate and the overall score go without, e.g. `["provenance_coverage"]`; every report says so. Also --leave-out.',
          ),
        minCases: z
          .int()
          .min(1)
          .default(MIN_CASES)
          .describe('Fewer golden cases are inconclusive. Also --min-cases.'),
      })
      .prefault({}),
    caseFailures: z
      .enum(['warn', 'block'])
      .default('warn')
      .describe('What a case with a metric in the fail zone does to a run that passes as a whole.'),
    weights: z
      .strictObject({
        recall: weight(OVERALL_WEIGHTS.recall, 'Weight of concept recall in the overall score.'),
        precision: weight(OVERALL_WEIGHTS.precision, 'Weight of concept precision.'),
        relationshipAccuracy: weight(
          OVERALL_WEIGHTS.relationshipAccuracy,
          'Weight of relationship accuracy.',
        ),
        provenance: weight(OVERALL_WEIGHTS.provenance, 'Weight of provenance coverage.'),
        hallucinationPenalty: weight(
          OVERALL_WEIGHTS.hallucinationPenalty,
          'Weight subtracted for hallucinated concepts.',
        ),
      })
      .refine((weights) => Math.abs(sumOf(weights) - 1) <= 1e-9, {
        error: ({ input }) =>
          `the five weights must sum to 1; these sum to ${Number(sumOf(input as object).toPrecision(12))}`,
      })
      .prefault({}),
  })
  .superRefine(({ predicateMap, golden }, context) => {
    for (const [given, meant] of Object.entries(predicateMap)) {
      if (golden.predicates.includes(meant)) continue;
      const message = `"${meant}" is no predicate; it is one of ${golden.predicates.join(', ')}`;
      context.addIssue({ code: 'custom', path: ['predicateMap', given], message });
    }
  });

/** People round what they write by hand. */
const SUM_TOLERANCE = 1e-6;

/** Weights that count only together; those not named are the documented ones. */
function weightsTogether<T extends Readonly<Record<string, number>>>(documented: T, what: string) {
  const shape = Object.fromEntries(
    Object.entries(documented).map(([name, value]) => [name, z.number().min(0).max(1).default(value)]),
  ) as { [K in keyof T]: z.ZodDefault<z.ZodNumber> };
  return z
    .strictObject(shape)
    .refine((weights) => Math.abs(sumOf(weights) - 1) <= SUM_TOLERANCE, {
      error: ({ input }) =>
        `the weights must sum to 1, the documented ones of those left out included; these sum to ${Number(sumOf(input as object).toPrecision(6))}`,
    })
    .meta({ settings: 'one' })
    .prefault({} as never)
    .describe(what);
}

const sessionSchema = z.strictObject({
  weights: z
    .strictObject({
      coding: weightsTogether(DOCUMENTED_PROFILES.coding, 'What each category counts in Q of coding.'),
      operations: weightsTogether(DOCUMENTED_PROFILES.operations, 'The same of operations.'),
      research: weightsTogether(DOCUMENTED_PROFILES.research, 'The same of research.'),
      chat: weightsTogether(DOCUMENTED_PROFILES.chat, 'The same of chat.'),
      discovery: weightsTogether(DOCUMENTED_PROFILES.discovery, 'The same of discovery.'),
      heartbeat: weightsTogether(DOCUMENTED_PROFILES.heartbeat, 'The same of heartbeats.'),
    })
    .prefault({}),
  signalWeights: z
    .strictObject({
      completion: weightsTogether(SIGNAL_WEIGHTS.completion, 'What each signal counts in its category.'),
      execution: weightsTogether(SIGNAL_WEIGHTS.execution, 'The same of execution.'),
      efficiency: weightsTogether(SIGNAL_WEIGHTS.efficiency, 'The same of efficiency.'),
      outcome: weightsTogether(SIGNAL_WEIGHTS.outcome, 'The same of outcome.'),
    })
    .prefault({}),
  taskTypes: z
    .record(z.string(), z.enum(TASK_TYPES))
    .default({})
    .describe(
      'Task type of an agent or source whose sessions you know, e.g. `{ "release-bot": "operations" }`.',
    ),
  flagBelow: z
    .number()
    .min(0)
    .max(1)
    .default(0.4)
    .describe('Sessions with a lower Q are flagged. Also --below.'),
  silenceMinutes: z
    .number()
    .positive()
    .max(100_000)
    .default(15)
    .describe(
      'A session that is followed while its agent is at work has ended when nothing came for so long. Also --silence.',
    ),
  spoolDays: z
    .number()
    .positive()
    .max(100_000)
    .default(7)
    .describe(
      'What `assay serve` received of a session, with the words in it, is kept on the disk for so many days after the last of it came; the score stays.',
    ),
  spoolMegabytes: z
    .number()
    .positive()
    .max(1e9)
    .default(4000)
    .describe(
      'All that `assay serve` received may take so much of the disk; more is refused until there is room.',
    ),
  webhook: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .default('')
    .describe('Where `assay serve` sends an event when a session has ended: an address, or nothing.'),
  webhookSecret: z
    .string()
    .regex(/^[A-Za-z_]\w*$/)
    .default('ASSAY_WEBHOOK_SECRET')
    .describe('The environment variable with the secret that these events are signed with.'),
  evaluations: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .default('')
    .describe(
      'An OpenTelemetry collector (OTLP over HTTP, e.g. `http://127.0.0.1:4318`) that is sent each score as `gen_ai.evaluation.result`.',
    ),
  langfuse: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .default('')
    .describe(
      'A Langfuse (e.g. `https://cloud.langfuse.com`) that `assay serve` gives the scores of each session that has ended. Its keys are in LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY.',
    ),
  phoenix: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .default('')
    .describe(
      'A Phoenix (e.g. `http://127.0.0.1:6006`) that is given the same as annotations. Its key, where it asks for one, is in PHOENIX_API_KEY.',
    ),
});

const workflowSchema = z.strictObject({
  minimums: z
    .record(z.string().min(1), z.number())
    .default({})
    .describe(
      'The least that `assay workflow score` asks of a metric, e.g. `{ dr: 60, precision: 0.7 }`; below it the gate blocks. Also --min.',
    ),
  weights: weightsTogether(
    OES_WEIGHTS,
    'What each part counts in the overall effectiveness (OES). Also --oes wds=0.6,precision=0.4.',
  ),
  minErrors: z
    .int()
    .min(0)
    .default(0)
    .describe('Lint warns about a ground truth with fewer errors. Also --min-errors.'),
  categories: words(
    CATEGORIES,
    'The categories that `assay workflow new` writes into a ground truth, which declares its own.',
  ),
  lineTolerance: z
    .int()
    .min(0)
    .max(9999)
    .default(LINE_TOLERANCE)
    .describe(
      'How many lines a finding may lie beside an error and still be about it in part; part of the version of the matcher. Also --line-tolerance.',
    ),
});

const days = z.number().positive().max(100_000);

const productionSchema = z.strictObject({
  sampleRate: z
    .number()
    .min(0)
    .max(1)
    .default(0.05)
    .describe(
      'Of the requests that `assay serve` is told of, about this share is drawn for a closer look, rare kinds more often. What `monitor()` sends is drawn where it runs.',
    ),
  seed: z.int().min(0).max(4294967295).default(1).describe('The same seed draws the same requests.'),
  keepText: z
    .boolean()
    .default(false)
    .describe('Texts and outputs of the sampled requests are kept where they are sent, keys masked.'),
  textDays: days.default(30).describe('They are deleted after so many days.'),
  recordDays: days
    .default(400)
    .describe('Requests are deleted after so many days; their sums by hour and by day stay.'),
});

const kept = (what: string, by: 'forever' | number = 'forever') =>
  z
    .union([z.literal('forever'), days])
    .default(by)
    .describe(what);

const retentionSchema = z.strictObject({
  sessions: kept(
    'For how many days sessions are kept after their start, or `forever`. `assay serve` deletes what is older, every hour; so does `assay store prune --yes`.',
  ),
  runs: kept('The same of runs with their cases.'),
  ratings: kept('The same of ratings.'),
  approvals: kept('The same of approvals.'),
  alerts: kept('The same of alerts with what became of them.'),
  feedback: kept('The same of feedback.'),
  audit: kept('The same of the audit log: who wrote, approved or was refused what.', 400),
  deliveries: kept('The same of what was told elsewhere; a running server forgets it after 30 days.'),
});

const variable = (what: string) =>
  z.union([z.literal(''), z.string().regex(/^[A-Za-z_]\w*$/)]).describe(what);

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 22:00');

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** Of which kind of value a line is, by the name of its rule. */
const ALERT_UNITS = new Map<string, string>(ALERT_RULES.map(({ id, unit }) => [id, unit]));

function alertLineFault(rule: string, line: number | undefined): string | undefined {
  const isShare = ['share', 'score'].includes(ALERT_UNITS.get(rule) ?? '');
  if (line === undefined || line < 0 || !isShare || line <= 1) return undefined;
  return `the line of ${rule} lies from 0 to 1, not at ${line}; for ${line} percent write ${line / 100}`;
}

const alertsSchema = z.strictObject({
  rules: z
    .partialRecord(
      z.enum(ALERT_RULES.map(({ id }) => id)),
      z.strictObject({
        line: z.number().min(0).optional(),
        minutes: z.int().min(1).max(43_200).optional(),
        minimum: z.int().min(1).max(1_000_000).optional(),
        off: z.boolean().optional(),
      }),
    )
    .superRefine((rules, { addIssue }) => {
      for (const [rule, own] of Object.entries(rules)) {
        const message = alertLineFault(rule, own?.line);
        if (message !== undefined) addIssue({ code: 'custom', path: [rule, 'line'], message });
      }
    })
    .default({})
    .describe(
      'Rules of production with a line, a window (minutes) or a least number of requests of your own, or none: e.g. `{ "latency-high": { line: 8000 }, "cost-high": { off: true } }`.',
    ),
  narrowed: z
    .array(
      z
        .strictObject({
          rule: z.enum(ALERT_RULES.map(({ id }) => id)),
          promptVersion: z.string().min(1).max(200).optional(),
          model: z.string().min(1).max(200).optional(),
          line: z.number().min(0).optional(),
          minutes: z.int().min(1).max(43_200).optional(),
          minimum: z.int().min(1).max(1_000_000).optional(),
        })
        .refine(
          ({ promptVersion, model }) => promptVersion !== undefined || model !== undefined,
          'a narrowed rule names a promptVersion, a model or both',
        )
        .superRefine(({ rule, line: own }, { addIssue }) => {
          const message = alertLineFault(rule, own);
          if (message !== undefined) addIssue({ code: 'custom', path: ['line'], message });
        }),
    )
    .max(50)
    .default([])
    .describe(
      'The same rules once more, for the requests of a prompt version or a model alone: e.g. `[{ rule: "latency-high", promptVersion: "v2", line: 8000 }]`. What is not said is as that of the whole service.',
    ),
  webhook: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .default('')
    .describe('Where an event is sent when an alert fires or is resolved: an address, or nothing.'),
  webhookSecret: variable(
    'The environment variable with the secret that these events are signed with.',
  ).default('ASSAY_WEBHOOK_SECRET'),
  slack: variable(
    'The environment variable with the address of an incoming webhook of Slack, or of one that takes the same; or nothing.',
  ).default(''),
  email: z
    .strictObject({
      to: z
        .array(z.email())
        .max(50)
        .default([])
        .describe('Who gets a mail when an alert fires or is resolved.'),
      from: z.string().min(1).max(200).default('assay@localhost').describe('Whom these mails come from.'),
      smtp: variable(
        'The environment variable with the address of the mail server, e.g. `smtp://name:password@mail.example:587`.',
      ).default('ASSAY_SMTP_URL'),
    })
    .prefault({}),
  quiet: z
    .array(
      z.strictObject({
        from: clock,
        until: clock,
        days: z.array(z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])).optional(),
        timeZone: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Paris').default('UTC'),
        critical: z.boolean().default(false),
      }),
    )
    .max(50)
    .default([])
    .describe(
      'When nobody is told of an alert, e.g. `[{ from: "22:00", until: "07:00", timeZone: "Europe/Paris" }]`; what is still open afterwards is told then. Critical ones are told all the same, unless `critical` is true.',
    ),
});

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
    .default(DEFAULT_STORE)
    .describe(
      'Where results are kept: a file path, relative to the configuration file, or `clickhouse://host:8123/assay`. Also --store and ASSAY_STORE.',
    ),
  decomposition: decompositionSchema.prefault({}),
  session: sessionSchema.prefault({}),
  workflow: workflowSchema.prefault({}),
  production: productionSchema.prefault({}),
  retention: retentionSchema.prefault({}),
  alerts: alertsSchema.prefault({}),
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
  /** The settings that the file names, e.g. `decomposition.overallScale`. */
  readonly named: readonly string[];
};

/** The nearest configuration file from `folder` upwards, or the one named. */
export async function loadConfig(folder: string, named?: string): Promise<LoadedConfig> {
  const path = named === undefined ? findConfigFile(folder) : resolve(folder, named);
  if (path === undefined) return { config: configSchema.parse({}), named: [] };
  if (named === undefined && !isTrustedFile(path, folder)) throw untrusted(path);
  const value = withoutSchema(await readConfig(path));
  return { config: parseConfig(value, path), path, named: namesIn(value) };
}

/** In a folder that all may write to, such as the one for temporary files, anybody can leave a program for others. */
function untrusted(path: string): AssayError {
  return new AssayError('CONFIG_UNREADABLE', `${path} belongs to somebody else, or others may write to it`, {
    remedy: 'It was not read. If you trust it, name it with --config.',
  });
}

/** For the editor, and no setting. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '$schema')) return value;
  const { $schema: _, ...settings } = value as { readonly $schema?: unknown };
  return settings;
}

async function readConfig(path: string): Promise<unknown> {
  assertFile(path);
  if (!path.endsWith('.json')) return evaluateConfig(path);
  try {
    return readJson(path);
  } catch (cause) {
    if (!(cause instanceof AssayError) || cause.code !== 'INPUT_INVALID') throw cause;
    throw new AssayError('CONFIG_UNREADABLE', cause.message, { cause });
  }
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
