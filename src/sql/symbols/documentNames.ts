import type { Stmt } from 'sqlite3-parser';
import type { ParsedStatement } from '../parser/parser.ts';
import type { Schema } from '../schema/schema.ts';
import { keyOf } from '../text/names.ts';
import { statementAround } from '../text/statementAt.ts';
import type { StatementList } from '../text/statementIndex.ts';
import { occurrencesIn } from './occurrences.ts';
import type { Occurrence, SqlSymbol } from './symbol.ts';

export interface NamedDocument {
  readonly statements: StatementList;
  /** The tree of a statement by its number. Its offsets count from the start of the statement. */
  parsed(number: number): ParsedStatement;
  schemaBefore(number: number): Schema;
}

/** The names of one statement of a document. Their offsets count from the start of the statement. */
interface StatementNames {
  readonly number: number;
  readonly start: number;
  readonly tree: Stmt;
  readonly schema: Schema;
  readonly occurrences: readonly Occurrence[];
}

export interface NameInDocument {
  readonly statement: StatementNames;
  readonly occurrence: Occurrence;
}

export const textOfName = ({ statements }: NamedDocument, { statement, occurrence }: NameInDocument): string =>
  statements.slice(statement.start + occurrence.start, statement.start + occurrence.end);

interface CachedNames {
  readonly schema: Schema;
  readonly occurrences: readonly Occurrence[];
}

/** An editor requests the names of the same statement several times. */
const cache = new WeakMap<Stmt, CachedNames>();

function namesOf(tree: Stmt, schema: Schema): readonly Occurrence[] {
  const cached = cache.get(tree);
  if (cached?.schema === schema) return cached.occurrences;
  const occurrences = occurrencesIn(tree, schema);
  cache.set(tree, { schema, occurrences });
  return occurrences;
}

/** The name at an offset of a document. The end of a name belongs to it. */
export function nameAt(document: NamedDocument, offset: number): NameInDocument | undefined {
  const { number } = statementAround(document.statements, offset);
  const range = document.statements.at(number);
  const tree = range && document.parsed(number).ast;
  if (!tree) return undefined;
  const schema = document.schemaBefore(number);
  const statement = { number, start: range.start, tree, schema, occurrences: namesOf(tree, schema) };
  const inStatement = offset - range.start;
  const touching = statement.occurrences.filter(
    ({ start, end, isImplied }) => !isImplied && start <= inStatement && inStatement <= end,
  );
  const occurrence = touching.at(-1);
  return occurrence && { statement, occurrence };
}

/**
 * All names for the symbols of an occurrence, grouped by statement. Local symbols occur in their own statement only. The name
 * of merged columns stands for each of them. The occurrence has no `statement` if it is in another document of the project.
 */
export function* sameNames(
  document: NamedDocument,
  { occurrence, statement }: Pick<NameInDocument, 'occurrence'> & Partial<NameInDocument>,
): Generator<readonly NameInDocument[]> {
  const { symbols } = occurrence;
  const shared = symbols.filter(({ isLocal }) => !isLocal);
  const [first] = shared;
  if (!first) {
    if (statement) yield namesFor(symbols, statement);
    return;
  }
  for (const names of statementNames(document, mentionsOf(first))) {
    yield namesFor(names.number === statement?.number ? symbols : shared, names);
  }
}

function namesFor(symbols: readonly SqlSymbol[], statement: StatementNames): NameInDocument[] {
  const keys = new Set(symbols.map(({ key }) => key));
  return statement.occurrences
    .filter(occurrence => occurrence.symbols.some(({ key }) => keys.has(key)))
    .map(occurrence => ({ statement, occurrence }));
}

/** Whether a text may contain a name. If not, its tree is not needed. */
export function mentions(name: string): (text: string) => boolean {
  // Between quotes, a quote in a name is doubled.
  const [part = ''] = name
    .toLowerCase()
    .split(/["'`]/)
    .toSorted((a, b) => b.length - a.length);
  return text => text.toLowerCase().includes(part);
}

/** Whether a statement may have a name for a symbol. */
export function mentionsOf({ kind, name }: SqlSymbol): (text: string) => boolean {
  if (kind !== 'column') return mentions(name);
  // SQLite has several names for the rowid.
  if (keyOf(name) === 'rowid') return () => true;
  const mentionsName = mentions(name);
  return text => mentionsName(text) || joinsNaturally(text);
}

/** Whether a statement may merge columns without naming them. */
export const joinsNaturally = (text: string): boolean => /\bnatural\b/i.test(text);

const ddlKeyword = /^(?:create|alter|drop)\b/i;

/** The places that declare a name: in its own statement, or in the DDL of the document. */
export function declarationsOf(
  document: NamedDocument,
  symbol: SqlSymbol,
  statement: StatementNames,
): readonly NameInDocument[] {
  const mentionsSymbol = mentionsOf(symbol);
  const statements = symbol.isLocal
    ? [statement]
    : statementNames(document, text => ddlKeyword.test(text) && mentionsSymbol(text));
  return Array.from(statements).flatMap(names =>
    namesFor([symbol], names).filter(({ occurrence }) => occurrence.role === 'declaration'),
  );
}

/** The names of the statements whose text passes the test, in order. Each has the schema that the DDL above it leaves. */
export function* statementNames(
  document: NamedDocument,
  isWanted: (text: string, number: number) => boolean,
): Generator<StatementNames> {
  const { statements } = document;
  let schema: Schema | undefined;
  let ddl: Stmt[] = [];
  for (let number = 0; number < statements.count; number++) {
    const { start, end } = statements.at(number)!;
    const text = statements.slice(start, end);
    const isDdl = ddlKeyword.test(text);
    const wanted = isWanted(text, number);
    if (!isDdl && !wanted) continue;
    const tree = document.parsed(number).ast;
    if (!tree) continue;
    if (wanted) {
      schema ??= document.schemaBefore(0);
      if (ddl.length > 0) schema = schema.after(ddl);
      ddl = [];
      yield { number, start, tree, schema, occurrences: namesOf(tree, schema) };
    }
    if (isDdl) ddl.push(tree);
  }
}

/** The alias at a name and its uses, if all are written alike and without quotes. */
export function linkedNames(document: NamedDocument, name: NameInDocument): readonly NameInDocument[] {
  if (name.occurrence.symbols[0]?.kind !== 'alias') return [];
  const names = Array.from(sameNames(document, name)).flat();
  const texts = new Set(names.map(same => textOfName(document, same)));
  const [text = ''] = texts;
  return texts.size === 1 && /^[\w$\u0080-\uffff]+$/.test(text) ? names : [];
}
