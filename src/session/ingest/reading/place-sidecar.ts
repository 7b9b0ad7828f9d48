/** What is known from beside a transcript is told between its own events. */
import type { Emit, Sidecar } from '../formats/format.ts';

/**
 * Puts the events of a sidecar where they belong: before the transcript, at the border between two runs, at the end.
 * `seen`: the time of the last event that was emitted when this transcript was read before. `shown`: how many
 * compactions the transcript has shown, when asked at the end; only then is it known how many it left out.
 */
export function placeSidecar(
  sidecar: Sidecar,
  emit: Emit,
  seen?: number,
  shown: () => number = () => 0,
): { readonly emit: Emit; readonly finish: () => void } {
  const waiting = sidecar.between.filter((event) => seen === undefined || (event.at ?? 0) > seen);
  let line = 1;
  let session: string | undefined;
  let next = 0;
  for (const event of sidecar.before) emit(event);
  return {
    emit: (event, id) => {
      const border = event.kind === 'user' && event.origin !== 'runtime' && event.at !== undefined;
      for (; border; next += 1) {
        const early = waiting[next];
        if (early === undefined || (early.at ?? 0) > (event.at ?? 0)) break;
        emit({ ...early, line }, id);
      }
      line = event.line;
      session = id;
      emit(event, id);
    },
    finish: () => {
      const missing = (sidecar.compactions ?? 0) - shown();
      for (let i = 0; i < missing; i++) emit({ kind: 'compaction', line }, session);
      for (const event of sidecar.after) emit({ ...event, line }, session);
    },
  };
}
