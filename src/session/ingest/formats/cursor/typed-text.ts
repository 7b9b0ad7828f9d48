import { textBetween } from '../tags.ts';

/** What a person typed stands between marks among what the program adds; a message without them may be either. */
export function typedText(text: string): { readonly text: string; readonly typed: boolean } {
  const query = textBetween(text, '<user_query>', '</user_query>');
  if (query !== undefined) return { text: query, typed: true };
  return { text, typed: !/^\s*<[a-z_-]+>/.test(text) };
}
