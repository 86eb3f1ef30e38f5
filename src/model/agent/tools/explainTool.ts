import { cutText } from '../../../base/oneLine.ts';
import { type AgentTool, defineTool, type JsonValue, projectField, requiredText, sqlField } from '../agentTool.ts';
import { maxSmallAnswerBytes } from '../../../wire/answerLimits.ts';
import { dataNotice } from '../rowsBody.ts';

export const explainTool = (): AgentTool =>
  defineTool({
    name: 'sql_explain',
    title: 'Explain a query',
    description:
      'Returns how SQLite would run a statement that reads: its query plan, without running it. ' +
      'A step SCAN reads all rows of a table, SEARCH uses an index.',
    isReadOnly: true,
    fields: {
      project: projectField,
      sql: requiredText(`${sqlField} Its values are not needed.`),
    },
    async run({ sql }, call) {
      const { access, signal } = call;
      call.about(sql);
      const schema = await access.schema(signal);
      const judged = await access.judge(sql, schema);
      const { queryPlanStatement } = await import('../../../sql/running/queryPlanStatement.ts');
      const { placeholders } = await import('../../../sql/parameters/placeholders.ts');
      const { planOf, stepsOfPlan } = await import('../../queryPlan.ts');
      const plan = queryPlanStatement(judged.sql).sql;
      const reader = await access.reader();
      const params = placeholders(plan).map(() => null);
      const { rows } = await reader.sql(plan, params, { signal, reads: true, maxAnswerBytes: maxSmallAnswerBytes });
      const steps = stepsOfPlan(planOf(rows)).slice(0, maxSteps);
      const scans = steps.filter(({ step }) => step === 'scan').length;
      return {
        outcome: rows.length > steps.length ? 'cut' : undefined,
        body: {
          kind: 'plan',
          untrusted: dataNotice,
          summary: `${steps.length} of ${rows.length} steps; ${scans} read a whole table or index`,
          steps: steps.map(({ depth, detail }): JsonValue => ({ depth, detail: cutText(detail, maxDetailLength) })),
        },
      };
    },
  });

const maxSteps = 200;
const maxDetailLength = 300;
