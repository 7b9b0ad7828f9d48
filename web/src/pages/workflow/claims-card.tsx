import { Card } from '../../parts/card.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Table } from '../../parts/table.tsx';

type Claim = {
  readonly claim: string;
  readonly about?: string | undefined;
  readonly allowed: boolean;
  readonly missing?: string | undefined;
};

/** What may be said of a comparison, and what is missing for the rest. */
export function ClaimsCard({
  claims,
  notes = [],
}: {
  readonly claims: readonly Claim[];
  readonly notes?: readonly string[];
}) {
  const rows = claims.map((claim, index) => ({ ...claim, index }));
  return (
    <Card title="What may be claimed">
      <Table
        caption="What may be claimed"
        rows={rows}
        rowKey={({ index }) => String(index)}
        columns={[
          {
            key: 'claim',
            header: 'claim',
            names: true,
            value: ({ claim }) => claim,
            show: ({ claim, about }) => (
              <>
                {claim}
                {about !== undefined && <div class="sub">{about}</div>}
              </>
            ),
          },
          { key: 'about', header: 'about', unseen: true, value: ({ about }) => about },
          {
            key: 'allowed',
            header: 'allowed',
            value: ({ allowed }) => allowed,
            show: ({ allowed }) =>
              allowed ? <Pill tone="good">✓ yes</Pill> : <Pill tone="quiet">– not yet</Pill>,
          },
          {
            key: 'missing',
            header: 'what is missing',
            value: ({ missing }) => missing,
            show: ({ missing }) => <div class="words">{missing ?? ''}</div>,
          },
        ]}
      />
      {notes.length > 0 && <p class="sub">{notes.join(' ')}</p>}
    </Card>
  );
}
