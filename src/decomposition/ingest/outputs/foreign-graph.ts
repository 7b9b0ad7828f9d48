/** What a foreign output says, before it is read as one of ours: names may be anything, and are checked there. */
export type ForeignGraph = {
  /** Absent: the ends of the relationships are the concepts. */
  readonly concepts?: readonly { readonly label: unknown; readonly quote?: unknown }[];
  readonly relationships: readonly {
    readonly source: unknown;
    readonly target: unknown;
    readonly predicate: unknown;
    readonly quote?: unknown;
  }[];
  /** Whether the shape has a place for quotes. */
  readonly quotes: boolean;
};

/** Names that were written as numbers are names. */
export function plainText(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listIn(value: unknown, key: string): readonly unknown[] | undefined {
  const list = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return Array.isArray(list) ? list : undefined;
}
