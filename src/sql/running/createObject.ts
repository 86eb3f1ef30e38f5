import { parseStatement } from '../parser/parser.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { actions, type Confinable, runNarrowed } from './confine.ts';
import { createdObject, type ObjectKind } from './namedChange.ts';

/** An object of a schema, as others announce it. */
interface AnnouncedObject {
  readonly kind: ObjectKind;
  readonly name: string;
  /** The table or view that an index or a trigger belongs to. */
  readonly table: string;
  readonly sql: string;
}

/** CREATE INDEX, TABLE, TRIGGER and VIEW; DELETE, INSERT, READ, SELECT, UPDATE; REINDEX. */
const creationActions: ReadonlySet<number> = new Set([1, 2, 7, 8, 9, 18, 20, 21, 23, 27, actions.callFunction]);
/** Modules whose arguments are names and options. FTS4 takes expressions, and runs them when it is read. */
const modules: ReadonlySet<string> = new Set(['fts5', 'fts5vocab', 'rtree', 'rtree_i32']);

/** Runs a text of others on a confined connection, if it is one CREATE statement of the announced object and nothing else. */
export function createObject(database: Confinable, object: AnnouncedObject): void {
  const fault = creationFault(object);
  if (fault !== undefined) throw new Error(fault);
  const isNeeded = (action: number, first: string | null, second: string | null, schema: string | null): boolean =>
    (schema ?? 'main') === 'main' &&
    (creationActions.has(action) ||
      (action === actions.createVirtualTable && modules.has(keyOf(second ?? ''))) ||
      (action === actions.pragma && /^(?:data_version|page_size)$/.test(first ?? '')));
  runNarrowed(database, isNeeded, () => void database.prepare(object.sql).run());
}

/** Why a text is not one CREATE statement of the announced object. CREATE TABLE … AS is none: it runs a query. */
export function creationFault({ kind, name, table, sql }: AnnouncedObject): string | undefined {
  const created = sql.includes('\0') ? undefined : createdObject(sql);
  const { ast } = parseStatement(sql);
  const isQuery = ast?.type === 'CreateTableStmt' && ast.body.type === 'AsSelectCreateTableBody';
  const isTemporary = ast !== undefined && 'temporary' in ast && ast.temporary;
  const isSame = created?.object === kind && isSameName(created.name, name) && !isQuery && !isTemporary;
  const owner =
    ast?.type === 'CreateIndexStmt' ? ast.tblName : ast?.type === 'CreateTriggerStmt' && ast.tblName.objName;
  if (!isSame || (owner && !isSameName(owner.text, table)))
    return 'its definition is not one statement that creates it';
  const module = ast?.type === 'CreateVirtualTableStmt' ? ast.moduleName.text : undefined;
  return module === undefined || modules.has(keyOf(module)) ? undefined : `no such module: ${module}`;
}
