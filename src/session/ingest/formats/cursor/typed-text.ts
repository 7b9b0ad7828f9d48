/** What a person typed stands between marks among what the program adds; a message without them may be either. */
export function typedText(text: string): { readonly text: string; readonly typed: boolean } {
  const query = /<user_query>\s*([\s\S]*?)\s*<\/user_query>/.exec(text)?.[1];
  if (query !== undefined) return { text: query, typed: true };
  return { text, typed: !/^\s*<[a-z_-]+>/.test(text) };
}
