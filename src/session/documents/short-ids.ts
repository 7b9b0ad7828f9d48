/** Eight characters tell most ids apart; a whole one of twelve is told by its end as often as by its beginning. */
const LENGTHS = [8, 12, 16] as const;
const WHOLE = 12;

/** Id → as much of it as names one session of the list: its beginning, else its end, else all of it. */
export function shortIds(ids: readonly string[]): Map<string, string> {
  const unique = [...new Set(ids)];
  const short = new Map(unique.flatMap((id) => (id.length <= WHOLE ? [[id, id] as const] : [])));
  for (const length of LENGTHS)
    for (const part of [(id: string) => id.slice(0, length), (id: string) => id.slice(-length)])
      for (const [name, [one, ...others]] of Map.groupBy(unique, part))
        if (one !== undefined && others.length === 0 && !short.has(one)) short.set(one, name);
  return new Map(unique.map((id) => [id, short.get(id) ?? id]));
}
