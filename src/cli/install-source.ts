import { packageVersion } from '../package-version.ts';

/**
 * What `npm install` takes Assay from. The name `assay` on the npm registry is not ours, so until a release it is a
 * tarball that a project commits. A release changes this file and "Add Assay to a project" in docs/ci.md.
 */
export function installSource(): string {
  return `./vendor/assay-${packageVersion()}.tgz`;
}

/** Lines of a CI file: a project with a `package.json` has Assay as a dependency, any other installs it for the job. */
export function installLines(packageJson: boolean, indent: string, step: string): string {
  const source = installSource();
  return [
    '# Assay is not on the npm registry. Pack it from a clone of Assay and commit the tarball:',
    '#   mkdir -p vendor && npm pack ../assay --pack-destination vendor',
    ...(packageJson ? [`#   npm install --save-dev ${source}`] : []),
    `${step}${packageJson ? 'npm ci' : `npm install --no-save ${source}`}`,
  ]
    .map((line) => indent + line)
    .join('\n');
}
