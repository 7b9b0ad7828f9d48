/**
 * The command line that tests start: the package as people install it, made once for all test files of a run. With
 * `ASSAY_TEST_SOURCES=1` it is the sources, which need no build when one test is run again and again.
 */
import { join, resolve } from 'node:path';
import { packedPackage } from './packed-package.ts';

export const LAUNCHER = join(
  process.env.ASSAY_TEST_SOURCES === '1' ? resolve('.') : packedPackage(),
  'bin/assay.js',
);
