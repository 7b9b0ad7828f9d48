/** JSON with keys as every other result of Assay has them. Keys that are data stand in lists, never here. */
export function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
      snakeCase(inner),
    ]),
  );
}
