/**
 * The command line that tests start: the sources, which need no build. The slow tests take the package as people install
 * it, made once for all test files of a run.
 */
import { join, resolve } from 'node:path';
import { packedPackage } from './packed-package.ts';

export const LAUNCHER = join(
  process.env.ASSAY_TEST_PACKED === '1' ? packedPackage() : resolve('.'),
  'bin/assay.js',
);
