import { formatAmount, formatDate, formatValue } from '../../../../src/report/number.ts';
import type { QueuedOutput } from './rate-outputs-page.tsx';

/** What a service was given and what it made of it, as far as that was kept. */
export function OutputText({ item: { decomposition: made, text, output } }: { readonly item: QueuedOutput }) {
  const facts = [
    formatDate(made.at),
    made.topic,
    made.prompt_version,
    made.model,
    made.latency_ms === undefined ? undefined : formatValue(made.latency_ms, 'ms'),
  ];
  return (
    <div class="stack">
      <p class="sub">
        <code>{made.id}</code> {facts.filter((one) => one !== undefined).join(' · ')}
      </p>
      {made.status === 'error' && (
        <p>
          <span class="tone-bad">✗</span> The request failed{made.error_kind && `: ${made.error_kind}`}.
        </p>
      )}
      {text === null ? (
        <p class="sub">
          Its text was not kept, or is gone by now: look it up by its id. Texts of sampled requests are kept
          where the service sends them and <code>production.keepText</code> is on.
        </p>
      ) : (
        <p class="source-text">{text}</p>
      )}
      <p class="sub">
        {made.concepts === undefined
          ? 'How many concepts is not known'
          : formatAmount(made.concepts, 'concept')}
        {made.relationships !== undefined && `, ${formatAmount(made.relationships, 'relationship')}`}
      </p>
      {output !== null && output !== undefined && (
        <details>
          <summary>The whole output</summary>
          <pre class="whole-output">{JSON.stringify(output, null, 2)}</pre>
        </details>
      )}
    </div>
  );
}
