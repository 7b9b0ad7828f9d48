import type { FileReading } from '../../../session/evidence.ts';
import { lowOf } from '../../../session/low-session.ts';
import { compareModels, frontiersOf } from '../../../session/pricing/frontier.ts';
import { roiBy } from '../../../session/pricing/roi.ts';
import type { ListedSession, SessionOverview } from '../../../session/results.ts';
import { modelOf } from '../../../session/session-groups.ts';
import type { SessionScore } from '../../../session/session-score.ts';
import type { SessionSummary } from '../../../store/store.ts';
import type { Ports } from '../../ports.ts';
import { countBy } from '../count-by.ts';
import type { ListRequest } from '../list-sessions.ts';
import { withTitles } from '../listed-sessions.ts';
import { addRollups } from './add-rollups.ts';
import { detailsIn, listedRow } from './stored-lines.ts';
import { storedModels, storedRoi } from './stored-roi.ts';
import { type StoredScores, usualScoring } from './stored-scores.ts';
import { storedSummary } from './stored-summary.ts';

/** So many are shown as lines, also of the newest; all of those worth a look are told where nobody says how many. */
type Shown = {
  readonly shown?: number | undefined;
  readonly newest: number;
  readonly titles?: ListRequest['titles'];
};

/** What `surveySessions` would say of them. */
export async function storedOverview(
  stored: StoredScores,
  shown: Shown,
  ports: Ports,
): Promise<Omit<SessionOverview, 'elapsedMs'>> {
  const { store } = stored;
  const total = await stored.total();
  const each = await stored.each();
  const { baselineSet: baselines, weights, prices } = usualScoring();
  const all = addRollups(await store.sessionRollup());
  return {
    files: await filesWithSkippedLines(stored),
    looked: { in: 'store', address: store.address },
    filteredOut: all.sessions - total.sessions,
    summary: await storedSummary(stored),
    ...(await linesOf(stored, shown, ports)),
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

async function linesOf(stored: StoredScores, { shown, newest: most, titles }: Shown, ports: Ports) {
  const limit = shown === undefined ? {} : { limit: shown };
  const worrying = (await stored.list({ order: 'most worrying', ...limit })).toSorted(mostWorrying);
  const newest = shown === undefined ? [] : await stored.list({ order: 'newest', limit: most });
  const details = await detailsIn(stored);
  const lines = async (rows: readonly SessionSummary[]) => {
    const listed: ListedSession[] = [];
    for (const row of rows) listed.push(await details(listedRow(row)));
    return titles === undefined ? listed : withTitles(listed, titles.environment, ports);
  };
  const worth = await lines(worrying);
  const worthALook = worth.map((one) => lowOf(one.key, one, one.q ?? 0, one.why));
  return { worthALook, worthLines: shown === undefined ? [] : worth, newest: await lines(newest) };
}

/** As `worthALook` has them. */
function mostWorrying(a: SessionSummary, b: SessionSummary): number {
  return (
    (b.concern ?? 0) - (a.concern ?? 0) ||
    (b.costUsd ?? 0) - (a.costUsd ?? 0) ||
    (a.sessionId < b.sessionId ? -1 : 1)
  );
}
