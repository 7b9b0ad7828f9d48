import { z } from 'zod';
import { GOLDEN_RULES, type Vocabulary } from '../golden-rules.ts';
import { goldenSchemaWith } from './golden-case.ts';
import { extractionOutputSchema } from './output.ts';

/** The published JSON Schemas by file name. They come from the schemas that the readers validate with. */
export function decompositionJsonSchemas(): ReadonlyMap<string, object> {
  return new Map([
    ['golden-case', goldenJsonSchema(GOLDEN_RULES)],
    ['extraction-output', schemaOf(extractionOutputSchema, 'Output of an extractor for one text')],
  ]);
}

export function goldenJsonSchema(vocabulary: Vocabulary): object {
  return schemaOf(
    goldenSchemaWith(vocabulary),
    'Golden case: what a decomposition of one text should produce',
  );
}

function schemaOf(schema: z.ZodType, title: string): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return { $schema, title, ...rest };
}
