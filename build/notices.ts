import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whose code is inside a bundle, as its licence asks. Modules are named by their paths. */
export function noticesOf(moduleIds: readonly string[]): string {
  const folders = new Set(
    moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []),
  );
  return `${[...folders].sort().map(noticeOf).join('\n\n')}\n`;
}

function noticeOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (licence === undefined) throw new Error(`${name} ${version} has no licence text to pass on`);
  return `# ${name} ${version}\n\n${readFileSync(join(folder, licence), 'utf8').trim()}`;
}
