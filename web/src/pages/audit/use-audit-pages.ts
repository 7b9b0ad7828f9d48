/** The list of the audit log: the first page, and further ones when they are asked for. */
import { useState } from 'preact/hooks';
import { addressOf, asProblem, get, type Problem, type Query } from '../../api/client.ts';
import { type Resource, useResource } from '../../api/use-resource.ts';
import type { AuditEntry, AuditPage } from './shapes.ts';

export type AuditPages = {
  readonly first: Resource<AuditPage>;
  readonly rows: readonly AuditEntry[];
  /** `undefined` where there are no more. */
  readonly more: (() => void) | undefined;
  readonly problem: Problem | undefined;
};

/** Pages after a first one that has changed since begin elsewhere: they are of the one that is named. */
type Later = { readonly after: string; readonly rows: readonly AuditEntry[]; readonly next: string | null };

export function useAuditPages(query: Query): AuditPages {
  const first = useResource<AuditPage>('audit', query);
  const [later, setLater] = useState<Later>();
  const [problem, setProblem] = useState<Problem>();
  const after = `${addressOf('audit', query)} ${first.data?.next}`;
  const extra = later?.after === after ? later : { after, rows: [], next: first.data?.next ?? null };
  const more = async () => {
    setProblem(undefined);
    try {
      const page = await get<AuditPage>(addressOf('audit', { ...query, cursor: extra.next ?? undefined }));
      setLater({ after, rows: [...extra.rows, ...page.items], next: page.next });
    } catch (fault) {
      setProblem(asProblem(fault));
    }
  };
  return {
    first,
    rows: [...(first.data?.items ?? []), ...extra.rows],
    more: extra.next === null ? undefined : more,
    problem,
  };
}
