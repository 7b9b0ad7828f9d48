import type { Measured as Measurement } from '../../api/shapes.ts';
import { Measured, type Unit } from '../../parts/measured.tsx';
import { Table } from '../../parts/table.tsx';
import { TargetMark } from './target-mark.tsx';
import type { Target } from './targets.ts';

type Figure = {
  readonly key: string;
  readonly name: string;
  readonly unit: Unit;
  readonly target?: Target | undefined;
  readonly of: Measurement;
};

/** Figures one below the other, each beside its target. */
export function FiguresTable({
  caption,
  figures,
}: {
  readonly caption: string;
  readonly figures: readonly Figure[];
}) {
  return (
    <Table
      caption={caption}
      rows={figures}
      rowKey={({ key }) => key}
      columns={[
        { key: 'figure', header: 'figure', names: true, value: ({ name }) => name },
        {
          key: 'value',
          header: 'value',
          numeric: true,
          value: ({ of }) => of.value,
          show: ({ of, unit }) => <Measured of={of} unit={unit} n />,
        },
        { key: 'n', header: 'n', unseen: true, value: ({ of }) => of.n },
        {
          key: 'target',
          header: 'target',
          value: ({ target }) => target?.says,
          show: ({ of, target }) => <TargetMark of={of} target={target} />,
        },
      ]}
    />
  );
}
