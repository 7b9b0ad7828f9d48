/** What transcripts of a format can show, as far as it decides what can be measured. */

export const CAPABILITIES = [
  'tokens',
  'cost',
  'failures',
  'denials',
  'compaction',
  'sub-agents',
  'ends',
  'model',
] as const;

export type Capability = (typeof CAPABILITIES)[number];

/** What each is, and what a session loses without it. */
export const CAPABILITY_MEANINGS: Readonly<Record<Capability, { what: string; without: string }>> = {
  tokens: {
    what: 'Tokens of its messages, or of the whole.',
    without: 'Token efficiency and the cost are unmeasured, unless the cost is stated.',
  },
  cost: {
    what: 'The cost, as the agent itself counted it.',
    without: 'It is estimated from tokens, model and a list of prices.',
  },
  failures: {
    what: 'Calls that failed, by a field or an exit code.',
    without: 'The text of a result tells; where that is silent, the call has no outcome.',
  },
  denials: {
    what: 'Calls that a person or a rule refused, or that a person stopped.',
    without: 'Such a call counts as what its result looks like.',
  },
  compaction: {
    what: 'That the context was compacted.',
    without: 'Compactions are unmeasured.',
  },
  'sub-agents': {
    what: 'Agents that the session started, or that it was started by another.',
    without: 'Delegation is unmeasured.',
  },
  ends: {
    what: 'How a run ended: done, stopped, at a limit, with an error.',
    without: 'The last message tells.',
  },
  model: {
    what: 'The model.',
    without: 'No cost is estimated, and the session is in no comparison of models.',
  },
};
