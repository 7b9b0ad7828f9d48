import { connection, liveUntil } from '../api/events.ts';
import { timeOfDay } from './time.ts';

const WORDS = {
  connecting: ['○', 'connecting', 'quiet'],
  live: ['●', 'live', 'good'],
  lost: ['▲', 'not live', 'caution'],
  closed: ['–', 'not live', 'quiet'],
} as const;

/** Whether what is shown follows what happens. */
export function LiveMark() {
  const [mark, word, tone] = WORDS[connection.value];
  return (
    <span class={`live tone-${tone}`} role="status">
      <i aria-hidden="true">{mark}</i> {word}
      {connection.value === 'lost' &&
        liveUntil.value !== undefined &&
        ` since ${timeOfDay(liveUntil.value)}: trying again`}
    </span>
  );
}
