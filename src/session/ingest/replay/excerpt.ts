/**
 * What was asked first and answered last, read from the transcript again when a person wants to see it. Text is for
 * the terminal of that person only: it is cut short, and nothing of it is kept.
 */
import type { Event } from '../../event.ts';
import { replayEvents } from './replay-events.ts';

export type Excerpt = { readonly first?: string; readonly last?: string };

const MAX_CHARS = 400;

type Heard = { first?: string; last?: string };

export async function excerptOf(path: string, sessionId: string): Promise<Excerpt> {
  return (await replayEvents<Heard>(path, sessionId, () => ({}), note)) ?? {};
}

function note(heard: Heard, event: Event): void {
  if (event.kind === 'user' && event.origin !== 'runtime') heard.first ??= short(event.text);
  if (event.kind === 'reply' && event.text.trim() !== '') heard.last = short(event.text);
}

function short(text: string): string {
  const words = text
    .slice(0, MAX_CHARS * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return words.length > MAX_CHARS ? `${words.slice(0, MAX_CHARS)}…` : words;
}
