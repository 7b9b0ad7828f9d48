import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Pill } from '../../parts/measured.tsx';
import { Empty, Failed, Show } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import type { Decisions, Prompts } from './shapes.ts';

const STATE_TONE = {
  'in force': 'good',
  'promoted before': 'quiet',
  held: 'caution',
  rejected: 'bad',
  'not promoted': 'quiet',
} as const;

const FILE_TONE = {
  'as recorded': 'quiet',
  'as created': 'quiet',
  draft: 'quiet',
  'not recorded': 'quiet',
  changed: 'bad',
  deleted: 'bad',
} as const;

export function PromptCard() {
  const prompts = useResource<Prompts>('decomposition/prompts');
  return (
    <Card title="Prompt versions">
      <Show of={prompts}>
        {({ prompts: rows, fault }) => (
          <>
            {fault !== null && <Failed title="The ledger of the prompts is broken" detail={fault} />}
            <Table
              caption="Prompt versions"
              rows={rows}
              rowKey={({ prompt }) => prompt}
              columns={[
                { key: 'prompt', title: 'prompt', names: true, value: ({ prompt }) => prompt },
                {
                  key: 'state',
                  title: 'state',
                  value: ({ state }) => state,
                  show: ({ state }) => <Pill tone={STATE_TONE[state]}>{state}</Pill>,
                },
                {
                  key: 'file',
                  title: 'file',
                  value: ({ file }) => file,
                  show: ({ file }) => <span class={`tone-${FILE_TONE[file]}`}>{file}</span>,
                },
                {
                  key: 'since',
                  title: 'since',
                  value: ({ since }) => since,
                  show: ({ since }) => <When at={since} />,
                },
                { key: 'who', title: 'who', value: ({ who }) => who },
              ]}
              empty={
                <Empty command="assay decomposition prompt new">No prompt yet. This begins a version:</Empty>
              }
            />
          </>
        )}
      </Show>
    </Card>
  );
}

const ACTION_TONE = {
  promoted: 'good',
  held: 'caution',
  rejected: 'bad',
  'rolled back': 'caution',
  created: 'quiet',
  'experiment started': 'quiet',
  'experiment stopped': 'quiet',
} as const;

export function DecisionCard() {
  const decisions = useResource<Decisions>('decomposition/prompts/decisions');
  return (
    <Card title="Promotions and other decisions" aside="newest first, from the ledger">
      <Show of={decisions}>
        {({ decisions: rows }) => (
          <Table
            caption="Decisions about prompts"
            rows={rows}
            rowKey={({ seq }) => String(seq)}
            columns={[
              {
                key: 'prompt',
                title: 'prompt',
                names: true,
                value: ({ prompt }) => prompt,
                show: ({ prompt, from }) => (
                  <>
                    {prompt}
                    {from !== null && <div class="sub">was {from}</div>}
                  </>
                ),
              },
              {
                key: 'action',
                title: 'decision',
                value: ({ action }) => action,
                show: ({ action }) => <Pill tone={ACTION_TONE[action]}>{action}</Pill>,
              },
              {
                key: 'reasons',
                title: 'why',
                value: ({ reasons }) => reasons.join('; '),
                show: ({ reasons }) => <div class="words">{reasons.join('; ')}</div>,
              },
              { key: 'who', title: 'who', value: ({ who }) => who },
              { key: 'at', title: 'when', value: ({ at }) => at, show: ({ at }) => <When at={at} /> },
              { key: 'from', title: 'from', unseen: true, value: ({ from }) => from },
              { key: 'sha256', title: 'sha256', unseen: true, value: ({ sha256 }) => sha256 },
            ]}
            empty={
              <Empty command="assay decomposition prompt promote --help">
                Nothing was decided yet. This measures a version and decides:
              </Empty>
            }
          />
        )}
      </Show>
    </Card>
  );
}
