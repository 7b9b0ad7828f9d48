/** ` WHERE a = {p0:String} AND …` from what a query names, and the values beside it. */
import { withoutSlash } from '../../named-project.ts';
import type { Value, Values } from './connection.ts';

export type ParameterType =
  | 'String'
  | 'Float64'
  | 'Int64'
  | 'Int32'
  | 'Array(String)'
  | 'Array(UInt64)'
  | 'Array(Int64)';

/** As `isNamedProject` has it: the condition, with what stands for the names. */
export function inProject(names: string): string {
  const project = "ifNull(project, '')";
  const ends = `endsWith(${project}, concat('/', name)) OR endsWith(${project}, concat('\\\\', name))`;
  return `arrayExists(name -> ${project} = name OR ${ends}, ${names})`;
}

export function namesOf(names: readonly string[]): readonly string[] {
  return names.map(withoutSlash);
}

export class Where {
  readonly #conditions: string[] = [];
  readonly #values: Record<string, Value> = {};
  readonly #prefix: string;
  #count = 0;

  /** Two in one statement have names of their own. */
  constructor(prefix = 'p') {
    this.#prefix = prefix;
  }

  /** `condition` has a `?` for each value. */
  and(condition: string, type: ParameterType, ...values: readonly (Value | undefined)[]): this {
    if (values.some((value) => value === undefined)) return this;
    let used = 0;
    const said = condition.replace(/\?/g, () => this.#mark(type, values[used++] as Value));
    this.#conditions.push(said);
    return this;
  }

  inProjects(names: readonly string[] | undefined): this {
    return this.and(inProject('?'), 'Array(String)', names && namesOf(names));
  }

  when(applies: boolean, condition: string): this {
    if (applies) this.#conditions.push(condition);
    return this;
  }

  /** A condition with values of several types, each marked by what this gives. */
  mixed(say: (mark: (type: ParameterType, value: Value) => string) => string): this {
    this.#conditions.push(say((type, value) => this.#mark(type, value)));
    return this;
  }

  #mark(type: ParameterType, value: Value): string {
    const name = `${this.#prefix}${this.#count++}`;
    this.#values[name] = value;
    return `{${name}:${type}}`;
  }

  get values(): Values {
    return this.#values;
  }

  get sql(): string {
    return this.#conditions.length === 0 ? '' : ` WHERE ${this.#conditions.join(' AND ')}`;
  }
}
