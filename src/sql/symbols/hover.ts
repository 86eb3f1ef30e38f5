import type { ColumnDefinition } from 'sqlite3-parser';
import { sqlBlock, codeSpan } from '../../base/markdown.ts';
import { cutText, oneLine } from '../../base/oneLine.ts';
import { builtInFunction, functionDocumentation } from '../functions/builtInFunctions.ts';
import { parameterHints } from '../parameters/parameterHints.ts';
import type { Schema } from '../schema/schema.ts';
import type { Source } from '../scope/sources.ts';
import type { NamedTable } from '../scope/tableNames.ts';
import type { SchemaColumn, SchemaTable } from '../tables/schemaTable.ts';
import { isSameName } from '../text/names.ts';
import { columnFacts, columnLines, type ListedTable } from './columnFacts.ts';
import { columnDefinitionAt, definingStatement, definitionOf } from './definition.ts';
import type { NameInDocument, NamedDocument } from './documentNames.ts';
import type { ColumnSymbol, PlainSymbol, ResultSymbol, SqlSymbol } from './symbol.ts';

interface HoverProject {
  /** The statements of its sqlite_schema. */
  readonly statements: readonly string[];
  rowCount(table: string): number | undefined;
}

interface HoverRequest {
  readonly document: NamedDocument;
  readonly name: NameInDocument;
  readonly project: HoverProject;
  /** The schemas after and before the statement: it may create the object or drop it. */
  readonly schemas: readonly Schema[];
}

/** Longer definitions are cut. */
const maxTextLength = 500;

/** The meaning of a name, as Markdown. Undefined for an unknown name. */
export function hoverText(document: NamedDocument, name: NameInDocument, project: HoverProject): string | undefined {
  const { schema, tree } = name.statement;
  const request = { document, name, project, schemas: [schema.after([tree]), schema] };
  const texts = name.occurrence.symbols.map(symbol => textOf(symbol, request)).filter(text => text !== undefined);
  return texts.length === 0 ? undefined : texts.join('\n\n---\n\n');
}

function textOf(symbol: SqlSymbol, request: HoverRequest): string | undefined {
  switch (symbol.kind) {
    case 'table': {
      const table = tableIn(request.schemas, symbol.name);
      return table && sections(tableTitle(table, request.project), columnBlock(table));
    }
    case 'column':
      return symbol.table === undefined
        ? localColumnText(symbol.name, request)
        : columnText(symbol, symbol.table, request);
    case 'alias':
    case 'row':
      return sourceText(symbol.name, symbol.source, request);
    case 'commonTable':
      return sections(`Common table ${codeSpan(symbol.name)}`, columnBlock(symbol.table));
    case 'result':
      return resultText(symbol, request);
    case 'window':
      return sections(`Window ${codeSpan(symbol.name)}`, sqlBlock(`(${textInStatement(symbol.window.span, request)})`));
    case 'function': {
      const found = builtInFunction(symbol.name);
      return found && functionDocumentation(found);
    }
    case 'parameter':
      return parameterText(request);
    case 'index':
    case 'trigger':
      return definedText(symbol, request);
  }
}

const tableIn = (schemas: readonly Schema[], name: string): SchemaTable | undefined =>
  schemas.map(schema => schema.table(name)).find(table => table !== undefined);

/** The parts of a hover below each other. Empty parts are left out. */
const sections = (...parts: readonly string[]): string => parts.filter(part => part !== '').join('\n\n');

function columnBlock(table: ListedTable): string {
  const lines = columnLines(table);
  return lines.length === 0 ? '' : sqlBlock(lines.join('\n'));
}

const kindNames: Readonly<Record<NamedTable['kind'], string>> = {
  table: 'Table',
  view: 'View',
  virtual: 'Virtual table',
  function: 'Table-valued function',
  common: 'Common table',
};

function tableTitle({ kind, name }: NamedTable, project: HoverProject): string {
  const rowCount = kind === 'common' ? undefined : project.rowCount(name);
  const rows = rowCount === undefined ? '' : ` · ${rowCount.toLocaleString('en')} ${rowCount === 1 ? 'row' : 'rows'}`;
  return `${kindNames[kind]} ${codeSpan(name)}${rows}`;
}

