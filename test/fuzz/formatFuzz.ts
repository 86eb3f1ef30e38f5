/*
 * Formats random scripts in every style. Statements keep their trees, SQLite says the same of them, and formatting a second
 * time changes nothing.
 *
 * `npm run fuzz:format [seed] [count]` runs it for a long time, by default with a random seed.
 */
import assert from 'node:assert/strict';
import type { SqlFormatOptions } from '../../src/sql/formatter/formatter.ts';
import { parseStatement } from '../../src/sql/parser/parser.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';
import { ddl, everyStatement } from '../sql/corpus.ts';
import { openSqliteOracle, type SqliteOracle } from '../support/sqliteOracle.ts';
import { formatDocument } from '../support/formatDocument.ts';
import { seeded } from './random.ts';
import { randomScript } from './sqlTexts.ts';

const styles: readonly SqlFormatOptions[] = (['upper', 'lower', 'keep'] as const).flatMap(keywordCase =>
  (['after', 'before'] as const).flatMap(commas =>
    [0, 40, 100].map(lineWidth => ({ keywordCase, commas, lineWidth, indent: lineWidth === 40 ? '\t' : '  ' })),
  ),
);

/** Counts the formattings, and those that changed the text. */
export async function fuzzFormat(
  seed: number,
  count: number,
): Promise<{ readonly formattings: number; readonly changes: number }> {
  const oracle = await openSqliteOracle(ddl);
  const random = seeded(seed);
  let changes = 0;
  for (let index = 0; index < count; index++) {
    // Some scripts are whole: one statement of the corpus after the other.
    const text = index % 4 === 0 ? `${everyStatement[(index / 4) % everyStatement.length]!};\n` : randomScript(random);
    const before = describe(text, oracle);
    for (const style of styles) {
      try {
        const formatted = formatDocument(text, style);
        if (formatted === text) continue;
        changes++;
        assert.deepEqual(describe(formatted, oracle), before, formatted);
        assert.equal(formatDocument(formatted, style), formatted, 'formatting is stable');
      } catch (thrown) {
        const description = `seed ${seed}, script ${index}, ${JSON.stringify(style)}: ${JSON.stringify(text)}`;
        throw new Error(description, { cause: thrown });
      }
    }
  }
  return { formattings: count * styles.length, changes };
}

/** The answers of the parser and of SQLite to each statement. */
function describe(text: string, oracle: SqliteOracle): readonly string[] {
  return splitStatements(text).map(({ start, end }) => {
    const sql = text.slice(start, end);
    const { ast, fault } = parseStatement(sql);
    // A faulty statement must not change at all.
    if (fault || !ast) return sql;
    const { kind, message } = oracle.prepare(sql);
    return `${JSON.stringify(ast, withoutSpans)} ${kind} ${message.toLowerCase()}`;
  });
}

/** Leaves out the places, and the case of words that are keywords to SQLite but texts in the tree. */
function withoutSpans(this: unknown, key: string, value: unknown): unknown {
  if (key === 'span') return undefined;
  const { type } = this as { readonly type?: unknown };
  if (type === 'KeywordLiteral' && typeof value === 'string') return value.toUpperCase();
  return type === 'Type' && typeof value === 'string' ? value.replace(/ generated always$/i, '') : value;
}

if (import.meta.main) {
  const seed = Number(process.argv[2] ?? Date.now() % 2 ** 31);
  const count = Number(process.argv[3] ?? 20_000);
  console.log(`seed ${seed}, ${count} scripts`);
  console.log(await fuzzFormat(seed, count));
}
