/** Reads the output of agents in non-interactive mode: the last answer is the review, with its cost. */
import { isRecord, name, refuse } from './fields.ts';
import { reviewIn } from './formats/answers.ts';
import type { ImportedRuns, ImportOptions, RawFile } from './formats/importer.ts';

export type Fields = Readonly<Record<string, unknown>>;

export type AgentAnswer = {
  readonly answer: unknown;
  /** Why the agent ended without an answer. */
  readonly ended?: string | undefined;
  readonly model?: string | undefined;
  readonly tokens?: number | undefined;
  readonly costUsd?: number | undefined;
  readonly durationMs?: number | undefined;
};

export function recordsOf(file: RawFile): readonly Fields[] {
  if (file.kind === 'text') return [];
  const values = file.kind === 'lines' ? file.lines.map(({ value }) => value) : [file.document.value].flat();
  return values.filter(isRecord);
}

/** An agent that ended without an answer found nothing, but its run counts. */
export function runsOfAgent(file: RawFile, options: ImportOptions, said: AgentAnswer): ImportedRuns {
  const { answer, ended, tokens, costUsd, durationMs } = said;
  const model = options.model ?? said.model;
  const isSilent = answer === undefined || answer === null || answer === '' || ended !== undefined;
  const read = reviewIn(file.path, isSilent ? 'No answer.' : answer, options);
  if (read === undefined)
    throw refuse({ path: file.path, value: undefined }, [], 'has an answer that is no review');
  return {
    ...read,
    runs: read.runs.map((run) => ({
      ...run,
      ...(model !== undefined && { model }),
      // The agent's usage is complete: no workflow around it used tokens.
      ...(Number.isSafeInteger(tokens) && { agentTokens: tokens, workflowTokens: 0 }),
      ...(costUsd !== undefined && { costUsd }),
      ...(durationMs !== undefined && { durationMs }),
    })),
    notes: [
      ...read.notes,
      ...(isSilent
        ? [`the agent ended without an answer${ended === undefined ? '' : ` (${ended})`}: nothing was found`]
        : []),
    ],
  };
}

export function wordOf(value: unknown): string | undefined {
  return name.safeParse(value).data;
}

export function numberOf(value: unknown, key: string): number {
  return measured(isRecord(value) ? value[key] : undefined) ?? 0;
}

export function measured(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
