import type { AstNode, Stmt } from 'sqlite3-parser';
import { type Visited, nodesIn } from '../parser/walk.ts';
import { type Scope, StatementScopes } from '../scope/scope.ts';
import type { TableLookup } from '../tables/schemaTable.ts';
import { ColumnNames } from './columnNames.ts';
import { NameResolver, tableSymbol } from './nameResolver.ts';
import { ObjectNames } from './objectNames.ts';
import type { Occurrence, SqlSymbol } from './symbol.ts';

export class OccurrenceList {
  readonly resolver: NameResolver;
  readonly #tree: Stmt;
  readonly #scopes: StatementScopes;
  readonly #occurrences = new Map<number, Occurrence>();
  readonly #implied: Occurrence[] = [];

  constructor(tree: Stmt, schema: TableLookup) {
    this.#tree = tree;
    this.#scopes = new StatementScopes(schema);
    this.resolver = new NameResolver(tree);
  }

  scopeAt(visited: Visited): Scope {
    return this.#scopes.at(visited);
  }

  sorted(): Occurrence[] {
    return [...this.#occurrences.values(), ...this.#implied].toSorted((a, b) => a.start - b.start);
  }

  /** The first meaning of a name holds. A repair inserts names without a length: they are not names of the text. */
  add(
    { span }: AstNode,
    symbols: readonly (SqlSymbol | undefined)[],
    role: Occurrence['role'] = 'read',
    details: Pick<Occurrence, 'source' | 'siblings'> = {},
  ): void {
    const { offset: start, length } = span;
    if (length === 0 || this.#occurrences.has(start)) return;
    this.#occurrences.set(start, {
      start,
      end: start + length,
      symbols: symbols.filter(symbol => symbol !== undefined),
      role,
      ...details,
    });
  }

  addImplied({ span }: AstNode, symbols: readonly SqlSymbol[]): void {
    const { offset: start, length } = span;
    this.#implied.push({ start, end: start + length, symbols, role: 'read', isImplied: true });
  }

  /** The table or view of a name without a database. */
  tableNamed(text: string, visited: Visited): SqlSymbol {
    const objName = { type: 'Name' as const, text, span: this.#tree.span };
    return tableSymbol(text, this.scopeAt(visited).names.find({ dbName: undefined, objName }));
  }
}

/** Nobody writes larger statements by hand. */
const maxLength = 256 * 1024;

/** All names in a statement, in the order of the text, with what they stand for. */
export function occurrencesIn(tree: Stmt, schema: TableLookup): readonly Occurrence[] {
  if (tree.span.length > maxLength) return [];
  const list = new OccurrenceList(tree, schema);
  const objects = new ObjectNames(list);
  const columns = new ColumnNames(list);
  for (const visited of nodesIn(tree)) {
    objects.read(visited);
    columns.read(visited);
  }
  return list.sorted();
}
