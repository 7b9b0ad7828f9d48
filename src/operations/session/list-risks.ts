import type { RiskKind, SessionFacts } from '../../session/evidence.ts';
import { placeIn, type Statement } from '../../session/receipts.ts';
import type { ListedSession } from '../../session/session-groups.ts';
import { storedIn } from '../../sync.ts';
import type { Ports } from '../ports.ts';
import { type AskRequest, askSessions, type ReadReport } from './ask-sessions.ts';
import { listedRow, type Wording, withWords } from './list-sessions.ts';

/** An unrequested action that could destroy work or hide a fault. */
export type RiskyAction = {
  readonly session: ListedSession;
  readonly kind: RiskKind;
  readonly line: number;
  /** The action, from the current transcript. */
  readonly quote?: string;
};

export type RiskList = ReadReport & {
  /** Newest sessions first, in line order. */
  readonly risks: readonly RiskyAction[];
  /** The total over all requested sessions. */
  readonly inAll: number;
  readonly sessions: number;
};

export type RisksRequest = AskRequest & { readonly titles?: Wording | undefined } & {
  readonly limit: number;
};

export function listRisks(request: RisksRequest, ports: Ports): Promise<RiskList> {
  const { limit, titles } = request;
  return askSessions(request, ports, async (asked) => {
    const found: { session: ListedSession; kinds: RiskKind[] }[] = [];
    let left = limit;
    for (const { sessionKey } of await asked.list({ withRiskyActions: true, order: 'newest', limit })) {
      const row = await asked.store.readSession(sessionKey);
      if (row === undefined || left <= 0) continue;
      const { facts: _, ...summary } = row;
      const risks = risksOf(storedIn(row).facts).slice(0, left);
      left -= risks.length;
      const statements = risks.map(({ statement }) => statement);
      found.push({ session: { ...listedRow(summary), statements }, kinds: risks.map(({ kind }) => kind) });
    }
    const sessions = found.map(({ session }) => session);
    const shown = titles === undefined ? sessions : await withWords(sessions, titles, ports);
    const total = await asked.total();
    const risks = shown.flatMap((session, i) =>
      session.statements.flatMap(({ line, said }, k): RiskyAction[] => {
        const kind = found[i]?.kinds[k];
        return kind === undefined || line === undefined
          ? []
          : [{ session, kind, line, ...(said !== undefined && { quote: said }) }];
      }),
    );
    return { risks, inAll: total.riskyActions, sessions: total.sessions };
  });
}

function risksOf(facts: SessionFacts): { readonly kind: RiskKind; readonly statement: Statement }[] {
  return facts.runs.flatMap((run) =>
    (run.risks ?? []).map(({ kind, line }) => ({
      kind,
      statement: placeIn({ kind: 'other', text: '', line, quote: 'call' }, run, facts),
    })),
  );
}