function columnText(symbol: ColumnSymbol, tableName: string, request: HoverRequest): string | undefined {
  const { document, name, project, schemas } = request;
  const isColumn = (candidate: SchemaColumn): boolean => isSameName(candidate.name, symbol.name);
  const tables = schemas.map(schema => schema.table(tableName));
  const table =
    tables.find(candidate => candidate?.columns.some(isColumn)) ?? tables.find(found => found !== undefined);
  const column = table?.columns.find(isColumn);
  const own = { ...name, occurrence: { ...name.occurrence, symbols: [symbol] } };
  const definition = definitionOf(document, own, project.statements);
  const place = definition && definingStatement(document, definition);
  const node = place && columnDefinitionAt(place.tree, place.offset);
  if (!column && !node && !table?.hiddenColumns.includes(symbol.name)) return undefined;
  const head = node ? definitionText(place.text, node) : [symbol.name, column?.type ?? ''].join(' ').trim();
  const owner = `Column of ${kindNames[table?.kind ?? 'table'].toLowerCase()} ${codeSpan(tableName)}`;
  const facts = columnFacts(symbol.name, table, node && { text: place.text, node });
  return sections(sqlBlock(head), [owner, ...facts].join(' · '));
}

/** A column that only the query has. */
function localColumnText(column: string, { name }: HoverRequest): string {
  const { source } = name.occurrence;
  const owner = source && source.alias !== '' ? `Column of ${codeSpan(source.alias)}` : 'Column of a query';
  return sections(sqlBlock(column), owner);
}

function sourceText(name: string, source: Source, { project, schemas }: HoverRequest): string {
  const { kind, table, namedTable } = source;
  const isCommon = namedTable?.kind === 'common';
  const title =
    kind === 'row'
      ? `${rowTitles[name.toUpperCase()]} ${codeSpan(table ?? '')}`
      : `Alias ${codeSpan(name)} of ${targetTitle(source, project)}`;
  return sections(title, columnBlock((isCommon ? undefined : tableIn(schemas, table ?? '')) ?? source));
}

/** By the names that SQLite gives to the rows of a trigger and of an UPSERT. */
const rowTitles: Readonly<Record<string, string>> = {
  NEW: 'The new row of',
  OLD: 'The old row of',
  EXCLUDED: 'The row proposed for insertion into',
};

function targetTitle({ namedTable, table }: Source, project: HoverProject): string {
  if (namedTable) return tableTitle(namedTable, project).replace(/^./, letter => letter.toLowerCase());
  return table === undefined ? 'a subquery' : `the unknown table ${codeSpan(table)}`;
}

function resultText({ name, expr }: ResultSymbol, request: HoverRequest): string {
  const text = expr ? textInStatement(expr.span, request) : '';
  return sections(`Result ${codeSpan(name)}`, text === '' ? '' : sqlBlock(text));
}

/** The column that a parameter is compared with or stored in. */
function parameterText(request: HoverRequest): string | undefined {
  const { document, name, schemas } = request;
  const { start, end } = document.statements.at(name.statement.number)!;
  const hints = parameterHints(document.statements.slice(start, end), table => tableIn(schemas, table)?.columns);
  const hint = hints.find(candidate => candidate.start === name.occurrence.start);
  if (hint?.name === undefined) return undefined;
  const target = [hint.table, hint.name].filter(part => part !== undefined).join('.');
  return `Parameter for ${codeSpan([target, hint.type ?? ''].join(' ').trim())}`;
}

function definedText(
  { kind, name }: PlainSymbol,
  { document, name: place, project, schemas }: HoverRequest,
): string | undefined {
  const objects = schemas.flatMap(schema => Array.from(kind === 'index' ? schema.indexes : schema.triggers));
  const object = objects.find(candidate => isSameName(candidate.name, name));
  if (!object) return undefined;
  const title = `${kind === 'index' ? 'Index' : 'Trigger'} ${codeSpan(object.name)} on ${codeSpan(object.table)}`;
  const definition = definitionOf(document, place, project.statements);
  const text = definition && definingStatement(document, definition).text;
  return sections(title, text === undefined ? '' : sqlBlock(cutText(text.replace(/;$/, ''), maxTextLength)));
}

function textInStatement(
  { offset, length }: { readonly offset: number; readonly length: number },
  request: HoverRequest,
): string {
  const { document, name } = request;
  const start = name.statement.start + offset;
  return oneLine(document.statements.slice(start, start + length), maxTextLength);
}

/** The parser's range of a definition begins with the list of definitions. */
function definitionText(text: string, { colName, span }: ColumnDefinition): string {
  return cutText(text.slice(colName.span.offset, span.offset + span.length), maxTextLength);
}
