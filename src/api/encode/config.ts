import type { z } from 'zod';
import { snakeCase } from '../../letter-case.ts';
import type { settings as schema } from '../schema/config.ts';

type Setting = {
  /** From the whole configuration to the setting. */
  readonly path: readonly string[];
  readonly value: unknown;
  readonly from: z.infer<typeof schema>['origins'][string];
};

export function encodeSettings(
  path: string | undefined,
  settings: readonly Setting[],
): z.infer<typeof schema> {
  const origins = settings.map((one) => [one.path.map(snakeCase).join('.'), one.from] as const);
  return {
    format: 'assay-settings',
    version: 1,
    path: path ?? null,
    settings: nested(settings),
    origins: Object.fromEntries(origins),
  };
}

function nested(settings: readonly Setting[], depth = 0): Record<string, unknown> {
  const groups = Map.groupBy(settings, ({ path }) => path[depth] ?? '');
  return Object.fromEntries(
    [...groups].map(([key, own]) => {
      const [only] = own;
      return [snakeCase(key), only?.path.length === depth + 1 ? only.value : nested(own, depth + 1)];
    }),
  );
}
