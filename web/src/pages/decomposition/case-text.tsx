import { markedText, type Piece } from './marked-text.ts';
import type { CaseStory, Trial } from './shapes.ts';

/** The text with every verified quote marked: a solid line under what was right, a broken one under what was not. */
export function CaseText({
  text,
  trial,
}: {
  readonly text: CaseStory['text'];
  readonly trial: Trial | undefined;
}) {
  if (text.state === 'absent') {
    return (
      <p class="sub">
        The text is not kept with a run, and it is not in the golden cases of the folder that is served:{' '}
        {text.why}.
      </p>
    );
  }
  const pieces = markedText(text.text, text.as_measured ? (trial?.concepts ?? []) : []);
  return (
    <>
      {!text.as_measured && (
        <p class="stale" role="status">
          <span class="tone-caution">▲</span> The golden cases have changed since this run, so its quotes are
          not marked in the text.
        </p>
      )}
      <p class="source-text">
        {pieces.map((piece) =>
          piece.concepts.length === 0 ? (
            <span key={piece.from}>{piece.text}</span>
          ) : (
            <Quote key={piece.from} piece={piece} />
          ),
        )}
      </p>
      {text.citation !== null && <p class="sub">Source: {text.citation}</p>}
    </>
  );
}

function Quote({ piece: { from, text, concepts } }: { readonly piece: Piece }) {
  const kinds = new Set(concepts.map(({ kind }) => kind));
  const kind = kinds.has('canary') ? 'canary' : kinds.has('found') ? 'found' : 'invented';
  const said = concepts.map((one) => `${one.label} (${one.kind})`).join(', ');
  return (
    <mark id={`quote-${from}`} class={`quote-${kind}`} data-hint={said}>
      {text}
      <span class="unseen"> [{said}] </span>
    </mark>
  );
}
