/** Which row `j` or `k` leads to: from the one that has the focus, or from the first. */
export function nextRow(body: HTMLTableSectionElement | null, step: 1 | -1): HTMLTableRowElement | undefined {
  const rows = [...(body?.rows ?? [])];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  if (at === -1) return rows[step === 1 ? 0 : rows.length - 1];
  return rows[Math.max(0, Math.min(rows.length - 1, at + step))];
}

export function isUnder(element: EventTarget | null, above: EventTarget | null): boolean {
  return element instanceof Node && above instanceof Node && above.contains(element);
}
