import { oneLine } from '../../base/oneLine.ts';
import type { Catalog } from '../../model/catalog/catalog.ts';
import { readTableStatement } from '../../model/shaping/readTableStatement.ts';
import { columnsIn } from '../../sql/tables/checkConstraints.ts';

/** A longer expression is cut: the node of a column is one line. */
const maxLength = 60;

/** The UNIQUE, CHECK and GENERATED constraints of a table by the names of its columns. Empty if its statement cannot be read. */
export async function columnConstraints(
  catalog: Pick<Catalog, 'definitions'>,
  table: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  try {
    const [definition] = await catalog.definitions('table', table);
    const { columns, uniqueKeys, checks } = readTableStatement(definition?.sql ?? '');
    const names = columns.map(({ name }) => name);
    // Once for each CHECK: a table of a hostile schema may have thousands of columns and of CHECKs.
    const sharedChecks = checks.map(({ expression }) => ({
      expression,
      columns: new Set(columnsIn(expression, names)),
    }));
    return new Map(
      columns.map(({ id, name, unique, checks: own, generated }) => {
        const keys = uniqueKeys.filter(key => key.columns.some(({ column }) => column === id));
        const isAlone = unique !== undefined || keys.some(key => key.columns.length === 1);
        const shared = sharedChecks.filter(check => check.columns.has(name));
        const constraints = [
          ...(isAlone ? ['UNIQUE'] : []),
          ...[...own, ...shared].map(({ expression }) => `CHECK (${oneLine(expression, maxLength)})`),
          ...(generated ? [`AS (${oneLine(generated.expression, maxLength)})`] : []),
        ];
        return [name, constraints];
      }),
    );
  } catch {
    // A service need not show its schema, and the form of a statement may be unknown.
    return new Map();
  }
}
