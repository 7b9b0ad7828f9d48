/** Calibrated weights as a file: versioned, with what they were fitted on and what that gained out of fold. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AssayError } from '../../errors.ts';
import { readJson } from '../../files.ts';
import { replaceFile } from '../../locked-file.ts';
import type { Measurement } from '../../measure/metric.ts';
import { readChecked } from '../checked-file.ts';
import { TASK_TYPES } from '../profiles/task-type.ts';
import { SCORER_VERSION } from '../score.ts';
import { shortHash } from '../session-key.ts';
import { CATEGORIES, SIGNALS } from '../signals/catalog.ts';
import type { SessionWeights } from '../weights.ts';
import type { WeightCalibration } from './calibrate.ts';
import type { Figure } from './compare-scores.ts';

const WEIGHTS_FORMAT = 'assay-weights';
const WEIGHTS_VERSION = 1;
const MAX_BYTES = 1024 * 1024;
/** People round what they write by hand. */
const SUM_TOLERANCE = 1e-6;

const weight = z.number().min(0).max(1);
const count = z.number().int().min(0);
const text = z.string().min(1).max(500);

const profileSchema = z
  .strictObject({ completion: weight, execution: weight, efficiency: weight, outcome: weight })
  .refine((profile) => Math.abs(sum(Object.values(profile)) - 1) <= SUM_TOLERANCE, {
    message: 'the four weights must sum to 1',
  });

const signalIds: ReadonlySet<string> = new Set(SIGNALS.map((signal) => signal.id));

const signalsSchema = z
  .record(z.string(), weight)
  .refine((signals) => Object.keys(signals).every((id) => signalIds.has(id)), {
    message: `the signals are ${[...signalIds].join(', ')}`,
  })
  .refine(
    (signals) => CATEGORIES.every((category) => Math.abs(totalOf(category, signals) - 1) <= SUM_TOLERANCE),
    {
      message:
        'the weights of the signals of a category must sum to 1, counting the documented ones for those left out',
    },
  );

const valueSchema = z.strictObject({
  value: z.number().nullable().describe('Null: unmeasured.'),
  low: z.number().nullable(),
  high: z.number().nullable(),
  n: count,
});

const figureSchema = z.strictObject({
  scope: text.describe('all, within sources, or the name of a source.'),
  metric: z.enum(['auc', 'pearson']),
  documented: valueSchema,
  calibrated: valueSchema,
});

const weightsFileSchema = z.strictObject({
  format: z.literal(WEIGHTS_FORMAT),
  version: z.literal(WEIGHTS_VERSION),
  name: z.string().min(1).max(100),
  created: z.iso.datetime(),
  scorerVersion: text.describe('The scorer they were fitted with; with another one they may fit worse.'),
  fittedOn: z.strictObject({
    kind: z.enum(['ratings', 'outcomes']),
    sessions: count,
    sources: count,
    labelsHash: text.describe('Of the labels, so that the same labels can be recognised.'),
    taskTypes: z
      .record(z.string(), count)
      .describe('Task type → labelled sessions, of those that were fitted.'),
  }),
  profiles: z.record(z.enum(TASK_TYPES), profileSchema),
  signals: signalsSchema.optional(),
  crossValidation: z.strictObject({
    method: text,
    folds: count,
    verdict: text,
    gained: z.boolean(),
    gain: z.strictObject({
      value: z.number().nullable(),
      low: z.number().nullable(),
      high: z.number().nullable(),
    }),
    inSample: z.array(figureSchema).max(1000),
    outOfFold: z.array(figureSchema).max(1000),
  }),
});

export type WeightsFile = z.infer<typeof weightsFileSchema>;

/** Why weights may fit worse than the documented ones. */
export type WeightsDoubt =
  | { readonly kind: 'other scorer'; readonly fittedWith: string; readonly scorer: string }
  | { readonly kind: 'no gain'; readonly because: string };

export type Provenance = {
  /** As `Date.toISOString` writes it. */
  readonly created: string;
  readonly labelsHash: string;
};

