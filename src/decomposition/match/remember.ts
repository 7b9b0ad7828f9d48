/** The same labels come again in every output of a case, as concepts and as ends of relationships. */
const [MOST_REMEMBERED, LONGEST_REMEMBERED] = [20_000, 100];

/** A pure function of a label that does not work twice for the same one. */
export function remember<T>(work: (label: string) => T): (label: string) => T {
  const memory = new Map<string, T>();
  return (label) =>
    memory.get(label) ?? keep(memory, label, work(label), MOST_REMEMBERED, LONGEST_REMEMBERED);
}

/** Of one case: its outputs say the same things again and again. */
const [MOST_OF_CASE, LONGEST_OF_CASE] = [1000, 2000];

/** The same for a function of a label and what it is held against, as long as that stays the same. */
export function rememberFor<Owner extends object, T>(
  work: (owner: Owner, label: string) => T,
): (owner: Owner, label: string) => T {
  const memoryOf = rememberLast((_: Owner) => new Map<string, T>());
  return (owner, label) => {
    const memory = memoryOf(owner);
    return memory.get(label) ?? keep(memory, label, work(owner, label), MOST_OF_CASE, LONGEST_OF_CASE);
  };
}

/** Cases come one after the other: the last one is all that is worth remembering, and all that is held. */
export function rememberLast<Owner extends object, T>(work: (owner: Owner) => T): (owner: Owner) => T {
  let last: { readonly owner: Owner; readonly result: T } | undefined;
  return (owner) => {
    if (last?.owner !== owner) last = { owner, result: work(owner) };
    return last.result;
  };
}

function keep<T>(memory: Map<string, T>, label: string, result: T, most: number, longest: number): T {
  if (label.length > longest) return result;
  if (memory.size >= most) memory.clear();
  memory.set(label, result);
  return result;
}
