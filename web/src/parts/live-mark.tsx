import { connection } from '../api/events.ts';

const WORDS = {
  connecting: ['○', 'connecting', 'quiet'],
  live: ['●', 'live', 'good'],
  lost: ['▲', 'not live: trying again', 'caution'],
  closed: ['–', 'not live', 'quiet'],
} as const;

/** Whether what is shown follows what happens. */
export function LiveMark() {
  const [mark, word, tone] = WORDS[connection.value];
  return (
    <span class={`live tone-${tone}`} role="status">
      <i aria-hidden="true">{mark}</i> {word}
    </span>
  );
}
