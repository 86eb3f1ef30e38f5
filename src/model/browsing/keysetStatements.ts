import type { BoundSql } from '../boundSql.ts';
import { keyOf } from '../../sql/text/names.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import type { Column, Row } from '../../wire/values.ts';
import { filterTerms } from './filterTerms.ts';
import { valueIn } from './findInRows.ts';
import { rangesAfter } from './keysetRanges.ts';
import type { PageEnd } from './pageEnds.ts';
import { type KeyColumn, keyColumnsOf, type OrderKey, orderKeyIn } from './orderKeys.ts';
import { type ArrangedTable, orderColumnsOf, selectStatement } from './tableStatements.ts';

/** The most values of a comparison. A longer order is read by OFFSET. */
const maxKeyColumns = 16;
/** SQLite's default limit for the columns of an answer. One is needed for the storage classes. */
const maxAnswerColumns = 2000;

export interface KeysetTable extends ArrangedTable {
  /** The columns as the catalog knows them; empty if it does not. */
  readonly declaredColumns: readonly Column[];
}

/** The statements for the rows after the end of a page. Each row comes with the parts of its key that its columns lack. */
export class KeysetStatements {
  /** The name of the extra column of an answer. It holds the storage classes of the key. */
  readonly classes: string;
  readonly #arranged: ArrangedTable;
  readonly #keyColumns: readonly KeyColumn[];
  readonly #filters: readonly BoundSql[];

  private constructor(arranged: ArrangedTable, columns: readonly Column[]) {
    this.#arranged = arranged;
    this.#keyColumns = keyColumnsOf(orderColumnsOf(arranged), columns);
    this.#filters = filterTerms(arranged.columns, arranged.arrangement);
    const names = new Set([...columns, ...arranged.columns].map(({ name }) => keyOf(name)));
    let classes = 'key_classes';
    while (names.has(classes)) classes += '_';
    this.classes = classes;
  }

  /** Undefined if the order has too many columns for keys. */
  static of({ declaredColumns, ...arranged }: KeysetTable): KeysetStatements | undefined {
    const columns = declaredColumns.length > 0 ? declaredColumns : arranged.columns;
    const isTooWide = Math.max(columns.length, arranged.columns.length) >= maxAnswerColumns;
    const statements = isTooWide ? undefined : new KeysetStatements(arranged, columns);
    return statements && statements.#keyColumns.length <= maxKeyColumns ? statements : undefined;
  }

  get sortedCount(): number {
    return this.#arranged.arrangement.sort.length;
  }

  rows(range: BoundSql | undefined): BoundSql {
    return this.#select(['*'], range);
  }

  /** Selects only the keys of these rows, which an index may hold. */
  keys(range: BoundSql | undefined): BoundSql {
    const shown = this.#keyColumns.filter(({ type }) => type !== undefined);
    return this.#select(
      shown.map(({ name }) => quoteIdentifierIfNeeded(name)),
      range,
    );
  }

  /** Undefined if the exact key cannot be read. */
  keyOf(row: Row | undefined): OrderKey | undefined {
    return row && orderKeyIn(row, valueIn(row, this.classes), this.#keyColumns);
  }

  /** The ranges of all rows after an end, in their order. Undefined stands for all rows. */
  rangesAfter({ key, tiedCount }: PageEnd): readonly (BoundSql | undefined)[] {
    return key ? rangesAfter(this.#keyColumns, key, tiedCount) : [undefined];
  }

  #select(values: readonly string[], range: BoundSql | undefined): BoundSql {
    const classes = this.#keyColumns.map(({ name, type }) => {
      const quoted = quoteIdentifierIfNeeded(name);
      return type === undefined ? quoted : `typeof(${quoted})`;
    });
    return selectStatement({
      // Append '' so that a single row id is a text too.
      values: [...values, `${classes.join(` || ' ' || `)} || '' AS ${this.classes}`].join(', '),
      table: this.#arranged.table,
      terms: range ? [...this.#filters, range] : this.#filters,
      order: this.#keyColumns,
    });
  }
}
