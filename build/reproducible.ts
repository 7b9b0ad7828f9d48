/** Builds the package twice, in two clean folders, and compares the bytes: `npm run reproducible`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packClean } from './pack-clean.ts';
import { sha256 } from './provenance.ts';

/** Gives the bytes of the package, which two builds in different places, zones and locales have made alike. */
export function packTwice(): Buffer {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-build-'));
  try {
    const [first, second] = [
      { folder: join(scratch, 'a'), own: { TZ: 'Pacific/Auckland', LC_ALL: 'C' } },
      { folder: join(scratch, 'another', 'place'), own: { TZ: 'UTC', LC_ALL: 'C.UTF-8' } },
    ].map(({ folder, own }) => {
      mkdirSync(folder, { recursive: true });
      return { folder, tarball: packClean(folder, { ...process.env, ...own }) };
    }) as [Made, Made];
    const [one, other] = [readFileSync(first.tarball), readFileSync(second.tarball)];
    if (one.equals(other)) return one;
    throw new Error(`two builds of the same sources differ:\n${differences(first, second)}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

type Made = { readonly folder: string; readonly tarball: string };

function differences(first: Made, second: Made): string {
  for (const { folder, tarball } of [first, second]) execFileSync('tar', ['-xzf', tarball], { cwd: folder });
  try {
    execFileSync('diff', ['-rq', join(first.folder, 'package'), join(second.folder, 'package')], {
      encoding: 'utf8',
    });
    return 'only the archives do, not what is in them';
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
    return said.split('\n').slice(0, 20).join('\n');
  }
}

if (import.meta.main) {
  const bytes = packTwice();
  console.log(`two builds, the same ${bytes.length} bytes: sha256 ${sha256(bytes)}`);
}
