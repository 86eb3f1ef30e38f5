import { type AgentTool, defineTool } from '../agentTool.ts';
import { type AgentProject, mayPropose } from '../agentProject.ts';

/** Lists the projects by the user's names. */
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
