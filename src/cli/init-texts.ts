/** The texts that `init` writes: for people, who will change them. */
import type { InitRequest } from '../operations/init/init-project.ts';
import type { ProjectFolder } from '../operations/init/look-around.ts';

const COMMANDS: Readonly<Record<'decomposition' | 'workflow', string>> = {
  decomposition: 'assay decomposition run --outputs outputs --format junit --out assay.xml',
  workflow: 'assay workflow score --truth truth --runs runs',
};

const BEFORE: Readonly<Record<'decomposition' | 'workflow', string>> = {
  decomposition: 'Put a step that writes outputs/<case>.json here, or name the file of your results below.',
  workflow: 'Put a step that writes runs/ here: what your review found.',
};

function githubText(measured: 'decomposition' | 'workflow', { packageJson }: ProjectFolder): string {
  return `name: assay
on: [pull_request]
permissions:
  contents: read
jobs:
  quality:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: ${packageJson ? 'npm ci' : 'npm install --no-save assay'}
      # ${BEFORE[measured]}
      # Exit codes: 0 passed, 1 blocked, 2 inconclusive (too little evidence), 3 could not run.
      - run: npx ${COMMANDS[measured]}
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: assay
          path: assay.xml
          if-no-files-found: ignore
`;
}

function gitlabText(measured: 'decomposition' | 'workflow', { packageJson }: ProjectFolder): string {
  return `# In .gitlab-ci.yml:
#   include:
#     - local: .gitlab/assay.gitlab-ci.yml
assay:
  image: node:24
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  script:
    - ${packageJson ? 'npm ci' : 'npm install --no-save assay'}
    # ${BEFORE[measured]}
    # Exit codes: 0 passed, 1 blocked, 2 inconclusive (too little evidence), 3 could not run.
    - npx ${COMMANDS[measured]}
  artifacts:
    when: always
    reports:
      junit: assay.xml
`;
}

/** The step that CI runs, and where it is kept. GitLab reads one file, which is not ours to change. */
export function ciStep(
  ci: string,
  measured: InitRequest['measured'],
  found: ProjectFolder,
): Pick<InitRequest, 'ci'> {
  if (measured === 'sessions' || ci === 'none') return {};
  return ci === 'gitlab'
    ? { ci: { path: '.gitlab/assay.gitlab-ci.yml', text: gitlabText(measured, found) } }
    : { ci: { path: '.github/workflows/assay.yml', text: githubText(measured, found) } };
}
