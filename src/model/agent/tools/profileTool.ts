import { misuse } from '../../../base/errors.ts';
import { isSameName } from '../../../sql/text/names.ts';
import { quoteIdentifier } from '../../../sql/text/quoting.ts';
import {
  type AgentTool,
  defineTool,
  type JsonValue,
  optionalField,
  projectField,
  requiredText,
  type ToolCall,
} from '../agentTool.ts';
import { AgentValues } from '../agentValues.ts';
import { isTimeLimit } from '../callErrors.ts';
import type { KnownSchema } from '../projectAccess.ts';
import { counted, dataNotice } from '../rowsBody.ts';

/** Profiling all rows of a large table takes long, and its first rows show most. */
const profiledRows = 100_000;
const maxColumns = 100;
const topCount = 5;

export const profileTool = (): AgentTool =>
  defineTool({
    name: 'sql_profile',
    title: 'Profile the columns of a table',
    description:
      `Returns for each column of a table how many rows are NULL, how many values are distinct, the least and the ` +
      `greatest value and the most frequent ones, in the first ${counted(profiledRows)} rows.`,
    isReadOnly: true,
    fields: {
      project: projectField,
      table: requiredText('The name of the table or view.'),
      columns: optionalField('texts', 'The columns to profile. Default: all.'),
    },
    async run({ table, columns: wanted }, call) {
      const schema = await call.schema();
      const isMasked = await schema.masks();
      const names = await columnNames(table, schema, call);
      const columns = (wanted?.map(name => nameIn(names, name)) ?? names).slice(0, maxColumns);
      const visible = columns.filter(name => !isMasked(table, name));
      const [head = []] = (await query(countSql(table, visible), schema, call)).rows;
      const profiles: JsonValue[] = [];
      const notes: string[] = [];
      for (const name of columns) {
        const place = visible.indexOf(name);
        const top = place < 0 ? [] : await topValues(table, name, schema, call);
        const missingCount = columns.length - profiles.length;
        if (!top) {
          notes.push(`The time is over. ${missingCount} columns are missing: name them in columns.`);
          break;
        }
        profiles.push(place < 0 ? { column: name, masked: true } : profileOf(name, head, place, top));
      }
      if (names.length > maxColumns && !wanted) notes.push(`Only the first ${maxColumns} of ${names.length} columns.`);
      const rowCount = Number(head[0] ?? 0);
      const scope = rowCount < profiledRows ? 'all' : 'the first';
      return {
        outcome: profiles.length < columns.length ? 'cut' : undefined,
        body: { kind: 'profile', untrusted: dataNotice },
        list: {
          name: 'columns',
          items: profiles,
          describe: count => {
            const missing = profiles.length - count;
            const full = `The answer is full. ${missing} columns are missing: name them in columns.`;
            const all = missing > 0 ? [full, ...notes] : notes;
            return {
              summary: `${count} columns, in ${scope} ${counted(rowCount)} rows`,
              notes: all.length > 0 ? all : undefined,
            };
          },
        },
      };
    },
  });

const firstRows = (table: string, columns: string): string =>
  `(SELECT ${columns} FROM ${quoteIdentifier(table)} LIMIT ${profiledRows})`;

function countSql(table: string, columns: readonly string[]): string {
  const parts = columns.flatMap((name, index) => {
    const column = quoteIdentifier(name);
    return [
      `count(${column}) AS filled${index}`,
      `count(DISTINCT ${column}) AS distinct${index}`,
      `min(${column}) AS least${index}`,
      `max(${column}) AS greatest${index}`,
    ];
  });
  return `SELECT count(*) AS rows${parts.map(part => `, ${part}`).join('')} FROM ${firstRows(table, '*')}`;
}

/** The name as the table writes it. */
function nameIn(names: readonly string[], wanted: string): string {
  const name = names.find(one => isSameName(one, wanted));
  if (name === undefined) throw misuse('bad_input', `The table has no column "${wanted}".`);
  return name;
}

/** The values of one column in the row of counts, and its most frequent values. */
function profileOf(column: string, head: readonly JsonValue[], place: number, top: readonly JsonValue[][]): JsonValue {
  const [filled = 0, distinct = 0, least = null, greatest = null] = head.slice(1 + 4 * place);
  return {
    column,
    nulls: Number(head[0]) - Number(filled),
    distinct,
    least,
    greatest,
    top: top.map(([value = null, rows = 0]) => ({ value, rows })),
  };
}

/** Undefined when the time of the call is over. */
async function topValues(
  table: string,
  name: string,
  schema: KnownSchema,
  call: ToolCall,
): Promise<readonly JsonValue[][] | undefined> {
  const values = firstRows(table, `${quoteIdentifier(name)} AS value`);
  const sql = `SELECT value, count(*) AS rows FROM ${values} WHERE value IS NOT NULL GROUP BY value ORDER BY rows DESC, value LIMIT ${topCount}`;
  try {
    return (await query(sql, schema, call)).rows;
  } catch (thrown) {
    if (isTimeLimit(call.signal.reason)) return undefined;
    throw thrown;
  }
}

async function columnNames(table: string, schema: KnownSchema, call: ToolCall): Promise<string[]> {
  const { columns } = await query(`SELECT * FROM ${quoteIdentifier(table)} LIMIT 0`, schema, call);
  return columns.map(({ name }) => name);
}

async function query(sql: string, schema: KnownSchema, call: ToolCall) {
  call.about(sql);
  const judged = await call.access.judge(sql, schema);
  const { columns = [], rows } = await call.ask(judged.sql, []);
  const values = new AgentValues(columns);
  return { columns, rows: rows.map(row => values.row(row)) };
}
