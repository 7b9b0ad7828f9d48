import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { goldenCaseSchema } from './golden-case.ts';
import { decompositionJsonSchemas } from './json-schemas.ts';
import { parseOutput } from './output.ts';

const exampleOf = (page: string): unknown =>
  JSON.parse(/```json\n([\s\S]*?)```/.exec(readFileSync(`docs/formats/${page}.md`, 'utf8'))?.[1] ?? '');

it('publishes what the readers check: every key of a golden case and of an output', () => {
  const keysOf = (name: string) =>
    Object.keys((decompositionJsonSchemas().get(name) as { properties: object }).properties);
  expect(keysOf('golden-case')).toEqual(Object.keys(goldenCaseSchema.in.shape));
  expect(keysOf('extraction-output')).toContain('promptVersion');
});

it('shows examples in its pages that the readers accept', () => {
  expect(goldenCaseSchema.safeParse(exampleOf('golden-case')).error).toBeUndefined();
  expect(parseOutput(exampleOf('extraction-output'), 'the page').relationships).toHaveLength(1);
});
