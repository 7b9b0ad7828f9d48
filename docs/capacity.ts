/** The table of docs/deployment.md: resources by number of sessions, computed from measurements. */

/** Each from the named section of bench/README.md. */
export const MEASURED = {
  /** store-answers: a row with its indices and sums, at a million sessions. */
  sqliteBytes: 1_000,
  /** clickhouse: a row with all its data, compressed. */
  clickhouseBytes: 709,
  /** intake: all threads, from the request to the stored row, of a session of 50 events and 43 kB. */
  processorMs: 8.47,
  /** intake: of it the thread that answers; the rest reads and scores. */
  answeringMs: 2.8,
  /** intake: what an agent sends of such a session, which is stored for `retention.intake` days. */
  intakeBytes: 43_000,
} as const;

/** Chosen, not measured. */
const ASSUMED = { keptDays: 365, peak: 5, busy: 0.5, intakeDays: 7 } as const;

/** Of the time of a processor; what a node allows itself for reading and scoring. */
const SCORING_SHARE = 0.2;

const SIZES = [1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

function bytes(count: number): string {
  return count < 1e12 ? `${short.format(count / 1e9)} GB` : `${short.format(count / 1e12)} TB`;
}

export function capacityTable(): string {
  const rows = SIZES.map((sessions) => {
    const daily = sessions / ASSUMED.keptDays;
    const peak = (daily / 86_400) * ASSUMED.peak;
    const cores = (peak * MEASURED.processorMs) / 1000;
    const scoring = (peak * (MEASURED.processorMs - MEASURED.answeringMs)) / 1000;
    return [
      whole.format(sessions),
      whole.format(daily),
      short.format(peak),
      short.format(cores),
      whole.format(Math.ceil(Math.max(cores / ASSUMED.busy, scoring / SCORING_SHARE))),
      bytes(daily * ASSUMED.intakeDays * MEASURED.intakeBytes),
      bytes(sessions * MEASURED.sqliteBytes),
      bytes(sessions * MEASURED.clickhouseBytes),
    ];
  });
  const head = [
    'sessions kept',
    'a day',
    'a second, at the peak',
    'cores to take and score them',
    'nodes',
    'intake',
    'SQLite',
    'ClickHouse',
  ];
  const lines = [head, head.map(() => '--:'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
