import { z } from 'zod';
import { configSchema } from '../../config.ts';
import { snakeCase } from '../../letter-case.ts';
import { encoded, from } from '../wire.ts';
import { head } from './parts.ts';

/** The declared settings under snake_case names; what a setting holds is data and stays as it is. */
function settingsOf(declared: z.ZodObject): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(declared.shape).map(([key, setting]) => {
        const open =
          setting instanceof z.ZodPrefault || setting instanceof z.ZodDefault ? setting.unwrap() : setting;
        return [snakeCase(key), open instanceof z.ZodObject ? settingsOf(open) : (open as z.ZodType)];
      }),
    ),
  );
}

/** `path`: from the whole configuration to the setting. */
type Setting = {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly from: 'flag' | 'environment' | 'file' | 'default';
};
type InForce = { readonly settings: readonly Setting[] };

function nested(settings: readonly Setting[], depth = 0): Record<string, unknown> {
  const groups = Map.groupBy(settings, ({ path }) => path[depth] ?? '');
  return Object.fromEntries(
    [...groups].map(([key, own]) => {
      const [only] = own;
      return [snakeCase(key), only?.path.length === depth + 1 ? only.value : nested(own, depth + 1)];
    }),
  );
}

/** Every setting that is in force. */
export const settings = z.strictObject({
  ...head('assay-settings'),
  path: z.string().nullable().describe('The configuration file; `null`: there is none'),
  settings: from((one: InForce) => nested(one.settings), encoded(settingsOf(configSchema))),
  origins: from(
    ({ settings: all }: InForce) =>
      Object.fromEntries(all.map((one) => [one.path.map(snakeCase).join('.'), one.from])),
    z
      .record(z.string(), z.enum(['flag', 'environment', 'file', 'default']))
      .describe('Where each value comes from'),
  ),
});
