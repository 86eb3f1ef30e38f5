import type { AgentProject } from '../agentProject.ts';
import { type AgentTool, defineTool, optionalField, projectField, requiredText } from '../agentTool.ts';

/** Puts SQL into a new editor of a project, and runs nothing. */
export type OpenEditor = (project: AgentProject, sql: string, title: string | undefined) => Promise<void>;

export const openTool = (openEditor: OpenEditor): AgentTool =>
  defineTool({
    name: 'sql_open',
    title: 'Open SQL in an editor',
    description: 'Opens SQL in an editor of the user, who may read, change and run it. Runs nothing itself.',
    isReadOnly: true,
    fields: {
      project: projectField,
      sql: requiredText('The SQL, with comments that explain it. It may have several statements.'),
      title: optionalField('text', 'A few words for a first comment line.'),
    },
    async run({ sql, title }, { access, about }) {
      about(sql);
      await openEditor(access.project, sql, title);
      return { body: { kind: 'opened', summary: 'The SQL is in an editor. Nothing has run.' } };
    },
  });
