import '../quality.css';
import { useState } from 'preact/hooks';
import type { Row, View as ViewOf } from '../../../../src/report/view.ts';
import { type Resource, useView } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, Show } from '../../parts/states.tsx';
import { rowsOf, Section, View } from '../../parts/view.tsx';
import { choose, place, withQuery } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import { AUDIT_DAYS, AUDIT_FIELDS, auditQuery } from './audit-filters.ts';

const ENTRIES = 'Who did what';
const PAGE_ROWS = 50;
const MOST_ROWS = 1000;

/** Who wrote, approved and deleted what, and how tokens were used and refused. */
export function AuditPage({ query }: PageProps) {
  const asked = auditQuery(query);
  const [limit, setLimit] = useState(PAGE_ROWS);
  const entries = useView('audit', { ...asked, limit });
  const check = useView('audit/verification', { head: query.get('head') ?? undefined }, [], { later: true });
  const isNarrowed = Object.values(asked).some((value) => value !== undefined && value !== '');
  if (entries.problem?.status === 403 && entries.data === undefined) return <NotForYou />;
  const isFull = entries.data !== undefined && rowsOf(entries.data, ENTRIES).length === limit;
  return (
    <Page title="Audit log" lead={check.data?.answer ?? 'Who did what, newest first.'}>
      <FilterBar typed={AUDIT_FIELDS} days={AUDIT_DAYS} />
      <Section
        title={ENTRIES}
        of={entries}
        main={ENTRIES}
        show={{ who: Who }}
        empty={
          isNarrowed ? (
            <Empty>No matching entries.</Empty>
          ) : (
            <Empty>
              Nothing is written down yet. An entry is made when somebody rates, approves, starts, stops or
              deletes something, here or with a command, and when a token is made, used, refused or revoked.
            </Empty>
          )
        }
      />
      {isFull && limit < MOST_ROWS && (
        <button
          type="button"
          class="chip"
          onClick={() => setLimit(Math.min(MOST_ROWS, limit + 4 * PAGE_ROWS))}
        >
          Show more
        </button>
      )}
      <Check check={check} />
    </Page>
  );
}

/** Leads to everything that this person or token did. */
function Who({ who, token }: Row) {
  return <a href={withQuery({ who: String(token ?? who) })}>{String(who)}</a>;
}

function NotForYou() {
  return (
    <Page title="Audit log">
      <Empty command="assay token create --scope admin">
        Your token may not see the audit log. Whoever runs the server makes one that may with
      </Empty>
    </Page>
  );
}

/** Whether the log is unaltered, and a field for a head that was stored elsewhere. */
function Check({ check }: { readonly check: Resource<ViewOf> }) {
  if (check.problem?.status === 403 && check.data === undefined)
    return (
      <Card title="Is it as it was written?">
        <Empty>
          Only who sees all projects can tell: in the log of some, entries of the others would look removed.
        </Empty>
      </Card>
    );
  return (
    <>
      <Show of={check} rows={2}>
        {(data) => <View of={data} />}
      </Show>
      <div class="row">
        <label class="field">
          A head that you kept
          <input
            maxLength={300}
            value={place.value.query.get('head') ?? ''}
            onChange={({ currentTarget }) => choose({ head: currentTarget.value.trim() })}
          />
        </label>
        <button type="button" class="chip" disabled={check.loading} onClick={check.reload}>
          {check.loading ? 'looking at every entry …' : 'Look again'}
        </button>
      </div>
    </>
  );
}
