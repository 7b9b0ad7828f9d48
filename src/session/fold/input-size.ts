/** How many characters the model wrote into a call: a lower bound of its tokens can be told from it. */
const MAX_NODES = 2_000;

export function inputChars(input: unknown): number {
  const open: unknown[] = [input];
  let chars = 0;
  for (let left = MAX_NODES; left > 0 && open.length > 0; left -= 1) {
    const value = open.pop();
    if (typeof value === 'string') chars += value.length;
    else if (Array.isArray(value)) open.push(...value.slice(0, MAX_NODES));
    else if (typeof value === 'object' && value !== null)
      open.push(...Object.values(value).slice(0, MAX_NODES));
  }
  return chars;
}
