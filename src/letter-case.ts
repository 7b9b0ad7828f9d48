/** `task_type` → `taskType`. */
export type CamelCase<Key extends string> =
  Key extends Uppercase<Key>
    ? Key
    : Key extends `${infer First}_${infer Rest}`
      ? `${First}${Capitalize<CamelCase<Rest>>}`
      : Key;

/** `task_type` → `taskType`. */
export function camelCase(key: string): string {
  return key.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `matchLevel` → `match_level`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
