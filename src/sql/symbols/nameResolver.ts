import type { Expr, Name, QualifiedName, Stmt } from 'sqlite3-parser';
import { namingQuery } from '../scope/query.ts';
import type { Scope } from '../scope/scope.ts';
import { columnOrigin, type Source } from '../scope/sources.ts';
import type { NamedTable } from '../scope/tableNames.ts';
import type { ColumnOrigin, SchemaColumn } from '../tables/schemaTable.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { columnKey, type ColumnSymbol, localKey, objectKey, type SqlSymbol, type TableSymbol } from './symbol.ts';

interface ResolvedColumn {
  /** Several if a join merges columns of that name. None if the name is unknown or ambiguous. */
  readonly symbols: readonly SqlSymbol[];
  readonly source?: Source;
}

/** Finds what the names of one statement stand for, in the scope of each. */
export class NameResolver {
  /** The aliases that name columns of the view or table that the statement creates. */
  readonly #columnAliases: ReadonlySet<Name>;
  readonly #createdTable: string;
  /** The columns of each source by their keys. Without the index, wide tables would take quadratic time. */
  readonly #columns = new WeakMap<readonly SchemaColumn[], ReadonlyMap<string, SchemaColumn>>();

  constructor(statement: Stmt) {
    this.#columnAliases = columnAliases(statement);
    this.#createdTable = createdTable(statement);
  }

  /** A table that FROM or another clause names. */
  table(name: Pick<QualifiedName, 'dbName' | 'objName'>, scope: Scope): SqlSymbol | undefined {
    // The tables of an attached database are unknown.
    if (name.dbName && !/^(?:main|temp)$/i.test(name.dbName.text)) return undefined;
    return namedSymbol(name.objName.text, scope.names.find(name));
  }

  /** The name of a source in its query: its alias, or else its table. */
  source(source: Source): SqlSymbol | undefined {
    const { alias, aliasName, kind, namedTable, table } = source;
    if (aliasName) {
      return { kind: 'alias', name: alias, key: localKey(aliasName.span.offset), isLocal: true, source };
    }
    if (kind === 'row') return { kind: 'row', name: alias, key: `row ${keyOf(alias)}`, isLocal: true, source };
    return table === undefined ? undefined : namedSymbol(table, namedTable);
  }

  /** A column without a qualifier: of the innermost query that has it, or else an alias of that query's results. */
  column(name: string, { levels, aliases }: Scope, isOrderTerm: boolean): ResolvedColumn {
    if (isOrderTerm) {
      const found = this.#resultAlias(name, aliases[0]);
      if (found) return found;
    }
    for (const [depth, level] of levels.entries()) {
      const found = this.columnIn(level, name) ?? this.#resultAlias(name, aliases[depth]);
      if (found) return found;
    }
    return { symbols: [] };
  }

