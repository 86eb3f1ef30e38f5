import { cutText } from '../../../base/oneLine.ts';
import { type AgentTool, defineTool, type JsonValue, projectField, requiredText, sqlField } from '../agentTool.ts';
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
      const { access } = call;
      call.about(sql);
      const schema = await call.schema();
      const judged = await access.judge(sql, schema);
      const { queryPlanStatement } = await import('../../../sql/running/queryPlanStatement.ts');
      const { placeholders } = await import('../../../sql/parameters/placeholders.ts');
      const { planOf, stepsOfPlan } = await import('../../queryPlan.ts');
      const plan = queryPlanStatement(judged.sql).sql;
      const params = placeholders(plan).map(() => null);
      const steps = stepsOfPlan(planOf((await call.ask(plan, params)).rows));
      return {
        body: { kind: 'plan', untrusted: dataNotice },
        list: {
          name: 'steps',
          items: steps.map(({ depth, detail }): JsonValue => ({ depth, detail: cutText(detail, maxDetailLength) })),
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
