/** A small line over time with its interval, for a card; the full chart with exact values is a click away. */
export type SparkPoint = {
  readonly at: number;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
};

const WIDTH = 320;
const HEIGHT = 52;
const EDGE = 4;

export function Spark({
  points,
  label,
  domain,
}: {
  readonly points: readonly SparkPoint[];
  /** What it shows, with its first and last value: it is read out instead of the line. */
  readonly label: string;
  readonly domain: readonly [number, number];
}) {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  const span = Math.max(1, last.at - first.at);
  const x = (at: number) => EDGE + ((at - first.at) / span) * (WIDTH - 2 * EDGE);
  const y = (value: number) => {
    const share = (value - domain[0]) / (domain[1] - domain[0] || 1);
    return HEIGHT - EDGE - Math.max(0, Math.min(1, share)) * (HEIGHT - 2 * EDGE);
  };
  const line = (values: readonly (readonly [number, number])[]) =>
    values.map(([at, value]) => `${round(x(at))},${round(y(value))}`).join(' ');
  const band = points.filter(({ low, high }) => low !== null && high !== null);
  const highs = band.map(({ at, high }) => [at, high ?? 0] as const);
  const lows = band.map(({ at, low }) => [at, low ?? 0] as const);
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} class="axis" />
      {band.length > 1 && <polygon class="band" points={line([...highs, ...lows.toReversed()])} />}
      <polyline class="line" points={line(points.map(({ at, value }) => [at, value]))} />
      <circle
        class="dot"
        cx={round(points.length === 1 ? EDGE : x(last.at))}
        cy={round(y(last.value))}
        r="3"
      />
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A few values with their intervals on one scale, for a card. */
type IntervalRow = {
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
