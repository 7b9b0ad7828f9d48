/** The texts that `init` writes: for people, who will change them. */

import type { InitRequest } from '../operations/init/init-project.ts';
import { truthPathOf } from '../operations/init/init-project.ts';
import type { ProjectFolder } from '../operations/init/inspect-folder.ts';
import type { Answers } from './init.ts';
import { installLines } from './install-source.ts';

type Step = { readonly measured: 'decomposition' | 'workflow'; readonly truth: string };

/** The artifact that CI stores. */
const ARTIFACT = { decomposition: 'assay.xml', workflow: 'assay.html' } as const;

/** The trend needs runs over time. */
const SCHEDULE = {
  decomposition: "  schedule: # every week; '17 5 * * *' is every day\n    - cron: '17 5 * * 1'\n",
  workflow: '',
} as const;

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
on:
  pull_request: # before a merge
  workflow_call: # before a deployment: call it from that workflow
${SCHEDULE[step.measured]}permissions:
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

/** The CI step, and the file it belongs in. GitLab has a single file, which Assay does not change. */
export function ciStep({ ci, measured, review }: Answers, found: ProjectFolder): Pick<InitRequest, 'ci'> {
  if (measured === 'sessions' || ci === 'none') return {};
  const [truth = 'review.yaml'] = found.truths;
  const step = { measured, truth: review === undefined ? `truth/${truth}` : truthPathOf(review) };
  return ci === 'gitlab'
    ? { ci: { path: '.gitlab/assay.gitlab-ci.yml', text: gitlabText(step, found) } }
    : { ci: { path: '.github/workflows/assay.yml', text: githubText(step, found) } };
}

/** The documented test: `npm run test:row3 -- --compare`. */
export const TEST_SCRIPT = { name: 'test:row3', line: 'assay decomposition run' } as const;

/** The configuration that `init` writes: for people, who will change it. An editor completes it where it finds the schema. */
export function configText(schema: string | undefined): string {
  const editors =
    schema === undefined
      ? '# `assay schema configuration` prints a schema with which an editor completes this file.'
      : `# yaml-language-server: $schema=${schema}`;
  return `${editors}\n${SETTINGS}`;
}

const SETTINGS = `# Change the defaults of Assay here. \`assay config\` shows every setting and where it comes from.
# To change a setting, uncomment it together with the names above it.

decomposition:
  # What \`assay decomposition run\` measures: a model, a program, recorded outputs, or the built-in extractor (local).
  # extractor: command
  # command: python extract.py # reads the text, prints JSON; finds the prompt in ASSAY_PROMPT_FILE
  # prompt: decompose-concepts # its newest version in prompts/; [decompose-concepts, map-ontology] for two steps
  # The gate uses the documented lines unless you set your own; every report names those you set.
  gate:
    # Block when most relationships are missing, or most quotes do not occur in the text.
    guards: block
    # lines: { concept_recall: { fail: 0.7, target: 0.8 }, hallucination_rate: 0.02 }
    # leaveOut: [provenance_coverage] # outputs without quotes
    # minCases: 5
  # The documented overall score of a perfect run is 0.85; 'attainable' reaches 1.
  # overallScale: attainable
  # What lint asks of golden cases; these are the documented numbers.
  # golden: { domains: [technical, legal], predicates: [IS_A, CAUSES, RELATES_TO], minCases: 5, concepts: [15, 25] }
  # What the predicates of your extractor mean.
  # predicateMap: { leads to: CAUSES }
  # Where concepts and relationships are in outputs of another shape.
  # map: { concepts: 'entities[].name', relationships: 'relations[].head/tail/type' }

# workflow:
  # The least that a review has to reach; below it the gate blocks.
  # minimums: { dr: 60, precision: 0.7 }
  # The weight of each part of overall effectiveness (OES); they sum to 1.
  # weights: { wds: 0.4, precision: 0.25, dq: 0.2, te: 0.15 }
  # categories: [SCOPE, SECURE, PERF]

# session:
  # Sessions with a lower Q are flagged.
  # flagBelow: 0.4
  # The weight of each category in Q; they sum to 1.
  # weights: { coding: { completion: 0.15, execution: 0.2, efficiency: 0.15, outcome: 0.5 } }
`;
