import { normalise } from '../normalise.ts';

/**
 * Detects labels that name different things although the embedding model finds them similar, as with opposites.
 * `contrast`: opposites, other numbers, a negation, or one narrows the other. `close`: all words but one are shared, so
 * that this word decides.
 */
export type Contrast = 'contrast' | 'close' | undefined;

export function contrastOf(one: string, other: string): Contrast {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  // Income tax and tax income: another word order is another thing.
  if (isOtherOrder(one, other)) return 'contrast';
  if (
    a.length === b.length &&
    a.every((word, i) => word === b[i] || isThingAndProcess(word, b[i] as string))
  ) {
    if (a.some((word, i) => word !== b[i])) return 'contrast';
  }
  const [onlyA, onlyB] = [without(a, b), without(b, a)];
  if (!sameSet(onlyA.filter(isNumber), onlyB.filter(isNumber))) return 'contrast';
  if (onlyA.some((word) => DENIALS.has(word)) !== onlyB.some((word) => DENIALS.has(word))) return 'contrast';
  if (onlyA.some((word) => onlyB.some((opposite) => areOpposites(word, opposite)))) return 'contrast';
  const shared = a.length - onlyA.length;
  if (shared === 0) return undefined;
  const [restA, restB] = [onlyA, onlyB].map((words) => words.filter((word) => !GENERIC.has(word))) as [
    string[],
    string[],
  ];
  if (restA.length === 0 && restB.length === 0) return undefined;
  // `learning` and `deep learning`: a subtype, not another name.
  if (restA.length === 0 || restB.length === 0) return 'contrast';
  return restA.length === 1 && restB.length === 1 ? 'close' : undefined;
}

function wordsOf(label: string): string[] {
  return [...new Set(normalise(label).split(' '))].filter((word) => !FILLERS.has(word));
}

/** The words of one that the other contains in no form. */
function without(words: readonly string[], others: readonly string[]): string[] {
  const stems = new Set(others.map(stemOf));
  return words.filter((word) => !stems.has(stemOf(word)));
}

/** Only words, without `of` or `by`, which would reverse the order. */
function isOtherOrder(one: string, other: string): boolean {
  const [a, b] = [one, other].map((label) => normalise(label).split(' ')) as [string[], string[]];
  return a.length > 1 && a.join(' ') !== b.join(' ') && !a.some((word) => FILLERS.has(word)) && sameSet(a, b);
}

/** `vaccine` and `vaccination`, `regulator` and `regulation`: an agent and a process are not the same. */
function isThingAndProcess(one: string, other: string): boolean {
  const [first, second] = [splitSuffix(one), splitSuffix(other)];
  return (
    first.stem === second.stem &&
    ((first.kind === 'thing' && second.kind === 'process') ||
      (first.kind === 'process' && second.kind === 'thing'))
  );
}

function splitSuffix(word: string): { readonly stem: string; readonly kind: 'thing' | 'process' | 'other' } {
  const process = /^(.{4,}?)(?:ization|ation|ition|ion|ment)$/u.exec(word);
  if (process?.[1] !== undefined) return { stem: process[1], kind: 'process' };
  const thing = /^(.{4,}?)(?:er|or|ist|ant|ent|e)$/u.exec(word);
  if (thing?.[1] !== undefined) return { stem: thing[1].replace(/at$|iz$/, ''), kind: 'thing' };
  return { stem: word, kind: 'other' };
}

/** `forecast` and `forecasting`, `mycorrhiza` and `mycorrhizae`: rough, and only used to find shared words. */
function stemOf(word: string): string {
  const cut = word.replace(/(?<=.{4})(?:ization|ation|ional|ing|ion|er|ed|al|ity|ive|ment|ae|a|e|y)$/u, '');
  return cut === word ? word : stemOf(cut);
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word) => other.includes(word));
}

/** Numbers, numerals, ordinals, single letters (`type a`) and Greek letters. */
function isNumber(word: string): boolean {
  return /\p{N}/u.test(word) || /^\p{L}$/u.test(word) || /^[ivx]{2,4}$/.test(word) || NUMBER_WORDS.has(word);
}

function areOpposites(one: string, other: string): boolean {
  if (OPPOSITES.get(one)?.has(other)) return true;
  return deniesOther(one, other) || deniesOther(other, one) || opposedPrefixes(one, other);
}

/** `anaerobic` and `aerobic`, `unsupervised` and `supervised`. */
function deniesOther(longer: string, shorter: string): boolean {
  if (shorter.length < 4 || !longer.endsWith(shorter)) return false;
  return DENYING_PREFIXES.has(longer.slice(0, -shorter.length));
}

/** `inflow` and `outflow`, `hypertension` and `hypotension`. */
function opposedPrefixes(one: string, other: string): boolean {
  return OPPOSED_PREFIXES.some(
    ([left, right]) => opposed(one, left, other, right) || opposed(one, right, other, left),
  );
}

