import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Keeps all workers busy: what starts commands first, and the many small files last, so that no worker waits for another
 * at the end.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ project }: TestSpecification) => project.name !== 'unit';
    return [...sorted.filter(isLong), ...sorted.filter((one) => !isLong(one))];
  }
}
