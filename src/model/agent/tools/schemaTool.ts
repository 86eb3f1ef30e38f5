import { cutText } from '../../../base/oneLine.ts';
import { type AgentTool, defineTool, optionalField, projectField } from '../agentTool.ts';
import { isSameName } from '../../../sql/text/names.ts';
import { countRows, maxCountedTables } from '../rowCounts.ts';
import { counted, dataNotice } from '../rowsBody.ts';

/** Enough for the definitions of a dozen tables, and the names of hundreds. */
const usualTokens = 4000;

export const schemaTool = (): AgentTool =>
  defineTool({
    name: 'sql_schema',
    title: 'Read the schema of a database',
    description:
      'Returns tables and views with their columns, keys and CREATE statements, within a number of tokens. ' +
      'Named tables come first, then those that fit the search best, and then the names of others.',
    isReadOnly: true,
    fields: {
      project: projectField,
      search: optionalField('text', 'Words that the tables should be about, such as "orders customer address".'),
      tables: optionalField('texts', 'Names of tables to return whole.'),
      tokens: optionalField('count', `About how long the answer may be. Default: ${usualTokens}.`),
    },
    async run({ search = '', tables = [], tokens = usualTokens }, call) {
      const schema = await call.schema();
      const { digestSchema } = await import('../schemaDigest.ts');
      const all = await schema.tables();
      // If there are many tables, only those that the agent names are counted.
      const countedTables =
        all.length <= maxCountedTables ? all : all.filter(({ name }) => tables.some(one => isSameName(one, name)));
      const names = countedTables.filter(({ kind }) => kind === 'table').map(({ name }) => name);
      const digest = digestSchema({
        entries: schema.entries,
        all,
        rowCounts: await countRows(names, call),
        tables,
        search,
        tokens: Math.min(tokens, call.limits.tokens),
        isMasked: await schema.masks(),
      });
      const { definitions, outlines, otherNames, unlistedCount, missingTables } = digest;
      const notes = [
        ...(missingTables.length > 0
          ? [`There is no table ${cutText(missingTables.map(name => `"${name}"`).join(', '), 200)}.`]
          : []),
        ...(unlistedCount > 0
          ? [`${counted(unlistedCount)} more are not listed. Use search or tables to find them.`]
          : []),
      ];
      return {
        outcome: unlistedCount > 0 ? 'cut' : undefined,
        body: {
          kind: 'schema',
          untrusted: dataNotice,
          summary: `${counted(digest.tableCount)} tables and views: ${definitions.length} whole, ${outlines.length} in outline, ${otherNames.length} by name`,
          notes: notes.length > 0 ? notes : undefined,
          tables: definitions,
          outlines: outlines.length > 0 ? outlines : undefined,
          otherNames: otherNames.length > 0 ? otherNames : undefined,
        },
      };
    },
  });
