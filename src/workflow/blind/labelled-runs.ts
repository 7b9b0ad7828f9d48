/** The final labels as run files, in the notation that every command that scores runs reads. */
import { type Material, occurrences } from './material.ts';
import { labelsOf, type State } from './protocol.ts';

/** Every label of every evaluator is kept; who scores the run resolves them. */
export function labelledRuns({ runs, findings, truth }: Material, state: State): Record<string, unknown>[] {
  const inOrder = findings
    .flatMap((one) => occurrences(one).map((place) => ({ id: one.id, ...place })))
    .toSorted((a, b) => a.finding.id.localeCompare(b.finding.id, 'en', { numeric: true }));
  return runs.map((run, index) => ({
    workflow: run.workflow,
    task: run.task,
    run: run.run,
    truth_version: truth.version,
    model: run.model,
    agent_tokens: run.agentTokens,
    workflow_tokens: run.workflowTokens,
    ...(run.concerns.length > 0 && { concerns: run.concerns }),
    findings: inOrder
      .filter((one) => one.run === index)
      .map(({ id, finding }) => {
        const labels = labelsOf(state, id);
        const { labels: _none, ...content } = finding;
        return { ...content, ...(labels.length > 0 && { labels }) };
      }),
  }));
}
