/** A build step: writes the hash of the readers, so that a start need not compute it. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hashReaders, STAMP } from './readers-version.ts';

writeFileSync(STAMP, hashReaders(fileURLToPath(new URL('..', import.meta.url))));
