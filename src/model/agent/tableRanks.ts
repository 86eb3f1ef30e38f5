import type { SchemaTable } from '../../sql/tables/schemaTable.ts';
import { keyOf } from '../../sql/text/names.ts';

interface RankedTables {
  /** The tables that fit the search, the best first. */
  readonly best: readonly SchemaTable[];
  /** All others. Tables that many others refer to come first. */
  readonly otherTables: readonly SchemaTable[];
}

/** The most tables that count as the best. */
const maxBest = 20;

/** Orders tables by how well their names and columns fit the words of a search. */
export function rankTables(tables: readonly SchemaTable[], search: string): RankedTables {
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
    best: best.map(({ table }) => table),
    otherTables: scored.slice(best.length).map(({ table }) => table),
  };
}

/** How many foreign keys refer to each table. */
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
