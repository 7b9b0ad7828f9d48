/** The observations of one session, in the order of time. */
import { defined, routedModel } from '../../json/json-fields.ts';
import type { Emit } from '../format.ts';
import type { Observation } from './observation.ts';

const TOOLS: ReadonlySet<string> = new Set(['TOOL', 'RETRIEVER']);

export function tellSession(session: string, rows: readonly Observation[], emit: Emit): void {
  const inOrder = rows.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0) || a.line - b.line);
  const [first] = inOrder;
  if (first === undefined) return;
  const agent = first.traceName ?? inOrder.find(({ parent }) => parent === undefined)?.name ?? 'langfuse';
  emit({ kind: 'session', sessionId: session, agent, trigger: 'user', ...placeOf(first) }, session);
  const told: Told = { asked: undefined, generations: generationsOf(inOrder), traced: tracedTools(inOrder) };
  for (const trace of Map.groupBy(inOrder, (row) => row.trace).values())
    tellTrace(trace, told, session, emit);
  tellEnd(inOrder, session, emit);
}

type Told = {
  asked: string | undefined;
  readonly generations: ReadonlySet<string>;
  /** Traces that have the tools as observations: what the model wished for stands there a second time. */
  readonly traced: ReadonlySet<string>;
};

function generationsOf(rows: readonly Observation[]): ReadonlySet<string> {
  return new Set(rows.filter(({ type }) => type === 'GENERATION').map(({ id }) => id));
}

function tracedTools(rows: readonly Observation[]): ReadonlySet<string> {
  return new Set(rows.filter(({ type }) => type === 'TOOL').map(({ trace }) => trace));
}

function tellTrace(rows: readonly Observation[], told: Told, session: string, emit: Emit): void {
  const asking = rows.filter((row) => row.type === 'GENERATION' && row.asked !== undefined);
  const root = rows.find(({ parent, asked }) => parent === undefined && asked !== undefined);
  // Only where no model was asked in words: what set the trace going.
  if (asking.length === 0 && root !== undefined) tellAsked(root, told, session, emit);
  for (const row of rows) {
    if (TOOLS.has(row.type)) tellTool(row, session, emit);
    // One that is recorded by two libraries lies in the other.
    if (row.type === 'GENERATION' && !told.generations.has(row.parent ?? ''))
      tellGeneration(row, told, session, emit);
  }
}

function tellAsked(row: Observation, told: Told, session: string, emit: Emit): void {
  if (row.asked === undefined || row.asked === told.asked) return;
  told.asked = row.asked;
  emit({ kind: 'user', origin: 'user', text: row.asked, ...placeOf(row) }, session);
}

function tellGeneration(row: Observation, told: Told, session: string, emit: Emit): void {
  const hasTools = told.traced.has(row.trace);
  if (!hasTools)
    for (const { id, text, ok } of row.answers)
      emit({ kind: 'result', callId: id, text, ...placeOf(row), ...defined({ ok }) }, session);
  tellAsked(row, told, session, emit);
  const { usage, costUsd, failed } = row;
  const at = defined({ at: row.end ?? row.at });
  const stop = failed ? ('error' as const) : undefined;
  emit(
    {
      kind: 'reply',
      messageId: row.id,
      text: row.said,
      line: row.line,
      ...at,
      ...defined({ ...routedModel(row.model), usage, costUsd, stop }),
      // A request that failed counts no tokens.
      ...(failed && usage === undefined && { usageElsewhere: true as const }),
    },
    session,
  );
  if (hasTools) return;
  for (const { id, tool, input } of row.calls)
    emit({ kind: 'call', callId: id, tool, input, line: row.line, ...at }, session);
}

function tellTool(row: Observation, session: string, emit: Emit): void {
  emit(
    {
      kind: 'call',
      callId: row.id,
      tool: row.name ?? row.type.toLowerCase(),
      input: row.input,
      ...placeOf(row),
    },
    session,
  );
  // Langfuse marks what failed; what it does not mark may have failed in words.
  const ok = row.failed ? false : undefined;
  const at = defined({ at: row.end ?? row.at, ok });
  emit({ kind: 'result', callId: row.id, text: row.said, line: row.line, ...at }, session);
}

/** Only a failure is recorded: that it went well is for the last message to tell. */
function tellEnd(rows: readonly Observation[], session: string, emit: Emit): void {
  const last = rows.findLast(({ parent, type }) => parent === undefined || type === 'GENERATION');
  const trace = rows.filter((row) => row.trace === last?.trace);
  const root = trace.find(({ parent }) => parent === undefined) ?? last;
  if (root?.failed !== true) return;
  emit({ kind: 'end', reason: 'error', line: root.line, ...defined({ at: root.end }) }, session);
}

function placeOf({ line, at }: Observation) {
  return { line, ...defined({ at }) };
}
