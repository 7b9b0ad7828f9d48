/** The line width of the repository's formatter. */
const WIDTH = 110;

/** JSON as the formatter writes it: a list of plain values stays on its line while it fits. */
export function jsonText(value: unknown, indent = '', column = 0): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const short = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
    // One more for the comma that may follow.
    const fits = column + short.length + 1 <= WIDTH;
    if (fits && value.every((item) => typeof item !== 'object')) return short;
    const items = value.map((item) => `${inner}${jsonText(item, inner, inner.length)}`);
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => {
    const start = `${inner}${JSON.stringify(key)}: `;
    return `${start}${jsonText(item, inner, start.length)}`;
  });
  return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n${indent}}`;
}
