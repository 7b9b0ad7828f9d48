/** The spans of time that are looked back at, as documented: a week, a month, a quarter. */
const BRIEF_DAYS = { week: 7, month: 30, quarter: 91 } as const;

export type BriefKind = keyof typeof BRIEF_DAYS;

export type BriefPeriod = {
  readonly since: string;
  readonly until: string;
  /** Where the span of the same length before begins. */
  readonly before: string;
};

export function briefPeriod(kind: BriefKind, until: Date): BriefPeriod {
  const days = BRIEF_DAYS[kind];
  const back = (count: number) => new Date(until.getTime() - count * 86_400_000).toISOString();
  return { since: back(days), until: until.toISOString(), before: back(2 * days) };
}
