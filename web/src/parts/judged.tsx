/** A value in its zone: shape and colour beside the figure, the word for those who do not see them. */
import './heat.css';
import { formatValue } from '../../../src/report/number.ts';
import { zoneMark } from '../../../src/report/zone-mark.ts';
import { type Unit, Unmeasured } from './measured.tsx';
import { type Zone, ZonePill } from './pill.tsx';

type Judged = {
  readonly value: number | null;
  readonly reason?: string | undefined;
  readonly zone: Zone | null;
};

/** A cell of a heatmap: filled with the colour of its zone. What has no lines to be judged by stays plain. */
export function HeatCell({ of, unit }: { readonly of: Judged | undefined; readonly unit: Unit }) {
  if (of === undefined || of.value === null) return <Unmeasured reason={of?.reason} />;
  if (of.zone === null) return <span>{formatValue(of.value, unit)}</span>;
  const { text, tone } = zoneMark(of.zone);
  const [mark = '', ...words] = text.split(' ');
  return (
    <span class={`heat-cell fill-soft-${tone}`}>
      <i class={`tone-${tone}`} aria-hidden="true">
        {mark}
      </i>{' '}
      {formatValue(of.value, unit)}
      <span class="unseen"> {words.join(' ')}</span>
    </span>
  );
}

/** Its zone as a word; a metric without lines says so. */
export function ZoneOf({ of }: { readonly of: Judged }) {
  if (of.value !== null && of.zone === null) return <span class="faint">no target</span>;
  return <ZonePill zone={of.zone} />;
}
