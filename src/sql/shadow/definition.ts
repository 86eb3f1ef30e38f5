import { keyOf } from '../text/names.ts';
import { unquoted } from '../text/quoting.ts';
import { CoarseScanner } from '../text/tokens.ts';
import { firstWords, type Word, wordsOf } from './schemaChange.ts';

export type DefinitionKind = 'virtual' | 'table' | 'view' | 'index' | 'trigger';
export type DatabaseName = 'main' | 'temp';

/** One thing in a schema, with the statement that makes it. Names are in lower case and without quotes. */
export interface Definition {
  readonly kind: DefinitionKind;
  readonly database: DatabaseName;
  readonly name: string;
  /** The table or view that an index or a trigger belongs to. */
  readonly owner: string | undefined;
  readonly sql: string;
  /** That it is there is likely, but not what it is like: SQLite does not take the statement that makes it, or not yet. */
  readonly isUncertain?: true;
}

/** What a statement does to a schema, as far as its first words tell. */
export type SchemaChange =
  | { readonly kind: 'create'; readonly definition: Definition; readonly saysWhere: boolean }
  | {
      readonly kind: 'drop';
      readonly what: string;
      readonly database: DatabaseName | undefined;
      readonly name: string;
    }
  | { readonly kind: 'alter'; readonly name: string }
  | { readonly kind: 'analyze'; readonly database: DatabaseName | undefined; readonly name: string | undefined };

const kinds: Readonly<Record<string, DefinitionKind>> = {
  TABLE: 'table',
  VIEW: 'view',
  INDEX: 'index',
  TRIGGER: 'trigger',
};

/** Enough for the words up to and with the name. */
const firstCount = 12;

export function schemaChangeOf(sql: string): SchemaChange | undefined {
  if (/^[be-z]/i.test(sql)) return undefined;
  const verb = firstWords(sql, 1)[0]?.key;
  if (verb !== 'CREATE' && verb !== 'DROP' && verb !== 'ALTER' && verb !== 'ANALYZE') return undefined;
  const words = firstWords(sql, firstCount);
  if (verb === 'CREATE') return creationOf(sql, words);
  const { name, database } = nameIn(words, verb === 'ANALYZE' ? 1 : 2);
  if (verb === 'ANALYZE') return { kind: 'analyze', database, name };
  if (name === undefined) return undefined;
  return verb === 'ALTER' ? { kind: 'alter', name } : { kind: 'drop', what: words[1]?.key ?? '', database, name };
}

/** The thing that a CREATE statement makes; in `database` where sqlite_temp_schema leaves that word out. */
export function definitionOf(sql: string, database?: DatabaseName): Definition | undefined {
  const change = schemaChangeOf(sql);
  if (change?.kind !== 'create') return undefined;
  const { definition } = change;
  if (database !== 'temp' || definition.database === 'temp') return definition;
  // An index is where its table is, and has no such word.
  if (definition.kind === 'index') return { ...definition, database };
  return { ...definition, database, sql: sql.replace(/\bCREATE\b/i, '$& TEMP') };
}

function creationOf(sql: string, words: readonly Word[]): SchemaChange | undefined {
  const adjective = words[1]?.key ?? '';
  const at = /^(?:TEMP|TEMPORARY|VIRTUAL|UNIQUE)$/.test(adjective) ? 2 : 1;
  const kind = adjective === 'VIRTUAL' ? 'virtual' : kinds[words[at]?.key ?? ''];
  const { name, database, behind } = nameIn(words, at + 1);
  if (!kind || name === undefined) return undefined;
  const owner = kind === 'index' || kind === 'trigger' ? ownerIn(sql, behind) : undefined;
  const place = adjective.startsWith('TEMP') ? 'temp' : (database ?? owner?.database);
  const definition: Definition = { kind, database: place ?? 'main', name, owner: owner?.name, sql };
  return { kind: 'create', definition, saysWhere: place !== undefined };
}

interface Named {
  readonly name: string | undefined;
  readonly database: DatabaseName | undefined;
  readonly behind: number;
}

/** Reads `[IF [NOT] EXISTS] [database.]name`, which begins with word number `from`. */
function nameIn(words: readonly Word[], from: number): Named {
  let at = from;
  if (words[at]?.key === 'IF') {
    if (words[at + 1]?.key === 'EXISTS') at += 2;
    else if (words[at + 1]?.key === 'NOT') at += 3;
  }
  if (words[at + 1]?.key !== '.') return { name: nameOf(words[at]), database: undefined, behind: at + 1 };
  const database = nameOf(words[at]) === 'temp' ? 'temp' : 'main';
  return { name: nameOf(words[at + 2]), database, behind: at + 3 };
}

/** The table of an index or a trigger, which the first ON behind its name brings. */
function ownerIn(sql: string, behind: number): Named {
  const found: Word[] = [];
  for (const word of wordsOf(sql).drop(behind)) {
    if ((found.length > 0 || word.key === 'ON') && found.push(word) === 4) break;
  }
  return nameIn(found, 1);
}

function nameOf(word: Word | undefined): string | undefined {
  return word && keyOf(unquoted(word.text));
}

/** All that could be a name in a text, in lower case. A string can be one as well, since SQLite lets it. */
export function mentionedNames(text: string): Set<string> {
  const names = new Set<string>();
  const scanner = new CoarseScanner(text);
  while (scanner.next()) {
    if (scanner.kind === 'word') names.add(keyOf(text.slice(scanner.start, scanner.end)));
    else if (scanner.kind === 'quoted') names.add(keyOf(unquoted(text.slice(scanner.start, scanner.end))));
  }
  return names;
}
