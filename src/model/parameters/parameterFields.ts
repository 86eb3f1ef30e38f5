import { Emitter } from '../../base/emitter.ts';
import { type ColumnsOf, type ParameterHint, parameterHints } from '../../sql/parameters/parameterHints.ts';
import { type ParameterType, typeForColumn, type TypedValue } from './parameterValue.ts';

/** A parameter in a form, with its value once it has one. */
export interface Field {
  readonly number: number;
  readonly hint: ParameterHint;
  readonly value: TypedValue | undefined;
  /** That of its value, else the one that its column suggests. */
  readonly type: ParameterType;
}

/** The parameters of a statement while somebody gives them values, and what is known of them by now. */
export class ParameterFields {
  readonly #sql: string;
  readonly #values: (TypedValue | undefined)[];
  readonly #changes = new Emitter<void>();
  #hints: readonly ParameterHint[];

  /** Heard when more is known of them. */
  readonly onLearned = this.#changes.on;

  /** `values`: those that are known, in the order of the `?`. */
  constructor(sql: string, values: readonly (TypedValue | undefined)[]) {
    this.#sql = sql;
    this.#hints = parameterHints(sql);
    this.#values = this.#hints.map((_, index) => values[index]);
  }

  get all(): readonly Field[] {
    return this.#hints.map((hint, index) => {
      const value = this.#values[index];
      return { number: index + 1, hint, value, type: value?.type ?? typeForColumn(hint.type) };
    });
  }

  /** Undefined as long as one of them is missing. */
  get values(): readonly TypedValue[] | undefined {
    const given = this.#values.flatMap(value => value ?? []);
    return given.length === this.#values.length ? given : undefined;
  }

  at(number: number): Field {
    return this.all[number - 1]!;
  }

  set(number: number, value: TypedValue): void {
    this.#values[number - 1] = value;
  }

  /** Takes in which columns there are. What has a value keeps it, as the type that it was given as. */
  learn(columnsOf: ColumnsOf): void {
    this.#hints = parameterHints(this.#sql, columnsOf);
    this.#changes.fire();
  }
}
