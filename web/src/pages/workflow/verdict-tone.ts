import type { Comparison } from './shapes.ts';

type Tone = 'good' | 'bad' | 'caution' | 'quiet';

const WORDS: Readonly<Record<Comparison['verdict'], readonly [string, Tone]>> = {
  improved: ['✓', 'good'],
  worse: ['✗', 'bad'],
  'improved on this error set only': ['▲', 'caution'],
  'worse on this error set only': ['▲', 'caution'],
  'mixed: loses critical errors': ['✗', 'bad'],
  'within run noise': ['–', 'quiet'],
  'too few to tell': ['–', 'quiet'],
  'not comparable': ['–', 'quiet'],
};

export function verdictTone(verdict: string): { readonly text: string; readonly tone: Tone } {
  const [mark, tone] = WORDS[verdict as Comparison['verdict']] ?? ['–', 'quiet'];
  return { text: `${mark} ${verdict}`, tone };
}
