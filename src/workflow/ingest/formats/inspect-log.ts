/** Logs of Inspect AI (JSON, or a `.eval` archive) whose samples contain reviews as answers. */
import { isRecord, refuse } from '../fields.ts';
import { type ReviewAnswer, runsOfAnswers } from './answers.ts';
import type { Importer, RawFile } from './importer.ts';

type Fields = Readonly<Record<string, unknown>>;

export const inspectLog: Importer = {
  name: 'inspect-log',
  title: 'Inspect AI log',
  suffixes: { '.eval': 'evaluation' },
  cannotCarry: ['depth', 'concerns', 'labels', 'tokens'],
  detect: (file) => logIn(file) !== undefined,
  readRuns: (file, options) => {
    const log = logIn(file);
    if (log === undefined || file.kind !== 'document')
      throw refuse({ path: file.path, value: undefined }, [], 'is no log of Inspect AI');
    return runsOfAnswers(file.document, answersIn(log), options);
  },
};

type Log = { readonly about: Fields; readonly samples: readonly unknown[] };

function logIn(file: RawFile): Log | undefined {
  const whole = file.kind === 'document' ? file.document.value : undefined;
  if (!isRecord(whole) || !isRecord(whole.eval) || !Array.isArray(whole.samples)) return undefined;
  return typeof whole.eval.task === 'string' ? { about: whole.eval, samples: whole.samples } : undefined;
}

function answersIn({ about, samples }: Log): ReviewAnswer[] {
  const model = typeof about.model === 'string' ? about.model : 'unnamed';
  return samples.map((value, index): ReviewAnswer => {
    const sample: Fields = isRecord(value) ? value : {};
    const metadata: Fields = isRecord(sample.metadata) ? sample.metadata : {};
    const task = metadata.task ?? sample.id;
    return {
      place: ['samples', index],
      workflow: model,
      task: task === undefined ? undefined : String(task),
      answer: answerOf(sample.output),
    };
  });
}

function answerOf(output: unknown): unknown {
  if (!isRecord(output)) return undefined;
  if (typeof output.completion === 'string') return output.completion;
  const choice = Array.isArray(output.choices) ? output.choices[0] : undefined;
  const content = isRecord(choice) && isRecord(choice.message) ? choice.message.content : undefined;
  if (!Array.isArray(content)) return content;
  return content
    .flatMap((part) => (isRecord(part) && typeof part.text === 'string' ? [part.text] : []))
    .join('\n');
}
