import { AssayError } from '../../errors.ts';
import type { Environment } from '../../session/ingest/formats/format.ts';
import type { CheckedCommits, CheckedWork } from '../../session/verify/check-commits.ts';
import { repositoryAt } from '../../session/verify/checkout.ts';
import type { Verification } from '../../session/verify/verification.ts';
import type { SessionSummary } from '../../store/store.ts';
import { checkedTrees, noteChecks, storedIn } from '../../sync.ts';
import type { Ports } from '../ports.ts';
import { askSessions, type QueriedSessions, type ReadReport } from './ask-sessions.ts';
import { findSession } from './find-session.ts';
import type { SessionRequest } from './session-request.ts';

export type VerifySessionsRequest = SessionRequest & {
  /** Ids, parts of ids or keys; empty: all sessions that pass the filter. */
  readonly ids: readonly string[];
  /** Only sessions that worked in the repository of this folder. */
  readonly folder?: string | undefined;
  readonly command: string;
  readonly setup?: string | undefined;
  readonly timeMs: number;
  readonly runs: number;
  readonly parallel: number;
  /** Names of additional variables that the commands receive. */
  readonly allowed: readonly string[];
  /** Ignore cached results. */
  readonly again?: boolean | undefined;
  readonly environment: Environment;
};

export type VerifiedSession = Pick<
  SessionSummary,
  'sessionKey' | 'sessionId' | 'model' | 'startedAt' | 'project'
> &
  Verification;

export type Verifications = ReadReport & {
  readonly command: string;
  readonly sessions: readonly VerifiedSession[];
  /** Sessions without a known commit. */
  readonly uncommitted: number;
  /** Checkouts on which the command was run now, and those with a cached result. */
  readonly checkouts: { readonly run: number; readonly cached: number };
  readonly runs: number;
  /** False: nothing prevented the command from writing elsewhere. Absent: it was not run. */
  readonly isolated?: boolean;
};

const NO_COMMIT = 'no commit of it is known';

type Target = { readonly row: SessionSummary; readonly work: CheckedWork };

/** Runs the check of a project before and after the commits of its sessions. */
export function verifySessions(request: VerifySessionsRequest, ports: Ports): Promise<Verifications> {
  return askSessions({ ...request, opinions: false }, ports, async (asked) => {
    const { command, again, runs, ids } = request;
    const { folder } = request;
    const place =
      folder === undefined ? undefined : await repositoryAt(folder, { ...request, signal: ports.signal });
    const { targets, uncommitted } = await targetsOf(asked, ids, place);
    const store = await ports.store();
    if (store.transcripts === undefined)
      throw new AssayError('USAGE', 'Checks are stored on the machine that runs them', {
        remedy: 'Name a local store.',
      });
    const known = again === true ? new Map() : await checkedTrees(store);
    const { checkCommits } = await import('../../session/verify/check-commits.ts');
    const checked = await checkCommits(
      targets.map(({ work }) => work),
      {
        ...request,
        signal: ports.signal,
        cache: known,
        onChecked: (done, total) => ports.progress({ what: 'Checking', done, total, unit: 'checkouts' }),
      },
      ports.now,
    );
    const { verifications, seen: trees } = checked;
    await noteChecks(store, { verifications, trees }, asked.options, ports);
    return {
      command,
      runs,
      uncommitted: uncommitted.length,
      sessions: [
        ...targets.flatMap(({ row, work }) => {
          const one = verifications.get(work.key);
          return one === undefined ? [] : [verifiedSession(row, one)];
        }),
        // For sessions requested by name, say why there is nothing to check.
        ...(ids.length === 0 ? [] : uncommitted).map((row) =>
          verifiedSession(row, {
            result: 'could not check',
            reason: NO_COMMIT,
            command,
            at: ports.now().toISOString(),
          }),
        ),
      ],
      checkouts: countsOf(checked),
      ...(checked.isolated !== undefined && { isolated: checked.isolated }),
    };
  });
}

function countsOf({ checkouts, run }: CheckedCommits): Verifications['checkouts'] {
  return { run, cached: checkouts - run };
}

function verifiedSession(
  { sessionKey, sessionId, model, startedAt, project }: SessionSummary,
  one: Verification,
): VerifiedSession {
  return { sessionKey, sessionId, model, startedAt, project, ...one };
}

async function targetsOf(asked: QueriedSessions, ids: readonly string[], place: string | undefined) {
  const targets = new Map<string, Target>();
  const uncommitted: SessionSummary[] = [];
  const add = (row: Parameters<typeof storedIn>[0] & SessionSummary) => {
    const { work, facts } = storedIn(row);
    if (place !== undefined && work?.repository !== place) return;
    // A sent session may name any repository, so its commits are ignored.
    const commits = facts.sent === undefined ? (work?.commits ?? []) : [];
    if (work?.repository === undefined || commits.length === 0) uncommitted.push(row);
    else {
      const { sessionKey: key } = row;
      const { repository } = work;
      targets.set(key, { row, work: { key, repository, commits: commits.map(({ sha }) => sha) } });
    }
  };
  if (ids.length > 0) for (const id of ids) add(await findSession(asked.store, id));
  else for await (const row of asked.rows()) add(row);
  return { targets: [...targets.values()], uncommitted };
}
