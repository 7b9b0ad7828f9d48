/** `task_type` → `taskType`. */
export type CamelCase<Key extends string> =
  Key extends Uppercase<Key>
    ? Key
    : Key extends `${infer First}_${infer Rest}`
      ? `${First}${Capitalize<CamelCase<Rest>>}`
      : Key;

/** `taskType` → `task_type`. */
export type SnakeCase<Key extends string> = Key extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Key;

/** `task_type` → `taskType`. */
export function camelCase(key: string): string {
  return key.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `matchLevel` → `match_level`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The same properties under camelCase names, without those that are undefined. */
export function withCamelKeys<T extends object>(
  value: T,
): { readonly [Key in keyof T as CamelCase<Key & string>]: T[Key] } {
  return renamed(value, camelCase) as ReturnType<typeof withCamelKeys<T>>;
}

/** The same properties under snake_case names, without those that are undefined. */
export function withSnakeKeys(value: object): Readonly<Record<string, unknown>> {
  return renamed(value, snakeCase);
}

function renamed(value: object, rename: (key: string) => string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[rename(key), one]])),
  );
}
