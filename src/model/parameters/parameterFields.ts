import { Emitter } from '../../base/emitter.ts';
import { type ColumnsOf, type ParameterHint, valueHints } from '../../sql/parameters/parameterHints.ts';
import { placeholders } from '../../sql/parameters/placeholders.ts';
import type { SqlParameter } from '../../wire/values.ts';
import { boundValue, type ParameterType, typeForColumn, type TypedValue } from './parameterValues.ts';

export interface ParameterField {
  readonly number: number;
  readonly hint: ParameterHint;
  /** Undefined until the user enters one. */
  readonly value: TypedValue | undefined;
  /** The type of the value, or the one that the column suggests. */
  readonly type: ParameterType;
}

/** The fields of a form in which the user enters a statement's parameters. A name that is used twice has one field. */
export class ParameterFields {
  readonly #sql: string;
  readonly #values: (TypedValue | undefined)[];
  readonly #changes = new Emitter<void>();
  #hints: readonly ParameterHint[];

  readonly onHintsChanged = this.#changes.on;

  /** `values` are the remembered ones, in the order of the fields. */
  constructor(sql: string, values: readonly (TypedValue | undefined)[]) {
    this.#sql = sql;
    this.#hints = valueHints(sql);
    this.#values = this.#hints.map((_, index) => values[index]);
  }

  get all(): readonly ParameterField[] {
    return this.#hints.map((hint, index) => {
      const value = this.#values[index];
      return { number: index + 1, hint, value, type: value?.type ?? typeForColumn(hint.type) };
    });
  }

  /** Undefined as long as a value is missing. */
  get values(): readonly TypedValue[] | undefined {
    const values = this.#values.flatMap(value => value ?? []);
    return values.length === this.#values.length ? values : undefined;
  }

  at(number: number): ParameterField {
    return this.all[number - 1]!;
  }

  set(number: number, value: TypedValue): void {
    this.#values[number - 1] = value;
  }

  /** The values to send, one for each placeholder. `values` has one for each field. */
  bind(values: readonly TypedValue[]): readonly SqlParameter[] {
    const byNumber = new Map(this.#hints.map(({ number }, index) => [number, boundValue(values[index]!) ?? null]));
    return placeholders(this.#sql).map(({ number }) => byNumber.get(number) ?? null);
  }

  /** Improves the hints with the columns of tables. Values keep their types. */
  learnColumns(columnsOf: ColumnsOf): void {
    this.#hints = valueHints(this.#sql, columnsOf);
    this.#changes.fire();
  }
}
