import type { SqlParameter } from '../../../wire/values.ts';
import { quoteIdentifier } from '../../../sql/text/quoting.ts';
import { type AgentTool, defineTool, optionalField, projectField, requiredText } from '../agentTool.ts';
import { readRows } from '../readRows.ts';
import { counted, maskNotes, rowsAnswer } from '../rowsBody.ts';

const usualRows = 10;
/** How many rows to pick from. Picking from all rows of a large table would read all of it. */
const pickedFrom = 10_000;

export const sampleTool = (): AgentTool =>
  defineTool({
    name: 'sql_sample',
    title: 'Show rows of a table',
    description: `Returns some rows of a table or view, picked at random from its first ${counted(pickedFrom)} rows.`,
    isReadOnly: true,
    fields: {
      project: projectField,
      table: requiredText('The name of the table or view.'),
      rows: optionalField('count', `How many rows to return. Default: ${usualRows}.`),
    },
    async run({ table, rows = usualRows }, call) {
      const { access, signal, limits } = call;
      const count = Math.min(rows, limits.rows, pickedFrom);
      const sql = `SELECT * FROM (SELECT * FROM ${quoteIdentifier(table)} LIMIT ${pickedFrom}) ORDER BY random() LIMIT ${count}`;
      call.about(sql);
      const schema = await call.schema();
      const judged = await access.judge(sql, schema);
      const { pageRequest, pagedStatement } = await import('../pagedStatement.ts');
      const paged = pagedStatement(judged.sql);
      const params: readonly SqlParameter[] = [];
      const request = paged
        ? await pageRequest(paged, { params, offset: 0 }, schema)
        : { params, sqlFor: () => judged.sql };
      const read = await readRows(await call.open('read'), request, { signal, limits: { ...limits, rows: count } });
      const note = `The rows are picked from the first ${counted(pickedFrom)} of the table.`;
      const place = { offset: 0, total: undefined, cursor: undefined };
      return rowsAnswer(read, [note, ...maskNotes(judged.masked)], () => place);
    },
  });
