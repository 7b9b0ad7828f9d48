/** The texts that `init` writes: for people, who will change them. */

import type { InitRequest } from '../operations/init/init-project.ts';
import { truthPathOf } from '../operations/init/init-project.ts';
import type { ProjectFolder } from '../operations/init/look-around.ts';
import type { Answers } from './init-answers.ts';
import { installLines } from './install-source.ts';

type Step = { readonly measured: 'decomposition' | 'workflow'; readonly truth: string };

/** What of it CI keeps. */
const ARTIFACT = { decomposition: 'assay.xml', workflow: 'assay.html' } as const;

function commandOf({ measured, truth }: Step): string {
  return measured === 'decomposition'
    ? 'assay decomposition run --outputs outputs --format junit --out assay.xml'
    : `assay workflow score --truth ${truth} --runs runs --min dr=60 --format html --out assay.html`;
}

const BEFORE: Readonly<Record<'decomposition' | 'workflow', string>> = {
  decomposition: 'Put a step that writes outputs/<case>.json here, or name the file of your results below.',
  workflow: 'Put a step that writes runs/ here: what your review found.',
};

function githubText(step: Step, { packageJson }: ProjectFolder): string {
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
${installLines(packageJson, '      ', '- run: ')}
      # ${BEFORE[step.measured]}
      # Exit codes: 0 passed, 1 blocked, 2 inconclusive (too little evidence), 3 could not run.
      - run: npx --no-install ${commandOf(step)}
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: assay
          path: ${ARTIFACT[step.measured]}
          if-no-files-found: ignore
`;
}

function gitlabText(step: Step, { packageJson }: ProjectFolder): string {
  return `# In .gitlab-ci.yml:
#   include:
#     - local: .gitlab/assay.gitlab-ci.yml
assay:
  image: node:24
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  script:
${installLines(packageJson, '    ', '- ')}
    # ${BEFORE[step.measured]}
    # Exit codes: 0 passed, 1 blocked, 2 inconclusive (too little evidence), 3 could not run.
    - npx --no-install ${commandOf(step)}
  artifacts:
    when: always
${step.measured === 'decomposition' ? '    reports:\n      junit: assay.xml' : '    paths:\n      - assay.html'}
`;
}

/** The step that CI runs, and where it is kept. GitLab reads one file, which is not ours to change. */
export function ciStep({ ci, measured, review }: Answers, found: ProjectFolder): Pick<InitRequest, 'ci'> {
  if (measured === 'sessions' || ci === 'none') return {};
  const [truth = 'review.yaml'] = found.truths;
  const step = { measured, truth: review === undefined ? `truth/${truth}` : truthPathOf(review) };
  return ci === 'gitlab'
    ? { ci: { path: '.gitlab/assay.gitlab-ci.yml', text: gitlabText(step, found) } }
    : { ci: { path: '.github/workflows/assay.yml', text: githubText(step, found) } };
}
