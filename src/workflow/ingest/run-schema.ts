import { z } from 'zod';
import { DEPTHS, type Finding, LABELS, type ReviewRun } from '../review.ts';
import { SEVERITIES } from '../truth.ts';
import { file, lines, MAX_ITEMS, name, properties, repeats, strict, text } from './fields.ts';

export const labelSchema = strict({
  match: z.enum(LABELS),
  error: name.optional().meta({ description: 'For Y and P, and for a DUPLICATE that repeats a known error' }),
  by: name.meta({ description: 'The author of the label: a person or a named model' }),
  depth: z.enum(DEPTHS).optional().meta({
    description: 'The depth according to this author; the depth in the finding itself is only a claim',
  }),
  reason: text.optional(),
  properties,
}).superRefine(({ match, error }, context) => {
  const fault = (message: string) => context.addIssue({ code: 'custom', path: ['error'], message });
  if ((match === 'Y' || match === 'P') && error === undefined)
    fault(`is missing; a label ${match} names the error that is matched`);
  if (error !== undefined && match !== 'Y' && match !== 'P' && match !== 'DUPLICATE') {
    fault(`a label ${match} matches no error, yet "${error}" is named`);
  }
});

const methods = z.array(name).max(1000);

export const findingSchema = strict({
  id: name,
  title: text,
  description: text.optional(),
  concern: name.optional(),
  methods: methods.optional(),
  category: name.optional(),
  severity: z.enum(SEVERITIES).optional(),
  depth: z.enum(DEPTHS).optional(),
  file: file.optional(),
  section: name.optional(),
  lines: lines.optional(),
  quote: text.optional(),
  label: labelSchema.optional(),
  labels: z
    .array(labelSchema)
    .max(100)
    .optional()
    .meta({ description: 'Instead of label, when several people labelled it' }),
  properties,
}).superRefine((finding, context) => {
  const fault = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
  if (finding.label !== undefined && finding.labels !== undefined)
    fault(['label'], 'cannot be combined with labels; give one of the two');
  const authors = (finding.labels ?? []).map(({ by }) => by);
  for (const { index } of repeats(authors))
    fault(['labels', index, 'by'], `"${authors[index]}" has labelled this finding before`);
});

const tokens = z.int().min(0).optional();

/** A run without its findings; also the first line of a JSONL file. */
const header = {
  workflow: name,
  task: name,
  run: z
    .union([name, z.int().min(0)], { error: 'must be a name or a whole number' })
    .transform(String)
    .meta({ description: 'Which execution it was' }),
  truth_version: name
    .optional()
    .meta({ description: 'The version of the ground truth that the labels refer to' }),
  model: name.optional(),
  agent_tokens: tokens,
  workflow_tokens: tokens,
  cost_usd: z.number().min(0).optional(),
  duration_ms: z.number().min(0).optional(),
  concerns: z
    .array(strict({ id: name, layer: name, methods: methods.default([]), properties }))
    .max(10_000)
    .default([]),
  properties,
  $schema: z.string().optional(),
};

/** A run as written in JSON and YAML. */
export const runSchema = strict({ ...header, findings: z.array(findingSchema).max(MAX_ITEMS) }).superRefine(
  ({ findings, concerns }, context) => {
    const fault = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    for (const { index, first } of repeats(findings.map(({ id }) => id)))
      fault(['findings', index, 'id'], `"${findings[index]?.id}" is the id of findings.${first} as well`);
    for (const { index, first } of repeats(concerns.map(({ id }) => id)))
      fault(['concerns', index, 'id'], `"${concerns[index]?.id}" is the id of concerns.${first} as well`);
    if (concerns.length === 0) return;
    const known = new Set(concerns.map(({ id }) => id));
    findings.forEach(({ concern }, index) => {
      if (concern !== undefined && !known.has(concern))
        fault(
          ['findings', index, 'concern'],
          `"${concern}" is none of the concerns ${[...known].slice(0, 20).join(', ')}`,
        );
    });
  },
);

type RawRun = z.output<typeof runSchema>;
type RawFinding = RawRun['findings'][number];

export function runOf(raw: RawRun, path: string): ReviewRun {
  const { truth_version, model, agent_tokens, workflow_tokens, cost_usd, duration_ms } = raw;
  return {
    workflow: raw.workflow,
    task: raw.task,
    run: raw.run,
    truthVersion: truth_version,
    model,
    agentTokens: agent_tokens,
    workflowTokens: workflow_tokens,
    costUsd: cost_usd,
    durationMs: duration_ms,
    concerns: raw.concerns.map(({ id, layer, methods }) => ({ id, layer, methods })),
    findings: raw.findings.map(findingOf),
    path,
  };
}

function findingOf({ label, labels, properties: _, ...finding }: RawFinding): Finding {
  const given = labels ?? (label === undefined ? [] : [label]);
  return {
    // zod adds no absent keys, so the rest has exactly the keys of a finding.
    ...(finding as Omit<Finding, 'labels'>),
    labels: given.map(({ match, error, by, depth, reason }) => ({ match, error, by, depth, reason })),
  };
}

/** The output of an importer, before it is validated like a file. */
export type FindingDraft = z.input<typeof findingSchema>;

export const RUN_REMEDY =
  'Correct the place that the message names; docs/formats/workflow-run.md describes a run with an example.';
