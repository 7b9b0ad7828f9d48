/** A store with everything that two projects can have, or with what one of them has. */
import { configSchema } from '../../config.ts';
import type { DecompositionRecord } from '../../decomposition/production/record.ts';
import { defaultPorts } from '../../operations/default-ports.ts';
import { storeExamples } from '../../operations/store-examples.ts';
import type { SessionRow } from '../../store/schema/session.ts';
import type { RunRecord, Store } from '../../store/store.ts';

/** Stands in every name, id and text of the other project, and nowhere else. */
export const THEIRS = 'zqxtheirs';
export const OURS = 'ours';

export type Examples = { readonly sessions: readonly SessionRow[]; readonly runs: readonly RunRecord[] };

/** The bundled examples, as a command would store them. */
export async function readExamples(): Promise<Examples> {
  const ports = defaultPorts();
  const thresholds = configSchema.parse({}).decomposition;
  const machine = { home: '/dev/null/nowhere', environment: {} };
  await storeExamples({ ...machine, thresholds, matchLevel: 'alias' }, ports);
  const store = await ports.store();
  const sessions: SessionRow[] = [];
  for await (const row of store.readSessions()) sessions.push(row);
  const runs: RunRecord[] = [];
  for (const { runId } of await store.listRuns()) {
    const run = await store.readRun(runId);
    if (run !== undefined) runs.push(run);
  }
  await ports.close();
  const [decomposition, ...others] = runs.toSorted((a, b) => (a.instrument < b.instrument ? -1 : 1));
  // Two comparable runs come first.
  return { sessions, runs: decomposition === undefined ? [] : [decomposition, decomposition, ...others] };
}

const at = (minute: number) => new Date(Date.UTC(2026, 10, 10, 9, minute)).toISOString();

/** Everything of one project; every name contains that of the project. */
export async function fileProject(store: Store, project: string, { sessions, runs }: Examples) {
  const folder = `/work/${project}`;
  const n = project === OURS ? 1 : 3;
  await store.appendSessions(sessions.map((row, i) => sessionOf(row, i, folder)));
  await store.appendRuns(
    runs.map((run, i) => ({
      ...run,
      runId: `${project}-run-${i}`,
      subject: `${project} ${run.subject}`,
      at: at(i),
      project: folder,
    })),
  );
  await store.appendRatings([
    // The same name may be a session of both.
    ...['shared', `${project}-session-0`].map((subjectId, i) => ({
      ratingId: `${project}-rating-${i}`,
      kind: 'session',
      subjectId,
      author: `${project}-rater`,
      rating: n,
      note: `${project} note`,
      at: at(i),
      project: folder,
    })),
    {
      ratingId: `${project}-of-request`,
      kind: 'decomposition',
      subjectId: `${project}-request-0`,
      author: `${project}-rater`,
      rating: 1,
      at: at(2),
      project: folder,
    },
  ]);
  await store.appendApprovals([
    {
      approvalId: `${project}-approval`,
      instrument: 'decomposition',
      runId: `${project}-run-0`,
      baselineRunId: `${project}-run-1`,
      metric: 'decomposition/recall',
      reason: `${project} reason`,
      who: `${project}-approver`,
      at: at(3),
      project: folder,
    },
  ]);
  await store.appendAlerts(
    [0, 1].map((i) => ({
      alertId: `${project}-alert-${i}`,
      instrument: 'session',
      severity: 'warning' as const,
      rule: 'session-q-low',
      subject: `${project}-subject`,
      message: `${project} message`,
      at: at(i),
      project: folder,
    })),
  );
  await store.appendAlertEvents([
    {
      eventId: `${project}-event`,
      alertId: `${project}-alert-1`,
      state: 'acknowledged',
      who: `${project}-person`,
      why: `${project} why`,
      at: at(5),
      project: folder,
    },
  ]);
  await store.appendFeedback([
    {
      feedbackId: `${project}-feedback`,
      instrument: 'decomposition',
      outputId: `${project}-request-0`,
      comment: `${project} comment`,
      author: `${project}-user`,
      at: at(6),
      project: folder,
    },
  ]);
  await store.appendAudit([
    {
      auditId: `${project}-audit`,
      at: at(8),
      who: `${project}-person`,
      origin: 'this machine',
      what: 'POST /api/v1/sessions/{key}/ratings',
      target: `${project}-key-0`,
      outcome: 'done',
      times: n,
      project: folder,
    },
  ]);
  await store.appendDeliveries([
    {
      deliveryId: `${project}-delivery`,
      target: 'webhook',
      body: { text: `${project} body` },
      at: at(7),
      project: folder,
    },
  ]);
  const requests = Array.from({ length: n * 40 }, (_, i) => requestOf(project, i, n));
  const texts = requests.slice(0, 4).map(({ id, at: when }) => ({ id, at: when, text: `${project} text` }));
  await store.appendDecompositions(
    requests.map((request) => ({ ...request, project: folder })),
    texts,
  );
}

function sessionOf(row: SessionRow, i: number, project: string): SessionRow {
  const name = project.slice('/work/'.length);
  const id = i === 1 ? 'shared' : `${name}-session-${i}`;
  const copy = JSON.parse(JSON.stringify(row.facts)) as {
    facts: Record<string, unknown>;
    file: Record<string, unknown>;
  };
  // Sub-agents of each other's sessions, by what they say.
  const parent =
    i === 2 ? { parentSessionId: name === OURS ? `${THEIRS}-session-0` : `${OURS}-session-0` } : {};
  Object.assign(copy.facts, { sessionId: id, project, ...parent });
  Object.assign(copy.file, { path: `/nowhere/${name}/${i}.jsonl` });
  const { parentSessionId: _, ...rest } = row;
  return {
    ...rest,
    ...parent,
    sessionKey: `${name}-key-${i}`,
    sessionId: id,
    project,
    revision: `${name}-${i}`,
    facts: copy as never,
    ...(name === OURS ? {} : { costUsd: 777.77, turns: 4242 }),
  };
}

function requestOf(project: string, i: number, n: number): DecompositionRecord {
  return {
    id: `${project}-request-${i}`,
    at: at(i % 30),
    status: i % 7 === 0 ? 'error' : 'ok',
    ...(i % 7 === 0 && { errorKind: `${project}-error` }),
    latencyMs: 100 * n,
    costUsd: 0.01 * n,
    model: 'shared-model',
    promptVersion: i % 2 === 0 ? 'shared-version' : `${project}-version`,
    topic: `${project}-topic`,
    concepts: n,
    relationships: n,
    textLength: 10,
    sample: { probability: 0.5, stratum: `${project}-stratum` },
    experiment: { id: 'shared-experiment', arm: 'control', keyHash: `${project}-hash-${i}` },
  };
}
