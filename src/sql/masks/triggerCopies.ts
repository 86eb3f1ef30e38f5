import type { CreateTriggerStmt, Expr, Select, TriggerCmd } from 'sqlite3-parser';
import { keyOf } from '../text/names.ts';
import { namesInTree } from './schemaFacts.ts';

/** Columns of a table that a trigger fills. Undefined stands for all of them. */
interface FilledColumns {
  readonly table: string;
  readonly columns: readonly string[] | undefined;
}

/** Says whether an expression with these names may give a masked value. */
export type MayShow = (names: ReadonlySet<string>) => boolean;

/** The columns that a trigger fills with values which may be masked ones. Conditions do not count. */
export function columnsFilledBy({ commands }: CreateTriggerStmt, mayShow: MayShow): FilledColumns[] {
  return commands.flatMap(command => filledBy(command, mayShow));
}

function filledBy(command: TriggerCmd, mayShow: MayShow): FilledColumns[] {
  if (command.type === 'UpdateTriggerCmd') {
    const table = keyOf(command.tblName.objName.text);
    const isTaken = command.from !== undefined && mayShow(namesInTree(command));
    return command.sets
      .filter(({ expr }) => isTaken || mayShow(namesInTree(expr)))
      .map(({ colNames }) => ({ table, columns: colNames.map(({ text }) => keyOf(text)) }));
  }
  if (command.type !== 'InsertTriggerCmd' || !mayShow(namesInTree(command))) return [];
  const table = keyOf(command.tblName.objName.text);
  const targets = command.colNames?.map(({ text }) => keyOf(text));
  const rows = command.upsert ? undefined : rowsOf(command.select);
  if (!targets || !rows?.every(({ length }) => length === targets.length)) return [{ table, columns: undefined }];
  const columns = targets.filter((_, index) => rows.some(row => mayShow(namesInTree(row[index]!))));
  return columns.length > 0 ? [{ table, columns }] : [];
}

/** The expressions of VALUES, or of a SELECT without tables. */
function rowsOf({ with: clause, select, compounds }: Select): readonly (readonly Expr[])[] | undefined {
  if (clause || compounds) return undefined;
  if (select.type === 'SelectValues') return select.values.map(({ values }) => values);
  const columns = select.columns.flatMap(column => (column.type === 'ExprResultColumn' ? [column.expr] : []));
  return select.from || columns.length < select.columns.length ? undefined : [columns];
}
