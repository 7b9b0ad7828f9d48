/** Commands that approve, rate, change what is in force or delete: the audit log of the store has who gave them. */
import type { Arguments } from '../command.ts';

/** What it is done to, empty where that has no name; undefined: this time nothing is done. */
type TargetOf = (args: Arguments) => string | undefined;

const first: TargetOf = ({ positionals }) => positionals[0] ?? '';
const nameless: TargetOf = () => '';
/** Only with this option, or unless only a list is asked for. */
const given =
  (name: string, target: TargetOf = nameless): TargetOf =>
  (args) =>
    args.values[name] === undefined ? undefined : target(args);
const unlessListed: TargetOf = (args) => (args.values.list === true ? undefined : first(args));

export const AUDITED_COMMANDS: Readonly<Record<string, TargetOf>> = {
  'alerts acknowledge': first,
  'alerts silence': first,
  'alerts resolve': first,
  'alerts reopen': first,
  'decomposition baseline': nameless,
  'decomposition run': given('baseline'),
  'decomposition compare': (args) => given('approve')(args) ?? given('reason')(args),
  'decomposition prompt new': first,
  'decomposition prompt promote': first,
  'decomposition prompt rollback': first,
  'production ab start': first,
  'production ab stop': first,
  'production rate': unlessListed,
  'sessions rate': (args) => (args.values.list === true ? undefined : ''),
  'sessions judge': nameless,
  'sessions rescore': nameless,
  'workflow blind start': first,
  'workflow blind assess': unlessListed,
  'workflow blind predict': unlessListed,
  'workflow blind match': unlessListed,
  'workflow blind check': first,
  'store migrate': nameless,
  'store copy': nameless,
  'store prune': given('yes', ({ values }) =>
    typeof values['keep-days'] === 'string' ? values['keep-days'] : '',
  ),
};
