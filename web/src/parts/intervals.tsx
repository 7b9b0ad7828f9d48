/** A few values with their intervals on one scale, for a card. */
export type IntervalRow = {
  readonly label: string;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
};

export function Intervals({
  rows,
  domain: [from, to],
  format,
  ends,
}: {
  readonly rows: readonly IntervalRow[];
  readonly domain: readonly [number, number];
  readonly format: (value: number) => string;
  /** Words at both ends of the scale. */
  readonly ends: readonly [string, string];
}) {
  const place = (value: number) => `${(100 * (value - from)) / (to - from || 1)}%`;
  return (
    <div class="intervals">
      {rows.map(({ label, value, low, high }) => (
        <div key={label} class="interval">
          <span class="cut">{label}</span>
          <span class="scale">
            {low !== null && high !== null && (
              <i style={{ left: place(low), right: `calc(100% - ${place(high)})` }} />
            )}
            <b style={{ left: place(value) }} />
          </span>
          <span class="num">
            {format(value)}
            {low !== null && high !== null && (
              <span class="unseen">
                {' '}
                [{format(low)}, {format(high)}]
              </span>
            )}
          </span>
        </div>
      ))}
      <div class="interval faint" aria-hidden="true">
        <span />
        <span class="ends">
          <span>{ends[0]}</span>
          <span>{ends[1]}</span>
        </span>
        <span />
      </div>
    </div>
  );
}
