import { z } from 'zod';
import type { BiasCheck } from '../../workflow/blind/bias-check.ts';
import { from } from '../wire.ts';
import { head, measurement } from './parts.ts';
import { label, severity } from './workflow.ts';

const location = z.object({
  file: z.string().optional(),
  section: z.string().optional(),
  lines: z.array(z.number()).optional(),
});

const finding = location.safeExtend({
  id: z.string(),
  title: z.string(),
  description: z.string().optional(),
  category: z.string().optional(),
  severity: severity.optional(),
  depth: z.string().optional(),
  quote: z.string().optional(),
});

const statement = z.object({ id: z.string(), severity, category: z.string(), description: z.string() });

const assessment = z.object({
  finding: z.string(),
  judgement: z.enum(['ERROR', 'NO_ERROR', 'CANNOT_TELL']),
  error: z.string().optional(),
  evidence: z.string().optional(),
  confidence: z.enum(['HIGH', 'MEDIUM', 'LOW']).optional(),
});

/** `workflow blind assess --list --format json`. */
export const blindFindings = z.object({
  ...head('assay-workflow-blind-assess'),
  findings: z.array(finding),
});

/** `workflow blind predict --list --format json`. */
export const blindErrors = z.object({
  ...head('assay-workflow-blind-predict'),
  errors: z.array(statement),
});

/** `workflow blind match --list --format json`. */
export const blindMatches = z.object({
  ...head('assay-workflow-blind-match'),
  scope: z.enum(['all', 'disputes']),
  findings: z.array(
    finding.safeExtend({
      assessment: assessment.optional().describe('What this evaluator said blind'),
      candidates: z.array(
        z.object({
          error: z.string(),
          strength: z.enum(['Y', 'P']),
          criteria: z.array(z.string()),
          description: z.string().optional(),
          locations: z.array(location).optional(),
          quote: z.string().optional(),
        }),
      ),
    }),
  ),
  errors: z.array(statement),
});

const step = z.object({ done: z.number(), of: z.number(), sealed_in: z.number().optional() });

/** One line of `workflow blind status --format jsonl`. */
export const evaluatorProgress = z.object({
  name: z.string(),
  assess: step,
  predict: step,
  match: step,
  truth_shown: z.boolean(),
  next: z.enum(['assess', 'predict', 'match']).optional(),
});

/** `workflow blind status --format json`. */
export const blindStatus = z.object({
  ...head('assay-workflow-blind-status'),
  findings: z.number(),
  errors: z.number(),
  entries: z.number(),
  head: z.string(),
  truth_hash: z.string(),
  evaluators: z.array(evaluatorProgress),
  disputed: z.array(z.string()).optional(),
  opened_in: z.number().optional(),
});

/** `workflow blind verify --format json`. */
export const blindVerification = z.object({
  ...head('assay-workflow-blind-verify'),
  intact: z.boolean(),
  entries: z.number(),
  head: z.string().optional(),
  fault: z.string().optional(),
  notes: z.array(z.string()),
});

const change = z.object({
  finding: z.string(),
  entry: z.number(),
  seen: z.boolean(),
  direction: z.enum(['raised', 'lowered', 'reworded']),
  from: assessment,
  to: assessment,
});

const deviation = z.object({
  finding: z.string(),
  error: z.string(),
  prediction: z.string(),
  because: z.string(),
});

const contradiction = z.object({
  finding: z.string(),
  judgement: z.enum(['ERROR', 'NO_ERROR']),
  confidence: z.enum(['HIGH', 'MEDIUM']),
  match: z.string(),
  error: z.string().optional(),
});

