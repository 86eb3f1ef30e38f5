import { type AgentTool, defineTool, optionalField, projectField, requiredText } from '../agentTool.ts';
import { type AgentProject, mayPropose } from '../agentProject.ts';

export const projectsTool = (listProjects: () => Promise<readonly AgentProject[]>): AgentTool =>
  defineTool({
    name: 'sql_projects',
    title: 'List the databases',
    description:
      'Lists the projects. Each is one SQLite database. Says how each is protected, and whether it may be written.',
    isReadOnly: true,
    needsProject: false,
    fields: {},
    async run() {
      const projects = await listProjects();
      return {
        body: {
          kind: 'projects',
          projects: projects.map(project => ({
            name: project.name,
            protection: project.protection,
            writing: mayPropose(project) ? 'enabled' : 'not enabled by the user',
            masked: project.masked.length > 0 ? project.masked : undefined,
          })),
        },
      };
    },
  });

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
