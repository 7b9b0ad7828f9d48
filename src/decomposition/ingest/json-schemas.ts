import { z } from 'zod';
import { goldenCaseSchema } from './golden-case.ts';
import { extractionOutputSchema } from './output.ts';

/** The published JSON Schemas, made from the same declarations that the readers check with: file name → schema. */
export function decompositionJsonSchemas(): ReadonlyMap<string, object> {
  return new Map([
    [
      'golden-case',
      schemaOf(goldenCaseSchema, 'Golden case: what a decomposition of one text should produce'),
    ],
    ['extraction-output', schemaOf(extractionOutputSchema, 'Output of an extractor for one text')],
  ]);
}

/** What a person or a program writes, before defaults are filled in. */
function schemaOf(schema: z.ZodType, title: string): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return { $schema, title, ...rest };
}
