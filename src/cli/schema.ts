import { listSchemas, type PublishedSchema, readSchema } from '../operations/published-schemas.ts';
import { renderTerminal } from '../report/terminal.ts';
import { tableOf, type View } from '../report/view.ts';
import { defineCommand } from './command.ts';

export const command = defineCommand({
  name: 'schema',
  summary: 'List the JSON Schemas of files and output, or print one for an editor or a validator',
  positionals: { usage: '[NAME]', max: 1 },
  options: {},
  examples: ['assay schema', 'assay schema workflow-run > workflow-run.schema.json'],
  run: async ({ positionals: [name] }, terminal) => {
    if (name === undefined) terminal.print(renderTerminal(listing(listSchemas()), terminal));
    else terminal.print(readSchema(name));
    return 0;
  },
});

const COLUMNS = [{ key: 'name' }, { key: 'title', title: 'of what' }];

function listing(schemas: readonly PublishedSchema[]): View {
  const [files = [], answers = []] = [true, false].map((isOfFile) =>
    schemas.filter((schema) => schema.isOfFile === isOfFile),
  );
  return {
    title: 'JSON Schemas',
    answer: `${schemas.length} schemas, in JSON Schema draft 2020-12.`,
    blocks: [tableOf('Files that you write', files, COLUMNS), tableOf('Output of Assay', answers, COLUMNS)],
    notes: [],
    next: schemas.slice(0, 1).map(({ name }) => ({ operation: 'schema', positionals: [name] })),
  };
}
