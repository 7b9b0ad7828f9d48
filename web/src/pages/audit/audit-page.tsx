import '../quality.css';
import { formatDate } from '../../../../src/report/number.ts';
import { useResource } from '../../api/use-resource.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Pill } from '../../parts/measured.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, ProblemNote, Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { withQuery } from '../../router/location.ts';
import type { PageProps } from '../../routes.ts';
import { CheckCard, CheckLead } from './audit-check.tsx';
import { AUDIT_DAYS, AUDIT_FIELDS, auditQuery } from './audit-filters.ts';
import type { AuditEntry, AuditVerification } from './shapes.ts';
import { useAuditPages } from './use-audit-pages.ts';

const PAGE_ROWS = 50;

/** Who wrote, approved and deleted what, and how tokens were used and refused. */
export function AuditPage({ query }: PageProps) {
  const asked = auditQuery(query);
  const pages = useAuditPages({ ...asked, limit: PAGE_ROWS });
  const head = query.get('head') ?? undefined;
  const check = useResource<AuditVerification>('audit/verification', { head }, [], { later: true });
  const isNarrowed = Object.values(asked).some((value) => value !== undefined && value !== '');
  if (pages.first.problem?.status === 403 && pages.first.data === undefined) return <NotForYou />;
  return (
    <Page title="Audit log" lead={<CheckLead check={check} />}>
      <FilterBar typed={AUDIT_FIELDS} days={AUDIT_DAYS} />
      <div class="card">
        <Show of={pages.first} rows={8}>
          {() => (
            <>
              <AuditTable rows={pages.rows} isNarrowed={isNarrowed} />
              {pages.problem !== undefined && (
                <ProblemNote problem={pages.problem} retry={() => pages.more?.()} />
              )}
              {pages.more !== undefined && (
                <button type="button" class="chip" onClick={pages.more}>
                  Show {PAGE_ROWS} more
                </button>
              )}
            </>
          )}
        </Show>
      </div>
      <CheckCard check={check} />
    </Page>
  );
}

function NotForYou() {
  return (
    <Page title="Audit log">
      <Empty command="assay token create --scope admin">
        Who did what is for those who look after the server: your token may not see it. Whoever runs the
        server makes one that may with
      </Empty>
    </Page>
  );
}

const OUTCOMES = {
  done: ['✓ done', 'good'],
  refused: ['▲ refused', 'caution'],
  failed: ['✗ failed', 'bad'],
} as const;

function OutcomePill({ outcome, status, origin, altered }: AuditEntry) {
  const [text, tone] = OUTCOMES[outcome];
  return (
    <>
      <Pill tone={tone}>{text}</Pill>
      {altered && <Pill tone="bad">✗ altered</Pill>}
      {status !== null && outcome !== 'done' && (
        <div class="sub keep">
          {origin === 'command line' ? 'exit code' : 'HTTP'} {status}
        </div>
      )}
    </>
  );
}

/** Every address begins so: what tells them apart is after it. */
const said = (what: string): string => what.replace(' /api/v1/', ' /');

function AuditTable({
  rows,
  isNarrowed,
}: {
  readonly rows: readonly AuditEntry[];
  readonly isNarrowed: boolean;
}) {
  return (
    <Table
      caption="Who did what"
      rows={rows}
      rowKey={({ id }) => id}
      main
      limit={rows.length}
      columns={[
        {
          key: 'what',
          title: 'what',
          names: true,
          value: ({ what }) => what,
          show: ({ what, target }) => (
            <div class="words">
              {said(what)}
              {target !== null && <div class="sub">{target}</div>}
            </div>
          ),
        },
        {
          key: 'who',
          title: 'who',
          value: ({ who }) => who,
          show: ({ who, token, origin }) => (
            <>
              <a href={withQuery({ who: token ?? who })}>{who}</a>
              <div class="sub">
                {token !== null && `token ${token}, `}
                {origin}
              </div>
            </>
          ),
        },
        {
          key: 'outcome',
          title: 'outcome',
          value: ({ outcome }) => outcome,
          show: (one) => <OutcomePill {...one} />,
        },
        {
          key: 'times',
          title: 'times',
          numeric: true,
          hint: 'What comes all the time is counted by the minute',
          value: ({ times }) => times,
        },
        {
          key: 'project',
          title: 'project',
          value: ({ project }) => project,
        },
        {
          key: 'at',
          title: 'when',
          value: ({ at }) => at,
          show: ({ at }) => (
            <time class="keep" dateTime={at}>
              {formatDate(at)}
            </time>
          ),
        },
        { key: 'target', title: 'of', unseen: true, value: ({ target }) => target },
        { key: 'token', title: 'token', unseen: true, value: ({ token }) => token },
        { key: 'origin', title: 'from', unseen: true, value: ({ origin }) => origin },
        { key: 'status', title: 'status', unseen: true, value: ({ status }) => status },
        {
          key: 'altered',
          title: 'altered',
          unseen: true,
          value: ({ altered }) => (altered ? 'altered' : null),
        },
        { key: 'id', title: 'id', unseen: true, value: ({ id }) => id },
      ]}
      empty={
        isNarrowed ? (
          <Empty>Nothing of that is written down.</Empty>
        ) : (
          <Empty>
            Nothing is written down yet. An entry is made when somebody rates, approves, starts, stops or
            deletes something, here or with a command, and when a token is made, used, refused or revoked.
          </Empty>
        )
      }
    />
  );
}
