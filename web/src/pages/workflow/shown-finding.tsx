import type { Finding } from './shapes.ts';

/** What a finding says and where: never which run or workflow it comes from. */
export function ShownFinding({ finding }: { readonly finding: Finding }) {
  const { id, title, description, category, severity, depth, quote } = finding;
  const where = [finding.file, finding.section, linesOf(finding.lines)].filter((part) => part !== undefined);
  const what = [category, severity?.toLowerCase(), depth?.toLowerCase()].filter((part) => part !== undefined);
  return (
    <article class="item" aria-label={`Finding ${id}`}>
      <h2>
        {id} {title}
      </h2>
      {description !== undefined && <p>{description}</p>}
      <p class="sub">{[...where, ...what].join(' · ')}</p>
      {quote !== undefined && <blockquote>{quote}</blockquote>}
    </article>
  );
}

export function linesOf(lines: readonly number[] | undefined): string | undefined {
  if (lines === undefined || lines.length === 0) return undefined;
  const [from, to] = lines;
  return to === undefined || to === from ? `line ${from}` : `lines ${from}–${to}`;
}
