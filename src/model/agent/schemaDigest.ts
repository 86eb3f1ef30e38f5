import type { SchemaTable } from '../../sql/tables/schemaTable.ts';
import { keyOf } from '../../sql/text/names.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import type { SchemaEntry } from '../catalog/schemaEntries.ts';
import { cutText } from '../../base/oneLine.ts';
import { tokenCount, untrustedJson } from './untrustedJson.ts';

interface DigestRequest {
  readonly entries: readonly SchemaEntry[];
  readonly all: readonly SchemaTable[];
  /** Tables that the agent names. They come first. */
  readonly tables: readonly string[];
  readonly search: string;
  readonly tokens: number;
  readonly isMasked: (table: string, column: string) => boolean;
  /** How many rows the tables have, by the keys of their names, as far as they were counted. */
  readonly rowCounts: ReadonlyMap<string, string>;
}

/** The shares of the budget for definitions, and for definitions and outlines together. */
const definitionShare = 0.6;
const outlineShare = 0.85;
/** An outline of more columns is cut. */
const maxOutlineColumns = 40;
const maxIndexLength = 100;

/** The schema as far as it fits the budget: requested tables first, then those that fit the search best. */
export function digestSchema(request: DigestRequest) {
  const { search, tokens, all } = request;
  const entries = Map.groupBy(request.entries, ({ table }) => keyOf(table));
  const requested = request.tables.flatMap(name => findTable(all, name) ?? []);
  const ranked = rankTables(all, search);
  const order = [...new Set([...requested, ...ranked.best, ...ranked.otherTables])];
  let usedTokens = 0;
  const fits = (part: unknown, share: number): boolean => {
    const partTokens = tokenCount(`${untrustedJson(part)},`);
    const isFit = usedTokens + partTokens <= (tokens - envelopeTokens) * share;
    if (isFit) usedTokens += partTokens;
    return isFit;
  };
  const definitions: ReturnType<typeof definitionOf>[] = [];
  const outlines: string[] = [];
  const otherNames: string[] = [];
  const detailed = new Set([...requested, ...ranked.best]);
  for (const [place, table] of order.entries()) {
    const isRequested = place < requested.length;
    const definition = detailed.has(table) ? definitionOf(table, entries, request) : undefined;
    const outline = outlineOf(table, entries, request);
    if (definition && fits(definition, definitionShare)) definitions.push(definition);
    else if (fits(outline, isRequested ? 1 : outlineShare)) outlines.push(outline);
    else if (fits(table.name, 1)) otherNames.push(table.name);
    else break;
  }
  const listed = definitions.length + outlines.length + otherNames.length;
  return {
    tableCount: all.length,
    definitions,
    outlines,
    otherNames,
    /** How many tables are in no list. */
    unlistedCount: all.length - listed,
    missingTables: request.tables.filter(name => !findTable(all, name)),
  };
}

/** The answer has sentences besides its tables. */
const envelopeTokens = 250;

function findTable(all: readonly SchemaTable[], name: string): SchemaTable | undefined {
  const key = keyOf(name.replace(/^main\./i, ''));
  return all.find(table => keyOf(table.name) === key);
}

/** The statements that create a table, and its indexes and triggers. */
function definitionOf(
  table: SchemaTable,
  entries: ReadonlyMap<string, readonly SchemaEntry[]>,
  { isMasked, rowCounts }: DigestRequest,
) {
  const masked = table.columns.filter(({ name }) => isMasked(table.name, name)).map(({ name }) => name);
  const rows = rowCounts.get(keyOf(table.name));
  return {
    name: table.name,
    ...(rows !== undefined && { rows }),
    sql: (entries.get(keyOf(table.name)) ?? []).map(({ sql }) => sql),
    ...(masked.length > 0 && { masked }),
  };
}

