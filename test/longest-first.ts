import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Keeps all workers busy. The first test file builds the package that those of commands start; what needs no package runs
 * beside it, and the many small files come last, so that no worker waits for another at the end.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const of = (project: string) => sorted.filter((one) => one.project.name === project);
    const [builds, ...others] = of('e2e');
    const known = [...(builds ? [builds] : []), ...of('slow'), ...others];
    return [...known, ...sorted.filter((one) => !known.includes(one))];
  }
}
