/** The lines of a session, each with the first commit after it that did the same. */
import type { FileWork } from '../evidence.ts';
import { unpackHashes } from '../fold/line-fingerprints.ts';
import { COMMITTED_WITHIN_MS, type FoundLine, NO_FILE, SLACK_MS } from './found-line.ts';
import type { History } from './history.ts';
import type { FactsOfWork } from './work-facts.ts';

export function findLines(facts: FactsOfWork, history: History): FoundLine[] {
  return (facts.written?.files ?? []).flatMap((file) => {
    const id = history.fileOf(file.ends);
    const since = file.firstAt ?? startOf(facts);
    if (since === undefined) return [];
    const when = { since, until: file.lastAt ?? since };
    if (id === undefined) return file.inside && !history.isIgnored(file.ends) ? unknownLines(file, when) : [];
    return (['wrote', 'removed', 'left'] as const).flatMap((kind) =>
      unpackHashes(file[kind]).flatMap((hash) => foundLine({ kind, file: id, hash, ...when }, history)),
    );
  });
}

export function startOf({ runs }: FactsOfWork): number | undefined {
  return runs.find(({ startedAt }) => startedAt !== undefined)?.startedAt;
}

/** Of a file that the repository has never had. */
function unknownLines({ wrote }: FileWork, when: Pick<FoundLine, 'since' | 'until'>): FoundLine[] {
  return unpackHashes(wrote).map((hash) => ({
    kind: 'wrote',
    file: NO_FILE,
    hash,
    ...when,
    commit: undefined,
  }));
}

type LookedFor = Omit<FoundLine, 'commit'>;

function foundLine(line: LookedFor, history: History): FoundLine[] {
  const { kind, file, hash, since, until } = line;
  const events = history.lines.get(file)?.get(hash) ?? [];
  const comes = kind !== 'removed';
  const before = events.findLast(({ commit }) => commit.at < since - SLACK_MS);
  const wasThere = before === undefined ? (history.base.get(file)?.has(hash) ?? false) : before.came;
  // A line that was there before is not its work, whoever writes it again.
  if (comes && wasThere) return [];
  const first = events.find(
    ({ commit, came }) =>
      came === comes && commit.at >= since - SLACK_MS && commit.at <= until + COMMITTED_WITHIN_MS,
  );
  return [{ ...line, commit: first?.commit }];
}
