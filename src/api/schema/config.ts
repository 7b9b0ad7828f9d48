import { z } from 'zod';
import { configSchema } from '../../config.ts';
import { snakeCase } from '../../letter-case.ts';

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

/** Every setting that is in force. */
export const settings = z.strictObject({
  format: z.literal('assay-settings'),
  version: z.literal(1),
  path: z.string().nullable().describe('The configuration file; `null`: there is none'),
  settings: settingsOf(configSchema),
  origins: z
    .record(z.string(), z.enum(['flag', 'environment', 'file', 'default']))
    .describe('Where each value comes from'),
});
