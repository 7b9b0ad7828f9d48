import { concernsOf } from '../../../session/concerns.ts';
import type { FileReading, SessionFacts } from '../../../session/evidence.ts';
import type { LowSession } from '../../../session/low-session.ts';
import { compareModels } from '../../../session/pricing/compare-models.ts';
import { loadPrices } from '../../../session/pricing/load-prices.ts';
import { roiBy } from '../../../session/pricing/roi.ts';
import { frontiersOf } from '../../../session/pricing/type-frontier.ts';
import type { TaskType } from '../../../session/profiles/task-type.ts';
import type { SessionOverview } from '../../../session/results.ts';
import { scoreSession } from '../../../session/score-session.ts';
import { modelOf } from '../../../session/session-groups.ts';
import type { SessionScore } from '../../../session/session-score.ts';
import type { SessionSummary } from '../../../store/store.ts';
import { countBy } from '../count-by.ts';
import { addRollups } from './add-rollups.ts';
import { storedModels, storedRoi } from './stored-roi.ts';
import { type StoredScores, usualScoring } from './stored-scores.ts';
import { storedSummary } from './stored-summary.ts';

/** What `surveySessions` would say of them; of those worth a look the first `most`, or all of them. */
export async function storedOverview(
  stored: StoredScores,
  most: number | undefined,
): Promise<Omit<SessionOverview, 'elapsedMs'>> {
  const { store, total } = stored;
  const each = await stored.each();
  const { baselineSet: baselines, weights, prices } = usualScoring();
  const all = addRollups(await store.sessionRollup());
  return {
    files: await filesWithSkippedLines(stored),
    looked: { in: 'store', address: store.address },
    filteredOut: all.sessions - total.sessions,
    summary: await storedSummary(stored),
    worthALook: await storedConcerns(stored, most),
    worthALookInAll: total.concerns.some,
    ...(each === undefined ? await fromSums(stored) : fromEach(each)),
    // No session was scored with anything.
    sets: total.sessions === 0 ? { baselines: '', weights: '', prices } : { baselines, weights, prices },
    unreadable: [],
  };
}

type Compared = Pick<SessionOverview, 'sources' | 'byTaskType' | 'models' | 'frontiers'>;

function fromEach(each: readonly SessionScore[]): Compared {
  return {
    sources: countBy(each, ({ source }) => source),
    byTaskType: roiBy(each, ({ taskType }) => taskType),
    models: compareModels(each),
    frontiers: frontiersOf(each, modelOf),
  };
}

async function fromSums(stored: StoredScores): Promise<Compared> {
  const sources = (await stored.rollup({ by: ['source'] })).map(
    ({ group, sessions }) => [group.source ?? '', sessions] as const,
  );
  return {
    sources: sources.toSorted((a, b) => b[1] - a[1]),
    byTaskType: await storedRoi(stored, 'task-type'),
    ...(await storedModels(stored)),
  };
}

/** The others have nothing to tell; of each file once, whichever of its sessions are asked for. */
async function filesWithSkippedLines({ store }: StoredScores): Promise<FileReading[]> {
  const files = new Map<string, FileReading>();
  for await (const row of store.readSessions({ withSkippedLines: true })) {
    const { file } = row.facts as unknown as { readonly file: FileReading };
    files.set(file.path, file);
  }
  return [...files.values()];
}

/** The most worrying first; each is scored again to say why. */
async function storedConcerns(stored: StoredScores, most: number | undefined): Promise<LowSession[]> {
  const rows = await stored.list({
    order: 'most worrying',
    ...(most !== undefined && { limit: most }),
  });
  const prices = await loadPrices();
  const concerns: LowSession[] = [];
  for (const row of rows.toSorted(mostWorrying)) {
    const { facts } = ((await stored.store.readSession(row.sessionKey))?.facts ?? {}) as unknown as {
      readonly facts?: SessionFacts;
    };
    const why =
      facts === undefined ? '' : concernsOf(scoreSession(facts, { prices }, row.sessionKey), facts).why;
    const { sessionId, taskType, q = 0, costUsd } = row;
    // The scorer wrote the task type.
    concerns.push({ sessionId, taskType: taskType as TaskType, q, costUsd, why });
  }
  return concerns;
}

/** As `worthALook` has them. */
function mostWorrying(a: SessionSummary, b: SessionSummary): number {
  return (
    (b.concern ?? 0) - (a.concern ?? 0) ||
    (b.costUsd ?? 0) - (a.costUsd ?? 0) ||
    (a.sessionId < b.sessionId ? -1 : 1)
  );
}
