import { z } from 'zod';
import { configSchema } from './config.ts';

/** The published JSON Schema of `assay.config.json`; a `.ts` file has the type `UserConfig`. */
export function configJsonSchema(): object {
  const file = configSchema.extend({ $schema: z.string().optional() });
  const { $schema, ...rest } = z.toJSONSchema(file, {
    io: 'input',
    // An annotation for our own reference, unknown to validators.
    override: ({ jsonSchema }) => {
      delete jsonSchema.settings;
    },
  });
  return { $schema, title: 'Configuration: assay.config.json', ...rest };
}
