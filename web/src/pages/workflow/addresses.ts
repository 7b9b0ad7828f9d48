function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(query)}`;
}

export function experimentHref(path: string): string {
  return withQuery('/workflow/experiment', { path });
}

export function compareHref(experiment: string, a: string, b: string): string {
  return withQuery('/workflow/compare', { experiment, a, b });
}

/** A comparison of stored runs. */
export function storedCompareHref(a: string, b: string): string {
  return withQuery('/workflow/compare', { a, b });
}

export function blindHref(folder: string, by?: string): string {
  return withQuery('/workflow/blind', { folder, ...(by !== undefined && { by }) });
}
