/**
 * One spelling for the forms of an English word: its plural and its British and American spellings. Rules with
 * exceptions, and careful: two words for different things (goods and good, economics and economic, means and mean)
 * stay two. A form that both sides share need not be an English word: it is only ever compared.
 */
export function oneWord(word: string): string {
  return /^\p{Ll}{4,40}$/u.test(word) ? american(singular(word)) : word;
}

/** Ends like a plural and is none, or its singular is something else. */
const NO_PLURAL: ReadonlySet<string> = new Set(
  words(`
    aids alias always arms asbestos athens atlas bayes bias biceps brussels canvas chaos christmas corps cosmos customs
    diabetes does earnings ethos forceps glasses goods grounds headquarters herpes hiccups innings kudos lens
    logos mars means measles mumps news odds pancreas pathos pliers premises proceeds rabies scissors
    series species spectacles texas thanks whereas`),
);

/** Plurals that no rule makes. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  words(`
    algae:alga alumni:alumnus antennae:antenna appendices:appendix axes:axis bacteria:bacterium biases:bias
    aliases:alias atlases:atlas canvases:canvas gases:gas biogases:biogas lenses:lens buses:bus cacti:cactus
    automata:automaton calves:calf children:child consortia:consortium corpora:corpus crises:crisis
    criteria:criterion curricula:curriculum equilibria:equilibrium maxima:maximum memoranda:memorandum minima:minimum
    mitochondria:mitochondrion optima:optimum referenda:referendum symposia:symposium taxa:taxon diagnoses:diagnosis elves:elf
    emphases:emphasis errata:erratum feet:foot flora:flora foci:focus formulae:formula fungi:fungus geese:goose
    genera:genus halves:half hooves:hoof hypotheses:hypothesis indices:index knives:knife larvae:larva
    leaves:leaf lives:life loaves:loaf loci:locus matrices:matrix men:man mice:mouse neuroses:neurosis
    nuclei:nucleus oases:oasis parentheses:parenthesis phenomena:phenomenon prognoses:prognosis quanta:quantum
    quizzes:quiz radii:radius schemata:schema selves:self shelves:shelf spectra:spectrum stimuli:stimulus
    strata:stratum syllabi:syllabus symbioses:symbiosis metamorphoses:metamorphosis teeth:tooth thieves:thief
    vertebrae:vertebra vertices:vertex vortices:vortex wives:wife wolves:wolf women:woman`).map(
    (pair) => pair.split(':') as [string, string],
  ),
);

/** The -ics that are several of something, not a field. */
const COUNTED_ICS =
  /(?:metr|top|crit|fabr|clin|epidem|pandem|antibiot|characterist|heurist|plast|bas|trop|com)ics$/;

/** Words in -us whose plural is in -uses; causes, houses and uses are others. */
const US_WORDS =
  /(?:vir|cens|stat|camp|bon|consens|apparat|surpl|fet|foet|sin|abac|octop|croc|nex|prospect|geni|chor|walr|foc|corp|thesaur|termin|stimul|omnib|bolus|radi)uses$/;

function singular(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (!word.endsWith('s') || NO_PLURAL.has(word)) return word;
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ics')) return COUNTED_ICS.test(word) ? word.slice(0, -1) : word;
  if (/(?:lyses|theses)$/.test(word)) return `${word.slice(0, -2)}is`;
  if (word.endsWith('ies')) return singularOfIes(word);
  if (US_WORDS.test(word)) return word.slice(0, -2);
  if (/(?:sses|shes|xes|zzes)$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('ches'))
    return /(?:ca|a|ni|lan|psy|fi)ches$/.test(word) ? strip(word) : word.slice(0, -2);
  if (word.endsWith('oes'))
    return /^(?:sh|t|can|h|fl|w|d|f)oes$/.test(word) ? strip(word) : word.slice(0, -2);
  return strip(word);
}

function strip(word: string): string {
  return word.slice(0, -1);
}

function singularOfIes(word: string): string {
  const keepsE = word.length <= 4 || /^(?:mov|cook|calor|prair|zomb|self|rook|gen|lass|eer)ies$/.test(word);
  return keepsE ? strip(word) : `${word.slice(0, -3)}y`;
}

/** British spelling → American. Where a rule also hits other words, it hits them on both sides alike. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/(?<=..)is(?=(?:e|ed|er|ing|ation|able|ational)$)/, 'iz'],
  [/lys(?=(?:e|ed|er|ing)$)/, 'lyz'],
  [/(?<=...)our(?=$|(?:al|ed|ing|er|able|ite|hood|ist|less|ful)$)/, 'or'],
  [/(?<=cent|met|lit|fib|theat|calib|spect|lust)re$/, 'er'],
  [/(?<=(?:catal|anal|dial|homol))ogue$/, 'og'],
  [
    /(?<=^(?:mode|labe|trave|signa|cance|leve|channe|fue|tunne|marsha|tota|counse|jewe|pane|spira))ll(?=(?:ing|ed|er)$)/,
    'l',
  ],
  [/(?<=(?:def|off|pret|lic))ence$/, 'ense'],
  [/^haem/, 'hem'],
  [/aem(?=(?:ia|ic)$)/, 'em'],
  [/^(?:oe)(?=(?:str|dem|soph))/, 'e'],
  [/^foet/, 'fet'],
  [/paediatr/, 'pediatr'],
  [/^aetio/, 'etio'],
  [/rrhoea$/, 'rrhea'],
  [/sulph/, 'sulf'],
  [/^aluminium$/, 'aluminum'],
  [/^artefact/, 'artifact'],
  [/^(?:ageing)$/, 'aging'],
  [/^grey$/, 'gray'],
  [/^programme$/, 'program'],
  [/^mould/, 'mold'],
  [/^plough/, 'plow'],
];

function american(word: string): string {
  let spelled = word;
  for (const [british, ours] of SPELLINGS) spelled = spelled.replace(british, ours);
  return spelled;
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