/** `workflow blind check --format json`. */
export const blindCheck = z.object({
  ...head('assay-workflow-blind-check'),
  findings: z.number(),
  errors: z.number(),
  runs: z.number(),
  truth_hash: z.string(),
  matcher_version: z.string(),
  evaluators: z.array(
    z.object({
      name: z.string(),
      assessed: z.number(),
      cannot_tell: z.number(),
      changes: z.array(change),
      blind_against_final: z.object({
        kappa: measurement,
        n: z.number(),
        same: z.number(),
        raised: z.array(z.string()),
        lowered: z.array(z.string()),
      }),
      predictions: z.object({
        brier: measurement,
        groups: z.array(
          z.object({ prediction: z.string(), n: z.number(), detected: z.number(), share: measurement }),
        ),
        cannot_tell: z.number(),
        undecided: z.number(),
        systematic: z.array(z.string()),
      }),
      departures: z.object({ generous: z.number(), strict: z.number() }),
      indicators: z.object({
        changed_after_truth: z.array(change),
        contradicted: z.array(contradiction),
        generous_against_no: z.array(deviation),
        strict_against_yes: z.array(deviation),
      }),
      flagged: z.boolean(),
    }),
  ),
  agreement: z.object({
    authors: z.array(z.string()),
    settlers: z.array(z.string()),
    findings: z.number(),
    pairs: z.array(
      z.object({ authors: z.array(z.string()), n: z.number(), kappa: measurement, same: measurement }),
    ),
    alpha: measurement,
    settled: z.number(),
    disputed: z.number(),
  }),
  decisions: z.array(
    z.object({
      finding: z.string(),
      workflow: z.string(),
      run: z.string(),
      original: z.string(),
      runs: z.number(),
      state: z.enum(['none', 'single', 'agreed', 'majority', 'disputed']),
      decision: label.optional(),
      disputed: z.boolean(),
      labels: z.array(label),
    }),
  ),
  left_out: z.array(z.string()),
  flagged: z.boolean(),
  detected: from(
    ({ detected }: BiasCheck) => [...detected].map(([error, outcome]) => ({ error, outcome })),
    z.array(z.object({ error: z.string(), outcome: z.enum(['detected', 'missed', 'undecided']) })),
  ),
});

/** What lies before one evaluator now. */
export const blindDesk = z.object({
  ...head('assay-workflow-blind-desk'),
  folder: z.string(),
  by: z.string(),
  step: z.enum(['assess', 'predict', 'match', 'check', 'opened']),
  of: z.number().nullable().describe('How many answers the step asks for; `null` where it asks for none'),
  findings: blindFindings.shape.findings
    .optional()
    .describe('Step 1: findings that are still to be assessed'),
  errors: blindErrors.shape.errors
    .optional()
    .describe('Step 2: errors that are still to be predicted; absent until they were asked for'),
  matches: blindMatches.optional().describe('Step 3: findings that are still to be matched'),
  waiting: z.array(z.string()).optional().describe('Step 4: evaluators who are not done'),
  disputed: z.array(z.string()).optional().describe('Step 4: findings that nobody has settled'),
});

/** What became of answers that were handed in. */
export const blindSubmitted = z.object({
  ...head('assay-workflow-blind-submitted'),
  missing: z.array(z.string()).describe('What is still open'),
  receipt: z.string().nullable().describe('Of the seal, once nothing is open; keep it'),
});

export const blindStarted = z.object({
  ...head('assay-workflow-blind-started'),
  folder: z.string(),
  findings: z.number().describe('Same words in several runs count once'),
  reported: z.number(),
  runs: z.number(),
  errors: z.number(),
  truth_hash: z.string(),
  receipt: z.string(),
  evaluators: z.array(z.string()),
});

export const blindRevised = z.object({ ...head('assay-workflow-blind-revised'), changed: z.number() });

const path = z.string().describe('From the folder that was searched');
const fault = z.string().nullable().describe('Why it cannot be read');

const arm = z.object({
  workflow: z.string(),
  task: z.string(),
  truth: path,
  documents: path.nullable(),
  runs: z.array(path),
});

/** Experiments and blind evaluations below a folder. */
export const workflowEvaluations = z.object({
  ...head('assay-workflow-evaluations'),
  experiments: z.array(
    z.object({
      path,
      name: z.string().nullable(),
      arms: z.array(arm).describe('None where it cannot be read'),
      sealed_by: path
        .nullable()
        .describe('The blind evaluation that keeps its ground truth from being shown, until it is opened'),
      fault,
    }),
  ),
  blind: z.array(
    z.object({
      path,
      status: blindStatus.nullable(),
      fault,
    }),
  ),
  partial: z.boolean().describe('The folder has more below it than was looked at'),
});
