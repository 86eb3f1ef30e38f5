import type { Clock } from '../../../base/clock.ts';
import { misuse } from '../../../base/errors.ts';
import { countBy } from '../../catalog/catalogQueries.ts';
import type { SqlParameter } from '../../../wire/values.ts';
import {
  type AgentTool,
  defineTool,
  optionalField,
  paramsField,
  projectField,
  sqlField,
  type ToolCall,
  type JsonValue,
  requiredText,
} from '../agentTool.ts';
import type { CursorPlace, Cursors } from '../cursors.ts';
import type { KnownSchema } from '../projectAccess.ts';
import { readRows } from '../readRows.ts';
import { maskNotes, rowsToolAnswer, dataNotice } from '../rowsBody.ts';
import { cutText } from '../../../base/oneLine.ts';
import { keyOf } from '../../../sql/text/names.ts';
import { countRows } from '../rowCounts.ts';

/** Counting all rows may take as long as the statement. An agent rarely needs the count that badly. */
const countMs = 1000;

export const queryTool = (cursors: Cursors, clock: Clock): AgentTool =>
  defineTool({
    name: 'sql_query',
    title: 'Query a database',
    description:
      'Runs one statement that only reads, and returns its rows. Statements that write are refused. ' +
      'An answer that is cut names a cursor, with which the next call returns the rows that follow.',
    isReadOnly: true,
    fields: {
      project: projectField,
      sql: optionalField('text', `${sqlField} Leave it out with a cursor.`),
      params: paramsField,
      rows: optionalField('count', 'Maximum rows to return. The limits of the session may allow fewer.'),
      cursor: optionalField('text', 'The cursor of an answer that was cut. It knows its statement and values.'),
    },
    async run({ sql: givenSql, params: givenParams, rows, cursor }, call) {
      if (cursor !== undefined && (givenSql !== undefined || givenParams !== undefined)) {
        throw misuse('bad_input', 'A cursor has its statement and values. Leave sql and params out.');
      }
      const { access, signal, limits } = call;
      const schema = await call.schema();
      const place = cursor === undefined ? startOf(givenSql, givenParams ?? [], schema, call) : cursors.get(cursor);
      const { sql, params, offset } = place;
      call.about(sql);
      if (place.project !== access.project.name) {
        throw misuse('bad_input', 'The cursor belongs to another project.');
      }
      if (schema.version !== place.schemaVersion) {
        throw misuse('schema_changed', 'The schema has changed since the first rows. Run the statement again.');
      }
      // Judged for each page: the masks may have changed.
      const judged = await access.judge(sql, schema);
      const { pageRequest, pagedStatement } = await import('../pagedStatement.ts');
      const paged = pagedStatement(judged.sql);
      const reader = await call.open('read');
      const request = paged ? await pageRequest(paged, place, schema) : { params, sqlFor: () => judged.sql };
      const read = await readRows(reader, request, {
        signal,
        limits: { ...limits, rows: Math.min(limits.rows, rows ?? limits.rows) },
      });
      return rowsToolAnswer(read, maskNotes(judged.masked), async (rowCount, hasMore) => {
        if (!hasMore || !paged) return { offset, total: undefined, cursor: undefined };
        const count = (within: AbortSignal): Promise<bigint> =>
          countBy(reader, { sql: paged.countSql, params }, within);
        const total = place.total ?? (await unlessLate(count, signal, clock));
        return { offset, total, cursor: cursors.open({ ...place, offset: offset + rowCount, total }) };
      });
    },
  });

function startOf(
  sql: string | undefined,
  params: readonly SqlParameter[],
  { version }: KnownSchema,
  { access }: ToolCall,
): CursorPlace {
  if (sql === undefined) throw misuse('bad_input', 'The field "sql" is missing.');
  return {
    project: access.project.name,
    sql,
    params,
    offset: 0,
    total: undefined,
    schemaVersion: version,
  };
}

/** The result of the work; undefined if it fails, or takes too long and is aborted. The rows have arrived already. */
async function unlessLate<T>(
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  clock: Clock,
): Promise<T | undefined> {
  const late = new AbortController();
  const cancelTimer = clock.after(countMs, () => late.abort());
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } catch {
    return undefined;
  } finally {
    cancelTimer();
  }
}

export const explainTool = (): AgentTool =>
  defineTool({
    name: 'sql_explain',
    title: 'Explain a query',
    description:
      'Returns how SQLite would run a statement that reads: its query plan, without running it. ' +
      'A step SCAN reads all rows of a table, SEARCH uses an index. A step has the number of rows of its table.',
    isReadOnly: true,
    fields: {
      project: projectField,
      sql: requiredText(`${sqlField} Its values are not needed.`),
    },
    async run({ sql }, call) {
      const { access } = call;
      call.about(sql);
      const schema = await call.schema();
      const judged = await access.judge(sql, schema);
      const { queryPlanStatement } = await import('../../../sql/running/queryPlanStatement.ts');
      const { placeholders } = await import('../../../sql/parameters/placeholders.ts');
      const { positionalText } = await import('../../../sql/parameters/positionalText.ts');
      const { planOf } = await import('../../queryPlan.ts');
      const plan = positionalText(queryPlanStatement(judged.sql).sql).text;
      const params = placeholders(plan).map(() => null);
      const steps = planOf((await call.ask(plan, params)).rows);
      const { planTables, missingIndexes } = await import('../planTables.ts');
      const tables = planTables(judged.sql, steps, await schema.tables());
      const rowCounts = await countRows([...new Set(tables.filter(table => table !== undefined))], call);
      const rowsAt = (index: number): string | undefined => rowCounts.get(keyOf(tables[index] ?? ''));
      const missing = missingIndexes(steps, tables);
      return {
        body: { kind: 'plan', untrusted: dataNotice, missingIndexes: missing.length > 0 ? missing : undefined },
        list: {
          name: 'steps',
          items: steps.map(({ depth, detail }, index): JsonValue => ({
            depth,
            detail: cutText(detail, maxDetailLength),
            rows: rowsAt(index),
          })),
          describe: count => {
            const scans = steps.slice(0, count).filter(({ step }) => step === 'scan').length;
            const rest = count < steps.length ? '. Explain a part of the statement to see the others' : '';
            return { summary: `${count} of ${steps.length} steps; ${scans} read a whole table or index${rest}` };
          },
        },
      };
    },
  });

const maxDetailLength = 300;