/** Also if a hyphen separated the prefix: `over-fitting` and `under-fitting`. */
function opposed(one: string, prefix: string, other: string, otherPrefix: string): boolean {
  if (!one.startsWith(prefix) || !other.startsWith(otherPrefix)) return false;
  const rest = one.slice(prefix.length);
  return (rest === '' || rest.length >= 3) && rest === other.slice(otherPrefix.length);
}

const FILLERS = setOf('a an the of in on for to by with and or its their');
const DENIALS = setOf('no not non un anti without lack absence absent loss never zero');
const GENERIC = setOf(
  'process method technique approach system procedure mechanism phenomenon concept activity effect practice',
);
const NUMBER_WORDS = setOf(
  'one two three four five six seven eight nine ten first second third fourth fifth single double triple dual alpha beta gamma delta',
);
const DENYING_PREFIXES = setOf(
  'un non anti a an in im il ir de dis counter mis pseudo sub super over under ultra infra pre post re co ex ecto endo micro macro nano mega multi bi mono semi quasi auto hyper hypo inter intra extra trans up down out',
);
const OPPOSED_PREFIXES: readonly (readonly [string, string])[] = `
  hyper-hypo macro-micro micro-nano pre-post inter-intra over-under endo-exo endo-ecto homo-hetero im-ex in-ex
  in-out in-de up-down mono-poly mono-di uni-multi uni-bi en-de iso-aniso eu-pro ana-cata anti-pro syn-asyn
  sub-super con-di as-des ab-ad ab-de photo-chemo auto-hetero for-back fore-hind main-side`
  .trim()
  .split(/\s+/)
  .map((pair) => pair.split('-') as [string, string]);

/** In each group, any word on the left is the opposite of any on the right. */
const OPPOSITES: ReadonlyMap<string, ReadonlySet<string>> = opposites(`
  horizontal | vertical; supply | demand; lateral | medial; latitude | longitude;
  high higher upper large larger big major greater maximal maximum long strong heavy fast rapid
    | low lower small smaller little minor lesser minimal minimum short weak light slow;
  increase increasing rise rising growth gain expansion
    | decrease decreasing decline declining fall falling reduction loss contraction;
  positive | negative; hot warm | cold cool; wet | dry; hard | soft; old | new young; early | late; left | right;
  top | bottom; north northern | south southern; east eastern | west western; push | pull;
  internal inner inside | external outer outside; local regional | global; primary | secondary tertiary;
  active | passive; static | dynamic; linear | nonlinear; open | closed close; public | private;
  direct | indirect; input | output; source | sink target; cause | effect; forward | backward reverse;
  ascending | descending; male | female; import | export; buyer | seller; producer | consumer; predator | prey;
  host | parasite guest; client | server; reader | writer; read | write; leader | follower; parent | child;
  sender | receiver; encoder | decoder; employer | employee; borrower debtor | lender creditor; debit | credit;
  asset | liability; profit | loss; revenue income | cost expense expenditure; acid acidic | base basic alkaline;
  solid | liquid gas; liquid | gas; anode | cathode; cation | anion; proton | electron neutron;
  electron | neutron; oxidation | reduction; absorption | emission reflection; heating | cooling;
  melting | freezing; birth | death; day | night; summer | winter; spring | autumn fall; land | sea ocean;
  plant | animal; body | mind; theory theoretical | practice practical experiment experimental;
  qualitative | quantitative; discrete | continuous; digital | analog; hardware | software;
  training | test testing validation; classification | regression; precision | recall; mean | median mode;
  bottom | top; centralized | decentralized distributed; synchronous | asynchronous; optimistic | pessimistic;
  begin beginning start | end ending finish; offense | defense; war | peace;
  democracy democratic | autocracy autocratic dictatorship; urban | rural; rich | poor; domestic | foreign;
  federal | state; executive | legislative judicial; legislative | judicial; fiscal | monetary; bull | bear;
  long | short; fixed | variable floating; inflow | outflow; inclusive | exclusive; majority | minority;
  success | failure; benefit advantage | disadvantage drawback; true | false; deductive | inductive;
  endothermic | exothermic; dominant | recessive; systolic | diastolic; artery | vein;
  sympathetic | parasympathetic; bacterial | viral fungal; red | green blue yellow black white;
  green | blue yellow black white; black | white; convex | concave; parallel | serial sequential series;
  symmetric | asymmetric; explicit | implicit; abstract | concrete; permanent | temporary;
  natural | artificial synthetic; organic | inorganic; renewable | nonrenewable fossil; mitigation | adaptation;
  stock | flow; simple | complex; full | empty; thick | thin; deep | shallow; wide | narrow;
  multiplication | division; addition | subtraction`);

function opposites(groups: string): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  const add = (word: string, opposite: string) =>
    all.set(word, (all.get(word) ?? new Set<string>()).add(opposite));
  for (const group of groups.split(';')) {
    const [left = [], right = []] = group.split('|').map((side) => side.trim().split(/\s+/).map(normalise));
    for (const one of left) {
      for (const other of right) {
        add(one, other);
        add(other, one);
      }
    }
  }
  return all;
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(normalise));
}
