import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assayIn } from '../command-folder.ts';

/** The bundled example, with a copy of its outputs in which `urban-heat` is broken in every way there is a name for. */
const BROKEN = {
  promptVersion: 'decompose-concepts-v1.1',
  concepts: [
    { label: 'Urban heat islands', sourceQuote: 'An urban heat island is … warmer than the countryside' },
    { label: 'UHI', sourceQuote: 'AN URBAN HEAT ISLAND is a local climate effect' },
    { label: 'Climate effects', sourceQuote: 'a climate effect of the local kind' },
    { label: 'Dark roof surfaces' },
    { label: 'Evaporative cooling', sourceQuote: 'evap' },
    { label: 'Vegetation', sourceQuote: 'Evaporative cooling requires vegetation' },
    { label: 'Sunlight', sourceQuote: 'absorb sunlight' },
    { label: 'Albedo fatigue', sourceQuote: 'Albedo fatigue is known to weaken concrete bridges' },
    { label: 'Quantum entanglement' },
  ],
  relationships: [
    { source: 'Climate effects', predicate: 'IS_A', target: 'Urban heat islands' },
    { source: 'Evaporative cooling', predicate: 'CAUSES', target: 'Vegetation' },
    { source: 'Quantum entanglement', predicate: 'CAUSES', target: 'Vegetation' },
    { source: 'Vegetation', predicate: 'CAUSES', target: 'Climate effects' },
  ],
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-investigate-'));
  cpSync('examples/decomposition', folder, { recursive: true });
  cpSync(join(folder, 'outputs'), join(folder, 'broken'), { recursive: true });
  write('broken/urban-heat.json', BROKEN);
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, value: unknown): void {
  writeFileSync(join(folder, name), JSON.stringify(value));
}

const assay = (...words: string[]) => assayIn(folder, ['decomposition', ...words]);

