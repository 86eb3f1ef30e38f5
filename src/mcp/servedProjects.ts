import { misuse } from '../base/errors.ts';
import { lazy } from '../base/lazy.ts';
import { type AgentProject, withUniqueNames, agentClientOptions } from '../model/agent/agentProject.ts';
import type { Limits } from '../model/agent/limits.ts';
import { readPipedKey } from '../model/pipedKey.ts';
import { AgentLocalProjects } from './localProjects.ts';
import { remoteAddress, type ServerOptions } from './serverOptions.ts';
import { Client } from '../client/index.ts';

interface ServedProjects extends AsyncDisposable {
  list(): Promise<readonly AgentProject[]>;
}

/** The projects that the command line names, of a local service and at addresses. */
export function servedProjects(options: ServerOptions, limits: Limits): ServedProjects {
  const { data, projects, keyDescriptors, allowWrites, masks, hidden } = options;
  const addresses = projects.flatMap(text => remoteAddress(text) ?? []);
  const names = projects.filter(text => !remoteAddress(text));
  if (keyDescriptors.length !== addresses.length) {
    throw misuse('bad_options', 'Each address of a project needs its own --key-fd, in the same order.');
  }
  if (names.length > 0 && data === undefined) {
    throw misuse(
      'bad_options',
      `The project "${names[0]}" has no address. Name the folder of its service with --data.`,
    );
  }
  const remote = addresses.map(({ name, baseUrl, pathPrefix, projectId }, index) => {
    // Read now: the parent process may close its end.
    const key = readPipedKey(keyDescriptors[index]!);
    key.catch(() => undefined);
    const client = lazy(
      async () => new Client({ ...agentClientOptions(limits), baseUrl, pathPrefix, apiKey: await key }),
    );
    const project: AgentProject = {
      id: `${baseUrl} ${projectId}`,
      name,
      protection: allowWrites ? 'open' : 'readOnly',
      isWritingEnabled: allowWrites,
      masked: masks,
      open: async () => (await client()).project(projectId),
    };
    return { project, client };
  });
  const rules = { isWritingEnabled: allowWrites, masked: masks, limits };
  const local = data === undefined ? undefined : new AgentLocalProjects({ ...rules, folder: data, names });
  return {
    async list() {
      const all = [...((await local?.list()) ?? []), ...remote.map(({ project }) => project)];
      return withUniqueNames(all.filter(({ id, name }) => !hidden.includes(id) && !hidden.includes(name)));
    },
    async [Symbol.asyncDispose]() {
      await local?.[Symbol.asyncDispose]();
      for (const { client } of remote) await (await client.loaded?.catch(() => undefined))?.close();
    },
  };
}
