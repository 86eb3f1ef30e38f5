import { keyOf } from '../text/names.ts';
import { unquoted } from '../text/quoting.ts';
import type { DatabaseName, SchemaObjectKind, SchemaObject } from './schemaObject.ts';
import { firstWords, type Word, wordsOf } from './statementWords.ts';

/** A statement that changes a schema, as its first words say. */
export type DdlStatement =
  | {
      readonly kind: 'create';
      readonly object: SchemaObject;
      /** Whether the statement names the database of the object. */
      readonly namesDatabase: boolean;
    }
  | {
      readonly kind: 'drop';
      /** `TABLE`, `VIEW`, `INDEX` or `TRIGGER`. */
      readonly keyword: string;
      readonly database: DatabaseName | undefined;
      readonly name: string;
    }
  | { readonly kind: 'alter'; readonly name: string }
  | { readonly kind: 'analyze'; readonly database: DatabaseName | undefined; readonly name: string | undefined };

const kinds: Readonly<Record<string, SchemaObjectKind>> = {
  TABLE: 'table',
  VIEW: 'view',
  INDEX: 'index',
  TRIGGER: 'trigger',
};

/** Enough words for `CREATE TEMP TABLE IF NOT EXISTS database.name AS`. */
const maxHeadWords = 12;

/** Needs no parser, because every statement of a document is read. Undefined if the statement changes no schema. */
export function ddlStatementOf(sql: string): DdlStatement | undefined {
  if (/^[be-z]/i.test(sql)) return undefined;
  const verb = firstWords(sql, 1)[0]?.key;
  if (verb !== 'CREATE' && verb !== 'DROP' && verb !== 'ALTER' && verb !== 'ANALYZE') return undefined;
  const words = firstWords(sql, maxHeadWords);
  if (verb === 'CREATE') return createStatementOf(sql, words);
  const { name, database } = readName(words, verb === 'ANALYZE' ? 1 : 2);
  if (verb === 'ANALYZE') return { kind: 'analyze', database, name };
  if (name === undefined) return undefined;
  return verb === 'ALTER' ? { kind: 'alter', name } : { kind: 'drop', keyword: words[1]?.key ?? '', database, name };
}

/** The object of a CREATE statement. The statements of sqlite_temp_schema omit TEMP, so the caller names the database. */
export function schemaObjectOf(sql: string, database?: DatabaseName): SchemaObject | undefined {
  const ddl = ddlStatementOf(sql);
  if (ddl?.kind !== 'create') return undefined;
  const { object } = ddl;
  if (database !== 'temp' || object.database === 'temp') return object;
  // CREATE TEMP INDEX does not exist: an index is in the database of its table.
  if (object.kind === 'index') return { ...object, database };
  return { ...object, database, sql: sql.replace(/\bCREATE\b/i, '$& TEMP') };
}

function createStatementOf(sql: string, words: readonly Word[]): DdlStatement | undefined {
  const modifier = words[1]?.key ?? '';
  const kindIndex = /^(?:TEMP|TEMPORARY|VIRTUAL|UNIQUE)$/.test(modifier) ? 2 : 1;
  const kind = modifier === 'VIRTUAL' ? 'virtual' : kinds[words[kindIndex]?.key ?? ''];
  const { name, database, nextIndex } = readName(words, kindIndex + 1);
  if (!kind || name === undefined) return undefined;
  const owner = kind === 'index' || kind === 'trigger' ? readOwner(sql, nextIndex) : undefined;
  const namedDatabase = modifier.startsWith('TEMP') ? 'temp' : (database ?? owner?.database);
  return {
    kind: 'create',
    object: { kind, database: namedDatabase ?? 'main', name, owner: owner?.name, sql },
    namesDatabase: namedDatabase !== undefined,
  };
}

/** The parts of CREATE TABLE … AS before and after AS. Undefined for every other statement. */
export function tableFromQuery(sql: string): { readonly head: string; readonly query: string } | undefined {
  const words = firstWords(sql, maxHeadWords);
  const kindIndex = words[1]?.key.startsWith('TEMP') ? 2 : 1;
  if (words[0]?.key !== 'CREATE' || words[kindIndex]?.key !== 'TABLE') return undefined;
  const as = words[readName(words, kindIndex + 1).nextIndex];
  return as?.key === 'AS' ? { head: sql.slice(0, as.start), query: sql.slice(as.end) } : undefined;
}

interface NameInStatement {
  readonly name: string | undefined;
  readonly database: DatabaseName | undefined;
  readonly nextIndex: number;
}

/** Reads `[IF [NOT] EXISTS] [database.]name`, beginning with the word at `start`. */
function readName(words: readonly Word[], start: number): NameInStatement {
  let index = start;
  if (words[index]?.key === 'IF') {
    if (words[index + 1]?.key === 'EXISTS') index += 2;
    else if (words[index + 1]?.key === 'NOT') index += 3;
  }
  const isQualified = words[index + 1]?.key === '.';
  if (!isQualified) return { name: nameOf(words[index]), database: undefined, nextIndex: index + 1 };
  const database = nameOf(words[index]) === 'temp' ? 'temp' : 'main';
  return { name: nameOf(words[index + 2]), database, nextIndex: index + 3 };
}

/** `UPDATE OF` lists columns between the name of a trigger and its table. A table has up to 2,000 columns. */
const maxWordsBeforeOwner = 5000;

/** Reads the table of an index or a trigger. It follows the first ON after the name. */
function readOwner(sql: string, start: number): NameInStatement {
  const words: Word[] = [];
  for (const word of wordsOf(sql).drop(start).take(maxWordsBeforeOwner)) {
    if (words.length === 0 && word.key !== 'ON') continue;
    words.push(word);
    if (words.length === 4) break;
  }
  return readName(words, 1);
}

function nameOf(word: Word | undefined): string | undefined {
  return word && keyOf(unquoted(word.text));
}