async function json(...words: string[]) {
  const { stdout, stderr } = await assay('investigate', ...words, '--format', 'json');
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

describe('the investigation of one case', () => {
  it('answers every part of the checklist from the evidence', async () => {
    const { cases } = await json('urban-heat', '--outputs', 'broken');
    expect(cases).toHaveLength(1);
    const [one] = cases;
    expect(one).toMatchObject({
      id: 'urban-heat',
      prompt_version: 'decompose-concepts-v1.1',
      failing: [
        'concept_recall',
        'relationship_accuracy',
        'provenance_coverage',
        'hallucination_rate',
        'overall',
      ],
      runs: 1,
    });
    const kinds = (list: { label?: string; source?: string; kind: string }[]) =>
      Object.fromEntries(list.map(({ label, source, kind }) => [label ?? source, kind]));
    expect(kinds(one.missed)).toEqual({
      'dark surfaces': 'stated',
      'surface warming': 'stated',
      'heat stress': 'stated',
      'air conditioning': 'stated',
      'waste heat': 'stated',
    });
    expect(one.missed[0]).toMatchObject({
      nearest: { label: 'Dark roof surfaces' },
      passage: { from: 97, to: 110 },
    });
    expect(kinds(one.unexpected)).toEqual({
      'Albedo fatigue': 'canary',
      'Dark roof surfaces': 'near miss',
      Sunlight: 'in the text',
      'Quantum entanglement': 'not in the text',
    });
    expect(one.duplicates).toEqual([{ expected: 'urban heat island', labels: ['UHI'], count: 1 }]);
    expect(kinds(one.wrong_relationships)).toEqual({
      'Climate effects': 'reversed',
      'Evaporative cooling': 'wrong predicate',
      'Quantum entanglement': 'end not matched',
      Vegetation: 'pair not expected',
    });
    expect(one.confusion).toContainEqual({ expected: 'REQUIRES', extracted: 'CAUSES', count: 1 });
    expect(kinds(one.quotes)).toEqual({
      'Dark roof surfaces': 'missing',
      'Quantum entanglement': 'missing',
      'Evaporative cooling': 'too short',
      'Urban heat islands': 'truncated',
      Vegetation: 'truncated',
      'Climate effects': 'paraphrased',
      UHI: 'spelled differently',
      'Albedo fatigue': 'not from the text',
    });
    expect(one.checklist).toHaveLength(23);
  });

  it('fills in the template with exactly its headings, and its commands run', async () => {
    const { status, stdout } = await assay(
      'investigate',
      'urban-heat',
      '--outputs',
      'broken',
      '--format',
      'markdown',
    );
    expect(status).toBe(0);
    expect(stdout.match(/^#+ .*$|^\*\*[^*]+\*\*:/gm)?.filter((line) => !/^# \d/.test(line))).toEqual([
      '## Failure Investigation: urban-heat',
      '**Date**:',
      '**Prompt Version**:',
      '**Failing Metric(s)**:',
      '### Symptoms',
      '### Root Cause',
      '### Proposed Fix',
      '### Verification Plan',
    ]);
    expect(stdout).toMatch(/^\*\*Date\*\*: \d{4}-\d\d-\d\d {2}$/m);
    expect(stdout).toContain('**Prompt Version**: decompose-concepts-v1.1');
    expect(stdout).toContain('Concept recall 44.4% (fails below 60.0%)');
    const commands = stdout.match(/^assay .*$/gm) ?? [];
    expect(commands).toEqual([
      'assay decomposition baseline --outputs broken',
      'assay decomposition prompt new decompose-concepts-v1.1',
      'assay decomposition compare --outputs broken-next',
      'assay decomposition investigate urban-heat --outputs broken-next',
    ]);
    // The fix, for the trial: what the example has by hand. Without prompts in this folder, a copy of the shipped ones.
    cpSync(join(folder, 'outputs'), join(folder, 'broken-next'), { recursive: true });
    cpSync('prompts', join(folder, 'prompts'), { recursive: true });
    const ends: number[] = [];
    for (const line of commands) ends.push((await assay(...line.split(' ').slice(2))).status);
    expect(ends).toEqual([0, 0, 0, 0]);
  });

  it('is one page as HTML, with the confusion of predicates as a picture', async () => {
    const { status, stderr } = await assay(
      'investigate',
      'urban-heat',
      '--outputs',
      'broken',
      '--format',
      'html',
      '--out',
      'i.html',
    );
    expect(status).toBe(0);
    expect(stderr).toContain('Written to i.html');
    const html = readFileSync(join(folder, 'i.html'), 'utf8');
    for (const title of ['Symptoms', 'Root Cause', 'Proposed Fix', 'Verification Plan', 'Checklist']) {
      expect(html).toContain(`<h2>${title}</h2>`);
    }
    expect(html).toContain('<svg');
    expect(html).toContain('REQUIRES most often becomes CAUSES');
  });

  it('shows a person the answer first and the next step last', async () => {
    const { stdout } = await assay('investigate', 'urban-heat', '--outputs', 'broken');
    expect(stdout).toMatch(/^Failure Investigation: urban-heat\n\nFails Concept recall/);
    expect(stdout).toMatch(/Next: assay decomposition investigate urban-heat --format markdown/);
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
  });
});

describe('the investigation of all cases', () => {
  it('takes those with something wrong, the worst first, and names the others', async () => {
    const { cases, nothing_wrong, errored } = await json('--outputs', 'broken');
    expect(cases.map(({ id }: { id: string }) => id)).toEqual([
      'urban-heat',
      'ranked-choice',
      'safety-stock',
      'write-ahead-log',
    ]);
    expect(nothing_wrong).toEqual(['tidal-marsh']);
    expect(errored).toEqual([]);
    const markdown = (await assay('investigate', '--outputs', 'broken', '--format', 'markdown')).stdout;
    expect(markdown.match(/^## .*$/gm)).toHaveLength(4);
  });

  it('takes the runs of several folders together, and suspects the golden case where they agree', async () => {
    const { cases } = await json('urban-heat', '--outputs', 'broken,outputs');
    expect(cases[0]).toMatchObject({ runs: 2 });
    expect(cases[0].suspicions).toContainEqual({
      kind: 'concept missing',
      label: 'Sunlight',
      why: '2 of 2 runs extract it and the text says it',
    });
    expect(cases[0].suspicions).toContainEqual(
      expect.objectContaining({ kind: 'never found', label: 'waste heat' }),
    );
    expect(cases[0].verification_plan).toContainEqual({
      what: expect.stringContaining('golden case is corrected'),
      action: { operation: 'decomposition lint', positionals: ['golden'], options: {} },
    });
  });

  it('says what could not be read, and goes on with the rest', async () => {
    write('broken/safety-stock.json', { concepts: 'none' });
    const { status, stdout } = await assay('investigate', '--outputs', 'broken');
    expect(status).toBe(0);
    expect(stdout).toContain('safety-stock could not be examined');
    const both = await json('safety-stock', '--outputs', 'broken,outputs');
    expect(both.cases[0]).toMatchObject({ runs: 1 });
    expect(both.notes[0]).toContain('left out');
  });
});

describe('an investigation that cannot run ends with 3', () => {
  it.each([
    [['urban-heet', '--outputs', 'broken'], 'did you mean "urban-heat"'],
    [['--outputs', 'nowhere'], 'nowhere does not exist'],
    [['--outputs', 'broken', '--extractor', 'local'], '--extractor has no effect'],
    [['--outputs', 'broken,broken'], 'is named twice'],
    [
      ['--outputs', 'broken', '--no-semantic', '--match-level', 'semantic'],
      'contradicts the match level semantic',
    ],
    [['--golden', 'outputs', '--outputs', 'broken'], 'no golden case'],
    [['urban-heat', '--prompt', 'decompose-concepts-v1.1'], 'needs a model'],
  ])('%j', async (words, message) => {
    const { status, stdout, stderr } = await assay('investigate', ...words);
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('because no output can be read', async () => {
    write('broken/urban-heat.json', []);
    const { status, stderr } = await assay('investigate', 'urban-heat', '--outputs', 'broken');
    expect(status).toBe(3);
    expect(stderr).toContain('no case could be examined');
  });
});

it('runs an extractor itself when there are no outputs', async () => {
  writeFileSync(
    join(folder, 'extract.mjs'),
    `process.stdin.resume().on('end', () => console.log(${JSON.stringify(JSON.stringify(BROKEN))}));`,
  );
  const program = ['--extractor', 'command', '--command', `${process.execPath} extract.mjs`];
  const { cases } = await json('urban-heat', ...program, '--repeat', '2');
  expect(cases[0]).toMatchObject({ runs: 2, prompt_version: 'decompose-concepts-v1.1' });
  expect(cases[0].missed[0]).toMatchObject({ runs: 2 });
  // Two runs of one deterministic program agree with themselves.
  expect(cases[0].suspicions).toEqual([]);
  expect(existsSync(join(folder, '.assay'))).toBe(false);
});

it('keeps what a hostile output says from becoming markup', async () => {
  const label = '## x\n### Root Cause | <script>alert(1)</script> `a` @everyone';
  write('broken/urban-heat.json', {
    promptVersion: '**v1**\n# evil',
    concepts: [{ label, sourceQuote: '```\n# evil <img src=x>' }, { label: '__proto__' }],
    relationships: [{ source: label, predicate: 'CAUSES', target: '__proto__' }],
  });
  const markdown = (await assay('investigate', 'urban-heat', '--outputs', 'broken', '--format', 'markdown'))
    .stdout;
  expect(markdown.match(/^### Root Cause/gm)).toHaveLength(1);
  expect(markdown).not.toMatch(/^# evil|<script|<img|@everyone/m);
  expect(markdown).toContain('**Prompt Version**: recorded, but not as the name of a version');
  const html = (await assay('investigate', 'urban-heat', '--outputs', 'broken', '--format', 'html')).stdout;
  // One script is the page's own.
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/<img/);
  expect((await assay('investigate', 'urban-heat', '--outputs', 'broken')).status).toBe(0);
});
