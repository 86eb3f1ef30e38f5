import type { Expr, Window } from 'sqlite3-parser';
import type { Source } from '../scope/sources.ts';
import type { NamedTable } from '../scope/tableNames.ts';
import { keyOf } from '../text/names.ts';
import type { TextRange } from '../text/textRange.ts';

interface SymbolBase {
  readonly name: string;
  /** Names with the same key stand for the same thing: in one statement if the symbol is local, or else in all of them. */
  readonly key: string;
  readonly isLocal: boolean;
}

/** A table, view or virtual table. Its columns are known if the schema has it. */
export interface TableSymbol extends SymbolBase {
  readonly kind: 'table';
  readonly table?: NamedTable;
}

/** A column of a table, or one that a common table declares. */
export interface ColumnSymbol extends SymbolBase {
  readonly kind: 'column';
  /** The table that the column belongs to. Undefined for a column that only a query has. */
  readonly table?: string;
}

/** An alias of a table or subquery, or one of the rows NEW, OLD and excluded. */
interface SourceSymbol extends SymbolBase {
  readonly kind: 'alias' | 'row';
  readonly source: Source;
}

interface CommonTableSymbol extends SymbolBase {
  readonly kind: 'commonTable';
  readonly table: NamedTable;
}

export interface ResultSymbol extends SymbolBase {
  readonly kind: 'result';
  readonly expr?: Expr;
}

interface WindowSymbol extends SymbolBase {
  readonly kind: 'window';
  readonly window: Window;
}

export interface PlainSymbol extends SymbolBase {
  readonly kind: 'function' | 'parameter' | 'index' | 'trigger';
}

/** The thing that a name in SQL stands for. */
export type SqlSymbol =
  TableSymbol | ColumnSymbol | SourceSymbol | CommonTableSymbol | ResultSymbol | WindowSymbol | PlainSymbol;

export type OccurrenceRole = 'declaration' | 'read' | 'write';

/** A name in a statement. */
export interface Occurrence extends TextRange {
  /** None if the name is unknown, and several if a join merges columns of that name. */
  readonly symbols: readonly SqlSymbol[];
  readonly role: OccurrenceRole;
  /** The source in the query that a column comes from. */
  readonly source?: Source | undefined;
  /** All sources of the query in which an alias is declared. */
  readonly siblings?: readonly Source[];
  /** Whether the text does not name the columns, as with NATURAL JOIN. */
  readonly isImplied?: true;
}

export const objectKey = (kind: 'table' | 'index' | 'trigger' | 'function', name: string): string =>
  `${kind} ${keyOf(name)}`;

/** A NUL separates the names, since the name of a table may contain a point. */
export const columnKey = (table: string, column: string): string => `column ${keyOf(table)}\0${keyOf(column)}`;

export const localKey = (offset: number): string => `local ${offset}`;
