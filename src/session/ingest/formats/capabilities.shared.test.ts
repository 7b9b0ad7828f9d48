/** Files of agents that others collected show nothing that their format does not declare. */
import { existsSync, globSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FORMATS } from './formats.ts';
import { shownIn } from './testing/shown-in.ts';

const SHARED = '../shared/data/session';

describe.skipIf(!existsSync(SHARED))('files that others collected', () => {
  it('show nothing that is not declared', async () => {
    const folders = 'format-fixtures,otlp-captures,pi,claude-code/sessions';
    const files = globSync(`${SHARED}/{${folders}}/**/*`).filter((path) => statSync(path).isFile());
    const shown = await shownIn(files);
    expect(shown.size).toBeGreaterThan(14);
    const more = FORMATS.flatMap(({ name, shows }) =>
      [...(shown.get(name) ?? [])].filter((one) => !shows.includes(one)).map((one) => `${name}: ${one}`),
    );
    expect(more).toEqual([]);
  });
});
