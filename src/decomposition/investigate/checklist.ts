/** Every question of section 6, answered from the evidence. Judgements that evidence cannot make are suggestions. */
import { countByKind, type Findings } from './findings.ts';
import { amount, nameSome, suggestion, tally } from './label-words.ts';
import { sayNarrow, type Traits, traitsOf } from './precision.ts';
import { RUNS_TO_AGREE } from './suspicions.ts';

export type ChecklistAnswer = {
  readonly section: string;
  readonly question: string;
  readonly answer: string;
  readonly suggested: boolean;
};

type Question = readonly [question: string, answer: (findings: Findings, traits: Traits) => string];

export function checklist(findings: Findings): ChecklistAnswer[] {
  const traits = traitsOf(findings);
  return SECTIONS.flatMap(({ section, clean, questions }) =>
    questions.map(([question, answer]) => {
      const text = clean(traits, findings) ?? answer(findings, traits);
      return { section, question, answer: text, suggested: text.startsWith(suggestion('')) };
    }),
  );
}

/** Why agreement between runs is not informative here. */
function cannotTell({ runs, distinctRuns }: Findings): string | undefined {
  if (distinctRuns >= RUNS_TO_AGREE) return undefined;
  return runs === 1 ? 'one run cannot tell' : `all ${runs} runs have the same output, which cannot tell`;
}

type Section = {
  readonly section: string;
  /** The one answer to all its questions when nothing is wrong. */
  readonly clean: (traits: Traits, findings: Findings) => string | undefined;
  readonly questions: readonly Question[];
};

const RECALL: Section = {
  section: '6.1',
  clean: ({ missed }) => (missed === 0 ? 'No expected concept is missed.' : undefined),
  questions: [
    [
      'Which specific concepts were missed?',
      ({ missed, runs }) =>
        `${nameSome(missed.map((one) => (runs > 1 ? `${one.label} (${one.runs} of ${runs} runs)` : one.label)))}.`,
    ],
    [
      'Are the missed concepts mentioned explicitly in the source text?',
      (findings, { stated, missed }) => {
        const aliased = findings.missed.filter(({ kind }) => kind === 'stated under an alias');
        const names = aliased.map(({ label, name }) => `${label} as "${name}"`);
        return `${stated} of ${missed} are${names.length > 0 ? `, some under another name: ${nameSome(names)}` : ''}.`;
      },
    ],
    [
      'Are the missed concepts implied but not stated?',
      (findings, { implied, missed }) => {
        const some = findings.missed.filter(({ kind }) => kind === 'implied').map(({ label }) => label);
        return implied === 0
          ? `None of ${missed} is.`
          : `Of ${implied} of ${missed} the words stand near each other, but not as a phrase: ${nameSome(some)}.`;
      },
    ],
    ['Is the prompt instruction too narrow/restrictive?', (_, traits) => suggestion(`${sayNarrow(traits)}.`)],
    [
      'Would a few-shot example help?',
      ({ missed }, { nearMissed, missed: all, stated }) =>
        suggestion(
          2 * nearMissed >= all
            ? `for ${nearMissed} of ${all} misses something close was extracted, so an example of how to name concepts may help.`
            : stated > 0
              ? `an example that extracts ${nameSome(
                  missed.filter(({ kind }) => kind.startsWith('stated')).map(({ label }) => label),
                  3,
                )} from such a sentence may help.`
              : 'the evidence does not point to one: none of the missed concepts is stated.',
        ),
    ],
  ],
};

