import { z } from 'zod';
import { mappingSchema } from './mapping.ts';
import { experimentSchema } from './read-experiment.ts';
import { runSchema } from './run-schema.ts';
import { truthSchema } from './truth-schema.ts';

/** The published JSON Schemas by file name. They come from the schemas that the readers validate with. */
export function workflowJsonSchemas(): ReadonlyMap<string, object> {
  return new Map([
    ['workflow-ground-truth', schemaOf(truthSchema, 'Ground truth of a review')],
    ['workflow-run', schemaOf(runSchema, 'One run of a review')],
    ['workflow-experiment', schemaOf(experimentSchema, 'Experiment: workflows, tasks and runs')],
    ['workflow-mapping', schemaOf(mappingSchema, 'Severities and categories of other tools')],
  ]);
}

/** The input form of a schema, before defaults are applied. */
function schemaOf(schema: z.ZodType, title: string): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return { $schema, title, ...rest };
}