/** `orders(id INTEGER KEY, customer_id INTEGER -> customers, total REAL), INDEX (customer_id), 2000 rows`. */
function outlineOf(
  table: SchemaTable,
  entries: ReadonlyMap<string, readonly SchemaEntry[]>,
  { isMasked, rowCounts }: DigestRequest,
): string {
  const { columns, primaryKey, foreignKeys, kind, name: tableName } = table;
  const targets = new Map(foreignKeys.flatMap(key => key.columns.map(column => [keyOf(column), key.table] as const)));
  const keys = new Set(primaryKey.map(keyOf));
  const parts = columns.slice(0, maxOutlineColumns).map(({ name, type }) => {
    const target = targets.get(keyOf(name));
    return [
      quoteIdentifierIfNeeded(name),
      type,
      keys.has(keyOf(name)) ? 'KEY' : '',
      target === undefined ? '' : `-> ${quoteIdentifierIfNeeded(target)}`,
      isMasked(tableName, name) ? 'MASKED' : '',
    ]
      .filter(part => part !== '')
      .join(' ');
  });
  const more = columns.length - maxOutlineColumns;
  if (more > 0) parts.push(`and ${more} more columns`);
  const noun = kind === 'view' ? 'view ' : '';
  const indexes = (entries.get(keyOf(tableName)) ?? []).flatMap(({ kind: ofEntry, sql }) =>
    ofEntry === 'index' ? [`INDEX ${cutText(sql.slice(sql.indexOf('(')), maxIndexLength)}`] : [],
  );
  const columnText = `${noun}${quoteIdentifierIfNeeded(tableName)}(${parts.join(', ')})`;
  return [columnText, ...indexes, rowCounts.get(keyOf(tableName)) ?? ''].filter(part => part !== '').join(', ');
}

const maxBest = 20;

/** Orders tables by how well their names and columns fit the words of a search. */
function rankTables(tables: readonly SchemaTable[], search: string) {
  const wanted = [...new Set(wordsOf(search))];
  const references = referenceCounts(tables);
  const scored = tables.map(table => ({
    table,
    score: scoreOf(table, wanted),
    references: references.get(keyOf(table.name)) ?? 0,
  }));
  scored.sort((a, b) => b.score - a.score || b.references - a.references || (a.table.name < b.table.name ? -1 : 1));
  const best = scored.filter(({ score }) => score > 0).slice(0, maxBest);
  return {
    /** The tables that fit the search, the best first. */
    best: best.map(({ table }) => table),
    /** Tables that many others refer to come first. */
    otherTables: scored.slice(best.length).map(({ table }) => table),
  };
}

function referenceCounts(tables: readonly SchemaTable[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { foreignKeys } of tables) {
    for (const { table } of foreignKeys) counts.set(keyOf(table), (counts.get(keyOf(table)) ?? 0) + 1);
  }
  return counts;
}

/** A word in the table's name counts most. A word counts once, however many columns have it. */
function scoreOf({ name, columns }: SchemaTable, wanted: readonly string[]): number {
  if (wanted.length === 0) return 0;
  const nameWords = wordsOf(name);
  const columnWords = columns.flatMap(column => wordsOf(column.name));
  const whole = keyOf(name);
  const scores = wanted.map(word => {
    if (word === whole) return 20;
    return 8 * fitOf(word, nameWords) + 2 * fitOf(word, columnWords);
  });
  const sum = scores.reduce((total, score) => total + score, 0);
  // If two tables have the same words, the one with the shorter name fits better.
  return sum === 0 ? 0 : sum + 1 / (1 + nameWords.length);
}

/** 1 if a word is among others, less if it only begins like one of them. */
function fitOf(word: string, others: readonly string[]): number {
  if (others.includes(word)) return 1;
  const isLike = others.some(
    other => word.length > 2 && other.length > 2 && (other.startsWith(word) || word.startsWith(other)),
  );
  return isLike ? 0.5 : 0;
}

/** `OrderLines`, `order_lines` and `order lines` have the same words, in the singular. */
function wordsOf(text: string): string[] {
  return text
    .slice(0, 1000)
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
    .map(word => (word.length > 3 ? word.replace(/(?<=[^s])s$/, '') : word));
}
