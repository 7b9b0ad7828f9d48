/** Results of promptfoo (`promptfoo eval -o results.json`, or `.jsonl`) whose answers are reviews. */
import { isRecord, type RawValue, refuse } from '../fields.ts';
import { type ReviewAnswer, runsOfAnswers } from './answers.ts';
import { type Importer, linesAsOne, type RawFile } from './importer.ts';

type Fields = Readonly<Record<string, unknown>>;

export const promptfoo: Importer = {
  name: 'promptfoo',
  title: 'promptfoo results',
  cannotCarry: ['depth', 'concerns', 'labels', 'tokens'],
  detect: (file) => rowsOf(file).length > 0 && rowsOf(file).every(isResult),
  readRuns: (file, options) => runsOfAnswers(sourceOf(file), rowsOf(file).map(answerOf), options),
};

function rowsOf(file: RawFile): readonly unknown[] {
  if (file.kind === 'lines') return file.lines.map(({ value }) => value);
  const whole = file.kind === 'document' ? file.document.value : undefined;
  const results = isRecord(whole) ? whole.results : undefined;
  const list = isRecord(results) ? results.results : results;
  return Array.isArray(list) ? list : [];
}

function sourceOf(file: RawFile): RawValue {
  if (file.kind === 'document') return file.document;
  if (file.kind === 'lines') return linesAsOne(file, (values) => values);
  throw refuse({ path: file.path, value: undefined }, [], 'is text, not results');
}

function isResult(row: unknown): boolean {
  return isRecord(row) && typeof row.testIdx === 'number' && typeof row.promptIdx === 'number';
}

function answerOf(row: unknown, index: number): ReviewAnswer {
  const { provider, prompt, testCase, vars, response, output } = (isRecord(row) ? row : {}) as Fields;
  const test = isRecord(testCase) ? testCase : {};
  const named = [test.metadata, vars, test.vars].map((one) => (isRecord(one) ? one.task : undefined));
  const task = [...named, test.description].find((one) => typeof one === 'string' && one !== '');
  const label =
    isRecord(prompt) && typeof prompt.label === 'string' && prompt.label.length <= 60 ? prompt.label : '';
  return {
    place: ['results', index],
    // A prompt with its own name is a separate workflow.
    workflow: [providerName(provider), ...(/[{\s]/.test(label) || label === '' ? [] : [label])].join('-'),
    task: task as string | undefined,
    answer: (isRecord(response) ? response.output : undefined) ?? output,
  };
}

function providerName(provider: unknown): string {
  const id = isRecord(provider) ? (provider.label ?? provider.id) : provider;
  return typeof id === 'string' && id !== '' ? id : 'unnamed';
}
