const DAY_MS = 86_400_000;

/** The ISO 8601 week of a moment in UTC: weeks begin on Monday, and week 1 holds the first Thursday of the year. */
export function isoWeek(at: string): { readonly week: string; readonly monday: string } {
  const day = Math.floor(Date.parse(at) / DAY_MS);
  // 1970-01-01 was a Thursday; Monday counts as 0.
  const monday = day - ((((day + 3) % 7) + 7) % 7);
  const year = new Date((monday + 3) * DAY_MS).getUTCFullYear();
  const firstThursday = Math.floor(Date.UTC(year, 0, 4) / DAY_MS);
  const firstMonday = firstThursday - ((((firstThursday + 3) % 7) + 7) % 7);
  const number = (monday - firstMonday) / 7 + 1;
  return {
    week: `${year}-W${String(number).padStart(2, '0')}`,
    monday: new Date(monday * DAY_MS).toISOString(),
  };
}