const PRECISION: Section = {
  section: '6.2',
  clean: ({ extra }) => (extra === 0 ? 'Every extracted concept is expected.' : undefined),
  questions: [
    [
      'Which concepts were hallucinated?',
      ({ extras }, { invented, canaries, extra }) => {
        const names = extras
          .filter(({ kind }) => kind === 'canary' || kind === 'not in the text')
          .map(({ label }) => label);
        return invented + canaries === 0
          ? `None: all ${amount(extra, 'unexpected concept')} are in the text or close to an expected one.`
          : `${invented + canaries} of ${amount(extra, 'unexpected concept')} are not in the text: ${nameSome(names)}.`;
      },
    ],
    [
      'Do they appear in the forbidden list (intentional canaries)?',
      ({ extras }, { canaries, extra }) =>
        canaries === 0
          ? 'None does.'
          : `${canaries} of ${extra}: ${nameSome(extras.flatMap(({ canary }) => canary ?? []))}.`,
    ],
    [
      'Are they plausible inferences from the source text?',
      (findings) => `Unexpected concepts by what the text says: ${tally(countByKind(findings.extras))}.`,
    ],
    [
      'Is the prompt instruction too permissive?',
      (_, { inText, plausible, extra, invented, canaries, nearMisses }) =>
        suggestion(
          2 * (inText + plausible) > extra
            ? `${inText + plausible} of ${extra} unexpected concepts come from the text and are not asked for; the instruction may be too permissive.`
            : 2 * (invented + canaries) > extra
              ? `${invented + canaries} of ${extra} are not in the text; the instruction may not demand that every concept stands in it.`
              : 2 * nearMisses > extra
                ? `${nearMisses} of ${extra} are close to an expected concept; naming, not permission, seems to be the point.`
                : 'the unexpected concepts are of several kinds, and no single one points to it.',
        ),
    ],
    [
      'Is the model temperature too high?',
      (findings, { onceOnly, canaries, invented }) => {
        const { runs, extras } = findings;
        const distinct = extras.filter(({ kind }) => kind === 'canary' || kind === 'not in the text').length;
        if (canaries + invented === 0) return suggestion('nothing points to it: nothing is invented.');
        const untold = cannotTell(findings);
        if (untold !== undefined)
          return suggestion(`${untold}; inventions that change from run to run would point to it.`);
        return suggestion(
          2 * onceOnly > distinct
            ? `${onceOnly} of ${distinct} inventions appear in one of ${runs} runs only; the temperature may be too high.`
            : `${distinct - onceOnly} of ${distinct} inventions come back in several of ${runs} runs, which points to the prompt or the model rather than the temperature.`,
        );
      },
    ],
  ],
};

const RELATIONSHIPS: Section = {
  section: '6.3',
  clean: ({ wrong, missedRelationships }) =>
    wrong + missedRelationships === 0 ? 'Every relationship is as expected.' : undefined,
  questions: [
    [
      'Which relationships were incorrect?',
      ({ relationships }, { wrong, missedRelationships }) =>
        wrong === 0
          ? `None of the extracted ones; ${missedRelationships} expected ones are missing.`
          : `${wrong}: ${nameSome(
              relationships.wrong.map((one) => `${one.source} ${one.predicate} ${one.target} (${one.kind})`),
            )}.`,
    ],
    [
      'Was the source/target correct but predicate wrong?',
      (_, { wrongPredicate, wrong, confused }) =>
        `In ${wrongPredicate} of ${wrong}${confused === undefined ? '' : `; most often ${confused.extracted} instead of ${confused.expected} (${confused.count})`}.`,
    ],
    [
      'Are predicate definitions clear enough in the prompt?',
      (_, { confused, wrongPredicate, wrong }) =>
        suggestion(
          confused === undefined
            ? 'nothing points against it: no pair has another predicate than expected.'
            : `${wrongPredicate} of ${wrong} wrong relationships have the right pair; ${confused.expected} and ${confused.extracted} may not be told apart clearly enough.`,
        ),
    ],
    [
      'Is the relationship directionally reversed?',
      (_, { reversed, wrong }) => `${reversed} of ${wrong} are.`,
    ],
    [
      'Would predicate examples help?',
      (_, { wrongPredicate, reversed, unmatchedEnd, wrong }) =>
        suggestion(
          wrongPredicate + reversed > 0
            ? `an example of each confused predicate with its direction may help with ${wrongPredicate + reversed} of ${wrong}.`
            : unmatchedEnd > 0
              ? `not first: ${unmatchedEnd} of ${wrong} fail because an end is no expected concept, so better concepts come before.`
              : 'the evidence does not point to it.',
        ),
    ],
  ],
};

function withQuote({ quotes }: Findings): ReadonlyMap<string, number> {
  return countByKind(quotes.filter(({ kind }) => kind !== 'missing'));
}

