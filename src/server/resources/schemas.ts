import { AssayError } from '../../errors.ts';
import { readSchema, SCHEMA_ENDING } from '../../operations/published-schemas.ts';
import { rawRoute } from '../route.ts';

/** For editors, which send no token; what is there is in every package. */
export const SCHEMAS = [
  rawRoute({
    method: 'GET',
    path: '/schemas/{file}',
    summary: 'A published JSON Schema, e.g. `/schemas/golden-case.schema.json`',
    scope: 'none',
    produces: 'application/schema+json',
    handle: async ({ params: { file } }) => {
      if (!file.endsWith(SCHEMA_ENDING))
        throw new AssayError('NOT_FOUND', `the name of a schema ends in ${SCHEMA_ENDING}`);
      return new Response(readSchema(file.slice(0, -SCHEMA_ENDING.length)), {
        headers: { 'content-type': 'application/schema+json', 'cache-control': 'private, no-cache' },
      });
    },
  }),
];
