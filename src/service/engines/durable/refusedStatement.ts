import { isSameName, keyOf } from '../../../sql/text/names.ts';
import { type CoarseToken, meaningfulTokens } from '../../../sql/text/tokens.ts';
import { unquoted } from '../../../sql/text/quoting.ts';
import { deniedStatement } from '../../faults.ts';

const ownCommit = 'each call commits by itself. Put changes that belong together into one statement.';
const transaction = `Transactions cannot span calls: ${ownCommit}`;
const savepoint = `Savepoints cannot span calls: ${ownCommit}`;
const temporaryTable = 'Temporary tables are not kept. They would end with their call. Leave TEMP out.';

/** Statements by their first word. */
const refusedWords: Readonly<Record<string, string>> = {
  BEGIN: transaction,
  COMMIT: transaction,
  END: transaction,
  ROLLBACK: transaction,
  SAVEPOINT: savepoint,
  RELEASE: savepoint,
  ATTACH: 'ATTACH is not allowed: a project is one database. Send a separate statement to each project.',
  DETACH: 'DETACH is not allowed: a project is one database. Leave it out.',
  VACUUM: 'VACUUM is not allowed in a call, and this engine has no need of it.',
};

/** PRAGMAs that only read, with and without an argument. */
const readingPragmas = new Set(
  'foreign_key_check foreign_key_list index_info index_list index_xinfo quick_check table_info table_list table_xinfo'.split(
    ' ',
  ),
);
/** PRAGMAs that read without an argument. With an argument they set something, also for other callers. */
const settablePragmas = new Set('data_version foreign_keys page_size'.split(' '));

const rollback =
  'ROLLBACK is not allowed in a statement, since it would end the transaction of the service. Use ABORT.';

/** Two words in sequence. Punctuation may be between them. */
const refusedPairs: Readonly<Record<string, string>> = {
  'OR ROLLBACK': rollback,
  'CONFLICT ROLLBACK': rollback,
  'RAISE ROLLBACK': rollback,
  'CREATE TEMP': temporaryTable,
  'CREATE TEMPORARY': temporaryTable,
};

/** The only table-valued function that writes: a SELECT from it analyzes tables. */
const writingTable = 'pragma_optimize';

/** The object keeps its own values in tables with such names. */
const ownPrefix = '_cf_';

/** Refuses a statement that breaks the object, outlives the call or uses the object's own tables. There is no authorizer here. */
export function requireAllowed(sql: string): void {
  const message = refusalOf(sql, [...meaningfulTokens(sql)]);
  if (message !== undefined) throw deniedStatement(message);
}

function refusalOf(sql: string, allTokens: readonly CoarseToken[]): string | undefined {
  const textOf = ({ start, end }: CoarseToken): string => sql.slice(start, end);
  // A PRAGMA sets something even with EXPLAIN: SQLite does that while it prepares the statement.
  const tokens = allTokens.slice(explainEnd(allTokens.map(textOf)));
  const words = tokens.filter(({ kind }) => kind === 'word').map(token => textOf(token).toUpperCase());
  const own = tokens.find(token => isOwnName(token, textOf(token)));
  if (own) return `Names that begin with ${ownPrefix} belong to the service.`;
  if (tokens.some(token => isName(token, textOf(token)) && isSameName(unquoted(textOf(token)), writingTable))) {
    return `${writingTable} is not allowed here.`;
  }
  const [first = ''] = words;
  const refused = refusedWords[first];
  if (refused !== undefined) return refused;
  if (first === 'PRAGMA') return pragmaRefusal(tokens.map(textOf));
  for (let at = 1; at < words.length; at++) {
    const pair = refusedPairs[`${words[at - 1]} ${words[at]}`];
    if (pair !== undefined) return pair;
  }
  return isInTemp(tokens.map(textOf)) ? temporaryTable : undefined;
}

/** The index of the first token after EXPLAIN, or 0. */
function explainEnd(texts: readonly string[]): number {
  const start = texts.findIndex(text => text !== ';');
  const [first = '', second = '', third = ''] = texts.slice(Math.max(0, start), start + 3);
  if (!/^explain$/i.test(first)) return 0;
  return start + (/^query$/i.test(second) && /^plan$/i.test(third) ? 3 : 1);
}

/** Also true for a text: SQLite takes a text for a name where it needs one. */
const isName = ({ kind }: CoarseToken, text: string): boolean =>
  kind === 'word' || (kind === 'quoted' && !text.startsWith('x') && !text.startsWith('X'));

const isOwnName = (token: CoarseToken, text: string): boolean =>
  isName(token, text) && keyOf(unquoted(text)).startsWith(ownPrefix);

/** `PRAGMA main.name = value` and `PRAGMA name(value)`. */
function pragmaRefusal([, first = '', second, third, ...others]: readonly string[]): string | undefined {
  const hasSchema = second === '.';
  const name = keyOf(hasSchema ? (third ?? '') : first);
  const argument = hasSchema ? others[0] : second;
  const hasArgument = argument !== undefined && argument !== ';';
  const isAllowed = readingPragmas.has(name) ? argument !== '=' : settablePragmas.has(name) && !hasArgument;
  return isAllowed ? undefined : `PRAGMA ${name} is not allowed here.`;
}

/** `CREATE TABLE temp.t` and its like. Other statements fail: the schema `temp` is empty. */
function isInTemp(texts: readonly string[]): boolean {
  if (texts[0]?.toUpperCase() !== 'CREATE') return false;
  const schema = texts.findIndex((text, at) => isSameName(unquoted(text), 'temp') && texts[at + 1] === '.');
  // The new name comes before the body of the statement.
  return (
    schema !== -1 &&
    schema <= 7 &&
    !texts.slice(0, schema).some(text => /^(?:as|on|begin)$/i.test(text) || text === '(')
  );
}
