/** Lines of the transcript, read from the file on demand and rendered as text only. */
import './transcript.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TranscriptLines } from '../../api/shapes.ts';
import { useResource } from '../../api/use-resource.ts';
import { Card } from '../../parts/card.tsx';
import { Show } from '../../parts/states.tsx';

const AROUND = 4;
const PAGE = 20;
const WHO = { person: 'person', agent: 'agent', call: 'call', result: 'result' } as const;

type Window = { readonly from: number; readonly to: number };

export function Transcript({
  id,
  line,
  start,
}: {
  readonly id: string;
  /** The line to show. */
  readonly line: number | undefined;
  /** Where it is opened without being asked. */
  readonly start?: Window;
}) {
  const [window, setWindow] = useState<Window | undefined>(start);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (line === undefined) return;
    setWindow({ from: Math.max(1, line - AROUND), to: line + AROUND });
    box.current?.scrollIntoView({ block: 'nearest' });
    box.current?.focus({ preventScroll: true });
  }, [line]);
  return (
    <div ref={box} tabIndex={-1} class="transcript">
      <Card
        title={window === undefined ? 'Transcript' : `Transcript, lines ${window.from} to ${window.to}`}
        aside="read from the file for this page; keys are masked"
      >
        {window === undefined ? (
          <button type="button" class="chip" onClick={() => setWindow({ from: 1, to: PAGE })}>
            Read from the beginning
          </button>
        ) : (
          <Lines id={id} window={window} marked={line} onMove={setWindow} />
        )}
      </Card>
    </div>
  );
}

function Lines({
  id,
  window: { from, to },
  marked,
  onMove,
}: {
  readonly id: string;
  readonly window: Window;
  readonly marked: number | undefined;
  readonly onMove: (window: Window) => void;
}) {
  const lines = useResource<TranscriptLines>(`sessions/${encodeURIComponent(id)}/lines`, { from, to });
  return (
    <>
      <Show of={lines} rows={4}>
        {({ lines: said }) =>
          said.length === 0 ? (
            <p class="sub">Nothing is said on these lines.</p>
          ) : (
            <ol class="said">
              {said.map(({ line, who, text }, index) => (
                <li key={`${line} ${index}`} class={line === marked ? 'marked' : undefined}>
                  <span class="faint">
                    {line} {WHO[who]}
                  </span>
                  <pre>{text}</pre>
                </li>
              ))}
            </ol>
          )
        }
      </Show>
      <div class="row">
        {from > 1 && (
          <button type="button" class="chip" onClick={() => onMove({ from: Math.max(1, from - PAGE), to })}>
            Earlier
          </button>
        )}
        <button type="button" class="chip" onClick={() => onMove({ from, to: to + PAGE })}>
          Later
        </button>
      </div>
    </>
  );
}
