/** A step of a build: writes down which readers it has, so that a start need not read all of it. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hashReaders, STAMP } from './readers-version.ts';

writeFileSync(STAMP, hashReaders(fileURLToPath(new URL('..', import.meta.url))));
