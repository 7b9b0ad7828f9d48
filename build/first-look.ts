/** A step of a build: what the bundled examples come to is measured once, and not again by everybody who starts `assay`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureFirstLook } from '../src/cli/measure-first-look.ts';

const place = join(import.meta.dirname, '../dist/cli/first-look.json');
writeFileSync(place, JSON.stringify(await measureFirstLook()));
