import { asString } from '../../base/decode.ts';
import { checkConstraintsOf, columnsIn } from '../../sql/tables/checkConstraints.ts';
import { keyOf } from '../../sql/text/names.ts';
import type { ImportTarget } from './importOptions.ts';
import type { SendStatement } from './importRun.ts';
import { refusalOf } from './refusal.ts';

/** Finds the column that the message of a refused row names. */
export class RefusedColumn {
  readonly #target: ImportTarget;
  readonly #send: SendStatement;
  #checks: ReturnType<typeof checkConstraintsOf> | undefined;

  constructor(target: ImportTarget, send: SendStatement) {
    this.#target = target;
    this.#send = send;
  }

  /** Undefined if the column is uncertain. */
  async in(message: string): Promise<string | undefined> {
    const check = /\bCHECK constraint failed: (.+)$/s.exec(message)?.[1]?.trim();
    return check === undefined ? namedColumn(message, this.#target) : this.#checkedColumn(check);
  }

  /** SQLite names a failed check by its name or its expression. Its column is the only one of the import that it mentions. */
  async #checkedColumn(check: string): Promise<string | undefined> {
    this.#checks ??= await this.#readChecks();
    const columns = this.#target.columns.map(({ target }) => target);
    const failed = this.#checks.filter(({ name }) => keyOf(name) === keyOf(check));
    const [column, ...others] = new Set(failed.flatMap(({ expression }) => columnsIn(expression, columns)));
    return others.length === 0 ? column : undefined;
  }

  /**
   * The checks of the table. None if a trigger may have broken the check of another table, or if the service does not report
   * them.
   */
  async #readChecks(): Promise<ReturnType<typeof checkConstraintsOf>> {
    const sql = `SELECT type, sql FROM sqlite_schema WHERE type IN ('table', 'trigger') AND tbl_name = ? COLLATE NOCASE`;
    try {
      const { rows } = await this.#send({ sql, params: [this.#target.table] }, { reads: true });
      const [table, ...triggers] = rows;
      return table && triggers.length === 0 ? checkConstraintsOf(asString(table['sql']) ?? '') : [];
    } catch (thrown) {
      // Other faults end the run. A later run continues.
      if (refusalOf(thrown) === 'rows' || refusalOf(thrown) === 'refused') return [];
      throw thrown;
    }
  }
}

/** The column in a message such as "UNIQUE constraint failed: customers.email". */
function namedColumn(message: string, { table, columns }: ImportTarget): string | undefined {
  const text = keyOf(message);
  const named = columns.filter(({ target }) => text.includes(keyOf(`${table}.${target}`)));
  // The name of a column may begin with that of another one.
  return named.toSorted((one, other) => other.target.length - one.target.length)[0]?.target;
}
