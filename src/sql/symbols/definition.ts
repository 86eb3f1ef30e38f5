import type { ColumnDefinition, Stmt } from 'sqlite3-parser';
import { namedChangeOf, type ObjectKind } from '../effect/namedChange.ts';
import { parseStatement } from '../parser/parser.ts';
import { findNode } from '../parser/walk.ts';
import { Schema } from '../schema/schema.ts';
import { declarationsOf, mentionsOf, type NameInDocument, type NamedDocument } from './documentNames.ts';
import { tableSymbol } from './nameResolver.ts';
import { occurrencesIn } from './occurrences.ts';
import type { Occurrence, SqlSymbol } from './symbol.ts';

/** A statement of the project that defines a name, and the object that it creates. */
export interface ProjectDefinition {
  readonly kind: ObjectKind;
  readonly name: string;
  readonly text: string;
  readonly tree: Stmt;
  /** The defined name in the text. */
  readonly occurrence: Occurrence;
}

type Definition =
  | { readonly place: 'document'; readonly name: NameInDocument }
  | { readonly place: 'project'; readonly definition: ProjectDefinition };

/**
 * Where a name is defined: above it in the document, or else in the project, or else further down in the document. A column
 * without a definition of its own, such as one of a virtual table, is defined with its table. So are NEW, OLD and excluded.
 */
export function definitionOf(
  document: NamedDocument,
  name: NameInDocument,
  projectStatements: readonly string[],
): Definition | undefined {
  const [symbol] = name.occurrence.symbols;
  if (!symbol) return undefined;
  const found = definitionOfSymbol(document, name, symbol, projectStatements);
  const table = found ? undefined : tableOf(symbol);
  return table === undefined ? found : definitionOfSymbol(document, name, tableSymbol(table), projectStatements);
}

/** The table that has a column, or the row NEW, OLD or excluded. */
function tableOf(symbol: SqlSymbol): string | undefined {
  if (symbol.kind === 'column') return symbol.table;
  return symbol.kind === 'row' ? symbol.source.table : undefined;
}

function definitionOfSymbol(
  document: NamedDocument,
  { statement }: NameInDocument,
  symbol: SqlSymbol,
  projectStatements: readonly string[],
): Definition | undefined {
  const declarations = declarationsOf(document, symbol, statement);
  const above = declarations.findLast(declaration => declaration.statement.number <= statement.number);
  if (above) return { place: 'document', name: above };
  const definition = symbol.isLocal ? undefined : projectDefinition(symbol, projectStatements);
  if (definition) return { place: 'project', definition };
  const [below] = declarations;
  return below && { place: 'document', name: below };
}

/** The statement of a project that defines a table, column, index or trigger. */
export function projectDefinition(symbol: SqlSymbol, statements: readonly string[]): ProjectDefinition | undefined {
  const mentionsName = mentionsOf(symbol);
  const mentionsTable = mentionsOf(symbol.kind === 'column' ? tableSymbol(symbol.table ?? '') : symbol);
  for (const text of statements) {
    if (!mentionsName(text) || !mentionsTable(text)) continue;
    const tree = parseStatement(text).ast;
    const object = tree && definedObject(tree);
    if (!object) continue;
    const occurrence = occurrencesIn(tree, Schema.empty).find(
      ({ role, symbols }) => role === 'declaration' && symbols.some(({ key }) => key === symbol.key),
    );
    if (occurrence) return { ...object, text, tree, occurrence };
  }
  return undefined;
}

function definedObject(tree: Stmt): Pick<ProjectDefinition, 'kind' | 'name'> | undefined {
  const change = namedChangeOf(tree)?.change;
  return change?.kind === 'create' ? { kind: change.object, name: change.name } : undefined;
}

/** The text and tree of the statement with a definition, and the offset of the defined name in both. */
export function definingStatement(
  document: NamedDocument,
  definition: Definition,
): { readonly text: string; readonly tree: Stmt; readonly offset: number } {
  if (definition.place === 'project') {
    const { text, tree, occurrence } = definition.definition;
    return { text, tree, offset: occurrence.start };
  }
  const { statement, occurrence } = definition.name;
  const { start, end } = document.statements.at(statement.number)!;
  return { text: document.statements.slice(start, end), tree: statement.tree, offset: occurrence.start };
}

/** The definition of the column that a tree names at an offset. */
export function columnDefinitionAt(tree: Stmt, offset: number): ColumnDefinition | undefined {
  return findNode(tree, 'ColumnDefinition', ({ colName }) => colName.span.offset === offset)?.node;
}
