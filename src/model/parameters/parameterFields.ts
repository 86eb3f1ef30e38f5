import { Emitter } from '../../base/emitter.ts';
import { type ColumnsOf, type ParameterHint, parameterHints } from '../../sql/parameters/parameterHints.ts';
import { type ParameterType, typeForColumn, type TypedValue } from './parameterValues.ts';

export interface ParameterField {
  readonly number: number;
  readonly hint: ParameterHint;
  /** Undefined until the user enters one. */
  readonly value: TypedValue | undefined;
  /** The type of the value, or the one that the column suggests. */
  readonly type: ParameterType;
}

/** The fields of a form in which the user enters a statement's parameters. */
export class ParameterFields {
  readonly #sql: string;
  readonly #values: (TypedValue | undefined)[];
  readonly #changes = new Emitter<void>();
  #hints: readonly ParameterHint[];

  readonly onHintsChanged = this.#changes.on;

  /** `values` are the remembered ones, in the order of the `?`. */
  constructor(sql: string, values: readonly (TypedValue | undefined)[]) {
    this.#sql = sql;
    this.#hints = parameterHints(sql);
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

  /** Improves the hints with the columns of tables. Values keep their types. */
  learnColumns(columnsOf: ColumnsOf): void {
    this.#hints = parameterHints(this.#sql, columnsOf);
    this.#changes.fire();
  }
}
