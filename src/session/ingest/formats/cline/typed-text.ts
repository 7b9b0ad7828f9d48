import { taggedTexts } from '../tags.ts';

/** What a person wrote stands in tags, among what the program adds. */
const TYPED = new Set(['task', 'feedback', 'user_message', 'answer']);

export function typedText(text: string): { readonly text: string; readonly typed: boolean } {
  const typed = [...taggedTexts(text, TYPED)].map(({ inside }) => inside).join('\n');
  if (typed !== '') return { text: typed, typed: true };
  const rest = text.replace(/<environment_details>[\s\S]*?(?:<\/environment_details>|$)/g, '').trim();
  return { text: rest, typed: rest !== '' && !/^(?:\[|<|#)/.test(rest) };
}

export function isTaggedText(text: string): boolean {
  return /<environment_details>/.test(text) || /^\s*<(?:task|user_message)>/.test(text);
}
