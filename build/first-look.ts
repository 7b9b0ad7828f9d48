/** A step of a build: what the bundled examples come to is measured once, and not again by everybody who starts `assay`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MEASURED } from '../src/cli/first-look.ts';
import { measureFirstLook } from '../src/cli/measure-first-look.ts';

writeFileSync(join(import.meta.dirname, '../dist/cli', MEASURED), JSON.stringify(await measureFirstLook()));
