export function runHref(id: string): string {
  return `/decomposition/runs/${encodeURIComponent(id)}`;
}

export function caseHref(run: string, id: string): string {
  return `${runHref(run)}/cases/${encodeURIComponent(id)}`;
}

export function compareHref(a: string, b: string): string {
  return `/decomposition/compare?${new URLSearchParams({ a, b })}`;
}

/** Enough of an id to distinguish runs. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

export function goldenHref(id: string): string {
  return `/decomposition/golden/${encodeURIComponent(id)}`;
}