  /** A column of one of the sources of a query. */
  columnIn(level: readonly Source[], name: string): ResolvedColumn | undefined {
    const sources = level.filter(({ qualifiedOnly }) => !qualifiedOnly);
    const owners = sources.filter(source => this.#columnOf(source, name));
    const [first, ...others] = owners;
    if (!first) {
      const source = sources.find(candidate => hiddenColumn(candidate, name) !== undefined);
      const symbol = source && this.columnOf(source, name);
      return symbol && { symbols: [symbol], source };
    }
    const isAmbiguous = others.some(({ mergedColumns }) => !mergedColumns.has(keyOf(name)));
    return { symbols: isAmbiguous ? [] : this.#columnOfEach(owners, name), source: first };
  }

  /** The columns that a join merges into one of that name. */
  mergedColumn(level: readonly Source[], name: string): ResolvedColumn {
    const [first, ...others] = level.filter(source => this.#columnOf(source, name));
    if (!first) return { symbols: [] };
    const merged = others.filter(({ mergedColumns }) => mergedColumns.has(keyOf(name)));
    return { symbols: this.#columnOfEach([first, ...merged], name), source: first };
  }

  /** The source that a qualifier means, and its column. Without such a column, the innermost source of that name. */
  qualifiedColumn(qualifier: string, name: string, { levels }: Scope): { source?: Source; symbol?: SqlSymbol } {
    let firstSource: Source | undefined;
    for (const level of levels) {
      for (const source of level) {
        if (!isSameName(source.alias, qualifier)) continue;
        firstSource ??= source;
        const symbol = this.columnOf(source, name);
        if (symbol) return { source, symbol };
      }
    }
    return firstSource ? { source: firstSource } : {};
  }

  columnOf(source: Source, name: string): SqlSymbol | undefined {
    const column = this.#columnOf(source, name);
    if (column) {
      const origin = columnOrigin(column, source);
      return origin ? this.symbolOf(origin, column.name) : unnamedColumn(source, column.name);
    }
    const hidden = hiddenColumn(source, name);
    return hidden === undefined || source.table === undefined
      ? undefined
      : tableColumn(source.namedTable?.name ?? source.table, hidden);
  }

  symbolOf(origin: ColumnOrigin, name: string): SqlSymbol {
    if ('table' in origin) return tableColumn(origin.table, origin.column);
    return origin.expr
      ? this.result(origin.name, origin.expr)
      : { kind: 'column', name, key: localKey(origin.name.span.offset), isLocal: true };
  }

  /** The alias of a result. In a view it names a column of the view. */
  result(alias: Name, expr: Expr): SqlSymbol {
    if (this.#columnAliases.has(alias)) return tableColumn(this.#createdTable, alias.text);
    return { kind: 'result', name: alias.text, key: localKey(alias.span.offset), isLocal: true, expr };
  }

  #resultAlias(name: string, aliases: Scope['aliases'][number] = []): ResolvedColumn | undefined {
    const alias = aliases.find(candidate => isSameName(candidate.name.text, name));
    return alias && { symbols: [this.result(alias.name, alias.expr)] };
  }

  #columnOfEach(sources: readonly Source[], name: string): SqlSymbol[] {
    const symbols = new Map<string, SqlSymbol>();
    for (const source of sources) {
      const symbol = this.columnOf(source, name);
      if (symbol) symbols.set(symbol.key, symbol);
    }
    return [...symbols.values()];
  }

  #columnOf({ columns }: Source, name: string): SchemaColumn | undefined {
    let byKey = this.#columns.get(columns);
    if (!byKey) {
      // SQLite takes the first of several columns with one name.
      byKey = new Map(columns.toReversed().map(column => [keyOf(column.name), column]));
      this.#columns.set(columns, byKey);
    }
    return byKey.get(keyOf(name));
  }
}

export const tableSymbol = (name: string, table?: NamedTable): TableSymbol => ({
  kind: 'table',
  name: table?.name ?? name,
  key: objectKey('table', table?.name ?? name),
  isLocal: false,
  ...(table && { table }),
});

export const tableColumn = (table: string, name: string): ColumnSymbol => ({
  kind: 'column',
  name,
  key: columnKey(table, name),
  isLocal: false,
  table,
});

function namedSymbol(name: string, namedTable: NamedTable | undefined): SqlSymbol {
  if (namedTable?.declaration) {
    const key = localKey(namedTable.declaration.span.offset);
    return { kind: 'commonTable', name: namedTable.name, key, isLocal: true, table: namedTable };
  }
  if (namedTable?.kind === 'function') {
    return { kind: 'function', name: namedTable.name, key: objectKey('function', namedTable.name), isLocal: false };
  }
  return tableSymbol(name, namedTable);
}

/** A column without a name in the text, such as those of VALUES. SQLite names it `column1`. */
function unnamedColumn({ alias, aliasName, namedTable }: Source, name: string): ColumnSymbol {
  const declaration = aliasName ?? namedTable?.declaration;
  const key = `${declaration ? localKey(declaration.span.offset) : alias} ${keyOf(name)}`;
  return { kind: 'column', name, key, isLocal: true };
}

const rowidNames = new Set(['rowid', 'oid', '_rowid_']);

function hiddenColumn({ hiddenColumns }: Source, name: string): string | undefined {
  const key = rowidNames.has(keyOf(name)) ? 'rowid' : name;
  return hiddenColumns.find(column => isSameName(column, key));
}

function columnAliases(statement: Stmt): ReadonlySet<Name> {
  const select = namingQuery(statement)?.select;
  const columns = select?.type === 'SelectFrom' ? select.columns : [];
  return new Set(
    columns.flatMap(column => (column.type === 'ExprResultColumn' && column.alias ? [column.alias.name] : [])),
  );
}

function createdTable(statement: Stmt): string {
  if (statement.type === 'CreateViewStmt') return statement.viewName.objName.text;
  return statement.type === 'CreateTableStmt' ? statement.tblName.objName.text : '';
}
