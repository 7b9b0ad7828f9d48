/**
 * A result as it is described for people, drawn as a page: the same description that a terminal, CSV, Markdown and HTML
 * render. A page says where rows lead and may show a column in its own way.
 */
import type { ComponentChildren } from 'preact';
import { commandLine } from '../../../src/report/action.ts';
import { formatCount } from '../../../src/report/number.ts';
import { blocksOf, type Group, groups } from '../../../src/report/page/groups.ts';
import { changesTable, metricsTable, type TextTable, textTable } from '../../../src/report/text-table.ts';
import type { ListBlock, Row, TableBlock, View as ViewOf } from '../../../src/report/view.ts';
import { splitMark, verdictMark } from '../../../src/report/zone-mark.ts';
import type { Resource } from '../api/use-resource.ts';
import { Card } from './card.tsx';
import { Chart } from './chart.tsx';
import { Pill } from './measured.tsx';
import { Command, Show } from './states.tsx';
import { TextTableView, type ViewOptions } from './text-table.tsx';

/** The answer of a result, for the first line of its page. */
export function ViewLead({ of: { answer, verdict, qualifier } }: { readonly of: ViewOf }) {
  if (verdict === undefined) return <>{answer}</>;
  const { text, tone } = verdictMark(verdict, qualifier);
  return (
    <>
      <Pill tone={tone}>{text.toLowerCase()}</Pill> {answer}
    </>
  );
}

/** The rows of a table of a result, by its title. */
export function rowsOf({ blocks }: ViewOf, title: string): readonly Row[] {
  return blocks.flatMap((block) => (block.kind === 'table' && block.title === title ? block.rows : []));
}

/** Only the blocks with these titles, without notes and next steps: for a page that puts them in places of its own. */
export function blocksNamed(of: ViewOf, ...titles: readonly string[]): ViewOf {
  const blocks = of.blocks.filter((block) => 'title' in block && titles.includes(block.title));
  return { ...of, blocks, notes: [], next: [] };
}

/** A view among others on a page; `empty` replaces one without content. */
export function Section({
  title,
  of,
  empty,
  ...options
}: ViewOptions & {
  readonly title: string;
  readonly of: Resource<ViewOf>;
  readonly empty: ComponentChildren;
}) {
  return (
    <Show of={of}>
      {(data) =>
        data.blocks.length === 0 ? (
          <Card title={title}>{empty}</Card>
        ) : (
          <View of={{ ...data, next: [] }} {...options} />
        )
      }
    </Show>
  );
}

export function View({ of, ...options }: ViewOptions & { readonly of: ViewOf }) {
  return (
    <div class="view">
      {groups(blocksOf(of)).map((group, index) => (
        <Part key={index} group={group} options={options} />
      ))}
      <ViewNotes of={of} />
    </div>
  );
}

/** The notes of a view, and its next steps in a terminal. */
function ViewNotes({ of: { notes, next } }: { readonly of: ViewOf }) {
  return (
    <div class="foot">
      {notes.length > 0 && <Items items={notes} />}
      {next.map((step) => (
        <p key={commandLine(step)}>
          In a terminal: <Command text={commandLine(step)} />
        </p>
      ))}
    </div>
  );
}

function Part({ group, options }: { readonly group: Group; readonly options: ViewOptions }) {
  switch (group.kind) {
    case 'metrics':
      return <TableCard table={metricsTable(group)} options={options} folded={group.folded} />;
    case 'changes':
      return <TableCard table={changesTable(group)} options={options} />;
    case 'table':
      return <TableCard table={textTable(group)} block={group} options={options} folded={group.folded} />;
    case 'list':
      return <List {...group} />;
    case 'links':
      return null;
    case 'figure':
      return (
        <section class="card">
          <Chart chart={group.chart} table={group.values === undefined} />
          {group.values !== undefined && (
            <details>
              <summary>Exact values</summary>
              <TextTableView table={textTable(group.values)} block={group.values} {...options} />
            </details>
          )}
        </section>
      );
    case 'figures':
      return (
        <div class={group.charts.length > 1 ? 'grid g2even' : 'grid'}>
          {group.charts.map((chart) => (
            <section key={chart.title} class="card">
              <Chart chart={chart} />
            </section>
          ))}
        </div>
      );
  }
}

function TableCard({
  table,
  block,
  options,
  folded = false,
}: {
  readonly table: TextTable;
  readonly block?: TableBlock;
  readonly options: ViewOptions;
  readonly folded?: boolean | undefined;
}) {
  if (table.rows.length === 0) return null;
  const shown = <TextTableView table={table} block={block} {...options} />;
  if (!folded || options.main === table.title) return <Card title={table.title}>{shown}</Card>;
  return (
    <details class="card">
      <summary>
        {table.title} ({formatCount(table.rows.length)})
      </summary>
      {shown}
    </details>
  );
}

function List({ title, items }: ListBlock) {
  return items.length === 0 ? null : (
    <Card title={title}>
      <Items items={items} />
    </Card>
  );
}

/** The shape is for eyes; a screen reader gets the words. */
function Items({ items }: { readonly items: readonly string[] }) {
  return (
    <ul class="notes">
      {items.map((item, index) => {
        const marked = splitMark(item);
        return (
          <li key={index}>
            {marked && (
              <span class={`tone-${marked.tone}`} aria-hidden="true">
                {marked.mark}{' '}
              </span>
            )}
            {marked?.words ?? item}
          </li>
        );
      })}
    </ul>
  );
}
