import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStatement } from '../../../src/sql/parser/parser.ts';
import { occurrencesIn } from '../../../src/sql/symbols/occurrences.ts';
import { splitStatements } from '../../../src/sql/text/splitter.ts';
import { corpusSchema } from '../../support/completeMarked.ts';
import { openShadow } from '../../support/openShadow.ts';
import { ddl, validStatements } from '../corpus.ts';
import { heldOutValid } from '../heldOutCases.ts';

const ddlStatements = splitStatements(ddl).map(({ start, end }) => ddl.slice(start, end));
const shadow = await openShadow(ddlStatements);

/**
 * The columns that the names of a statement read. A view reads its own columns. SQLite reports nothing for the row that an
 * UPSERT proposes, and for the columns of USING.
 */
function columnsNamed(sql: string): Set<string> {
  const { ast } = parseStatement(sql);
  const columns = new Set<string>();
  for (const { symbols, role, source, isImplied } of ast ? occurrencesIn(ast, corpusSchema) : []) {
    if (role !== 'read' || isImplied || source?.kind === 'row' || symbols.length > 1) continue;
    for (const symbol of symbols) {
      if (symbol.kind !== 'column' || symbol.table === undefined) continue;
      const table = source?.kind === 'view' ? source.table! : symbol.table;
      // SQLite reports the primary key of this table in place of its rowid.
      columns.add(`${table}.${symbol.name}`.toLowerCase().replace('users.rowid', 'users.id'));
    }
  }
  return columns;
}

/** The columns that SQLite reads, whether or not through a common table. Undefined if it refuses the statement. */
async function columnsRead(
  sql: string,
): Promise<{ readonly all: Set<string>; readonly direct: Set<string> } | undefined> {
  const { outcome, problems, uses } = await shadow.check(sql);
  if (outcome !== 'prepared' || problems.length > 0) return undefined;
  const reads = uses.filter(({ action, column }) => action === 'read' && column !== undefined && column !== '');
  const textsOf = (some: typeof reads): Set<string> =>
    new Set(some.map(({ name, column }) => `${name}.${column}`.toLowerCase()));
  return { all: textsOf(reads), direct: textsOf(reads.filter(({ through }) => through === undefined)) };
}

/** SQLite does not look at a window that nothing uses. */
const hasUnusedWindow = /w2 AS/;

test('names stand for the columns that SQLite reads', async () => {
  let count = 0;
  for (const sql of [...validStatements, ...heldOutValid]) {
    const isQuery = /^(?:select|with|insert|update|delete|replace|values)\b/i.test(sql);
    const read = isQuery && !hasUnusedWindow.test(sql) ? await columnsRead(sql) : undefined;
    if (!read) continue;
    count++;
    const named = columnsNamed(sql);
    assert.deepEqual([...named.difference(read.all)], [], `${sql} names`);
    if (!/[*]|natural|using/i.test(sql)) assert.deepEqual([...read.direct.difference(named)], [], `${sql} reads`);
  }
  assert.ok(count > 100, String(count));
});