export function weightsFileOf(
  calibration: WeightCalibration,
  { created, labelsHash }: Provenance,
): WeightsFile {
  const { weights, kind, sessions, sources, types, outOfFold, inSample, verdict, method, folds } =
    calibration;
  const { gain } = outOfFold;
  return {
    format: WEIGHTS_FORMAT,
    version: WEIGHTS_VERSION,
    name: weights.name,
    created,
    scorerVersion: calibration.scorerVersion,
    fittedOn: {
      kind,
      sessions,
      sources,
      labelsHash,
      taskTypes: Object.fromEntries(types.filter((one) => one.fitted).map((one) => [one.taskType, one.n])),
    },
    profiles: weights.profiles,
    ...(weights.signals !== undefined && { signals: { ...weights.signals } }),
    crossValidation: {
      method,
      folds: folds.length,
      verdict: verdict.because,
      gained: verdict.gained,
      gain: {
        value: gain?.value ?? null,
        low: gain?.interval?.low ?? null,
        high: gain?.interval?.high ?? null,
      },
      inSample: inSample.figures.map(writtenFigure),
      outOfFold: outOfFold.figures.map(writtenFigure),
    },
  };
}

/** The same labels in any order have the same hash. */
export function hashLabels(labels: ReadonlyMap<string, number>): string {
  const lines = [...labels].map(([id, label]) => JSON.stringify([id, label])).sort();
  return `sha256:${createHash('sha256').update(lines.join('\n')).digest('hex')}`;
}

export function readWeightsFile(path: string): WeightsFile {
  const json = readJson(path, MAX_BYTES);
  checkKind(json, path);
  return readChecked(path, weightsFileSchema, { json });
}

/** As the scorer takes them, and what speaks against them. */
export function readWeights(path: string): {
  readonly weights: SessionWeights;
  readonly doubts: readonly WeightsDoubt[];
} {
  const file = readWeightsFile(path);
  return { weights: weightsFrom(file), doubts: doubtsOf(file) };
}

/** The name carries a hash of the weights, so that two files of one name are told apart in every row. */
function weightsFrom({ name, profiles, signals }: WeightsFile): SessionWeights {
  const hash = shortHash([profiles, signals ?? {}]);
  return { name: `${name}@${hash}`, profiles, signals };
}

function doubtsOf({ scorerVersion, crossValidation }: WeightsFile): WeightsDoubt[] {
  return [
    ...(scorerVersion === SCORER_VERSION
      ? []
      : [{ kind: 'other scorer' as const, fittedWith: scorerVersion, scorer: SCORER_VERSION }]),
    ...(crossValidation.gained ? [] : [{ kind: 'no gain' as const, because: crossValidation.verdict }]),
  ];
}

/** A half-written file is never seen. */
export function writeWeightsFile(path: string, file: WeightsFile): void {
  replaceFile(path, `${JSON.stringify(weightsFileSchema.parse(file), null, 2)}\n`);
}

/** Another kind of file, or one of a newer version, deserves a better word than the first key that differs. */
function checkKind(json: unknown, path: string): void {
  const { format, version } = (typeof json === 'object' && json !== null ? json : {}) as Record<
    string,
    unknown
  >;
  if (format !== WEIGHTS_FORMAT) {
    throw new AssayError(
      'INPUT_INVALID',
      `${path} is not a weights file (no "format": "${WEIGHTS_FORMAT}")`,
      {
        remedy: [
          {
            say: 'Name a file that a calibration wrote; see how',
            step: { operation: 'sessions calibrate', options: { help: true } },
          },
        ],
      },
    );
  }
  if (typeof version === 'number' && version > WEIGHTS_VERSION) {
    throw new AssayError(
      'INPUT_INVALID',
      `${path} has version ${version}; this Assay knows ${WEIGHTS_VERSION}`,
      {
        remedy: 'Update Assay, or calibrate again with this version.',
      },
    );
  }
}

function writtenFigure({ scope, metric, documented, calibrated }: Figure): z.infer<typeof figureSchema> {
  return {
    scope: scope.slice(0, 500),
    metric,
    documented: written(documented),
    calibrated: written(calibrated),
  };
}

function written(measured: Measurement): z.infer<typeof valueSchema> {
  if (!measured.measured) return { value: null, low: null, high: null, n: 0 };
  const { value, low = null, high = null, n } = measured;
  return { value, low, high, n };
}

function totalOf(category: string, signals: Readonly<Record<string, number>>): number {
  return sum(
    SIGNALS.filter((signal) => signal.category === category).map(({ id, weight }) =>
      Object.hasOwn(signals, id) ? (signals[id] ?? weight) : weight,
    ),
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