const PROVENANCE: Section = {
  section: '6.4',
  clean: ({ noQuote, badQuote }, { totals }) =>
    totals.extracted === 0
      ? 'No concept was extracted.'
      : noQuote + badQuote === 0
        ? 'Every concept has a quote that stands in the text.'
        : undefined,
  questions: [
    [
      'Which concepts lack provenance?',
      ({ quotes }, { noQuote }) =>
        noQuote === 0
          ? 'None: every concept has a quote.'
          : `${noQuote}: ${nameSome(quotes.filter(({ kind }) => kind === 'missing').map(({ label }) => label))}.`,
    ],
    [
      'Is the source text sufficiently detailed?',
      ({ extras, missed, quotes }, { noQuote }) => {
        const absent = new Set(
          [...extras, ...missed].filter(({ kind }) => kind === 'not in the text').map(({ label }) => label),
        );
        const lacking = quotes.filter(({ kind }) => kind === 'missing');
        const silent = lacking.filter(({ label }) => absent.has(label)).length;
        return noQuote === 0
          ? 'Every concept has a quote, so it does not matter here.'
          : `${silent} of ${lacking.length} concepts without a quote do not stand in the text; for the others there is a passage to quote.`;
      },
    ],
    [
      'Is the prompt instruction for quoting clear?',
      (findings, { noQuote, badQuote }) =>
        suggestion(
          noQuote > badQuote
            ? `${amount(noQuote, 'quote is', 'quotes are')} missing; the instruction may not demand one for each concept.`
            : `${amount(badQuote, 'quote is', 'quotes are')} not verified (${tally(withQuote(findings))}); the instruction may not say that they must be copied word for word, from where the text speaks of the concept.`,
        ),
    ],
    [
      'Is the model truncating or paraphrasing quotes?',
      (findings) => {
        const kinds = withQuote(findings);
        const [cut, changed] = [kinds.get('truncated') ?? 0, kinds.get('paraphrased') ?? 0];
        const others = new Map([...kinds].filter(([kind]) => kind !== 'truncated' && kind !== 'paraphrased'));
        const rest = others.size === 0 ? '' : ` The others: ${tally(others)}.`;
        return cut + changed === 0 ? `Neither.${rest}` : `${cut} truncated, ${changed} paraphrased.${rest}`;
      },
    ],
  ],
};

const GOLDEN: Section = {
  section: '6.5',
  clean: () => undefined,
  questions: [
    [
      'Is the expected concept set too strict/lenient?',
      (findings) => {
        const { suspicions, runs } = findings;
        const of = (kind: string) => suspicions.filter((one) => one.kind === kind).map(({ label }) => label);
        const [lacking, never] = [of('concept missing'), of('never found')];
        const untold = cannotTell(findings);
        if (untold !== undefined)
          return suggestion(
            `${untold}; several different ones (three repeats of each case, or more than one folder of outputs) can.`,
          );
        if (lacking.length + never.length === 0) {
          return suggestion(`nothing points to it in ${runs} runs.`);
        }
        const parts = [
          ...(lacking.length > 0
            ? [`most runs also extract ${nameSome(lacking)}, which the text says: it may be too strict`]
            : []),
          ...(never.length > 0 ? [`no run finds ${nameSome(never)}: is each one worth expecting`] : []),
        ];
        return suggestion(`${parts.join('; ')}.`);
      },
    ],
    [
      'Are concept aliases comprehensive enough?',
      ({ suspicions }) => {
        const some = suspicions.filter(({ kind }) => kind === 'alias missing');
        return suggestion(
          some.length === 0
            ? 'nothing points to a missing alias.'
            : `${nameSome(some.map(({ label, why }) => `"${label}" ${why}`))}.`,
        );
      },
    ],
    [
      'Is the source text ambiguous?',
      (findings, { unsteady }) =>
        suggestion(
          cannotTell(findings) !== undefined
            ? `${cannotTell(findings)}; several that disagree would point to it.`
            : unsteady.length === 0
              ? `nothing points to it: what one of ${findings.runs} runs finds, all find.`
              : `${amount(unsteady.length, 'expected concept is', 'expected concepts are')} found in some of ${findings.runs} runs and missed in others (${nameSome(unsteady)}); their sentences may be read in two ways.`,
        ),
    ],
    [
      'Should the golden case be updated?',
      ({ suspicions }) =>
        suggestion(
          suspicions.length === 0
            ? 'nothing points to it.'
            : `look at ${amount(suspicions.length, 'suspicion')} first: ${tally(countByKind(suspicions))}.`,
        ),
    ],
  ],
};

const SECTIONS: readonly Section[] = [RECALL, PRECISION, RELATIONSHIPS, PROVENANCE, GOLDEN];
