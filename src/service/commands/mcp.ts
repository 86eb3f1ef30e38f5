import { requireFolder } from './administer.ts';
import { type Command, loadBundle, UsageError, readArguments, readKeyDescriptor, readNumber } from './command.ts';

/** An option that may be repeated. */
const listOption = { type: 'string', multiple: true, default: [] as string[] } as const;

const options = {
  data: { type: 'string' },
  project: listOption,
  'key-fd': listOption,
  mask: listOption,
  hide: listOption,
  history: { type: 'string' },
  'allow-writes': { type: 'boolean', default: false },
  'max-rows': { type: 'string' },
  'max-bytes': { type: 'string' },
  'max-seconds': { type: 'string' },
  'max-tokens': { type: 'string' },
  'session-rows': { type: 'string' },
  'session-bytes': { type: 'string' },
  'session-seconds': { type: 'string' },
  'session-tokens': { type: 'string' },
} as const;

export const mcp: Command = {
  usage: 'mcp --data DIR [--project NAME] [options]',
  summary: 'serves AI agents over the Model Context Protocol',
  details: `  --data DIR          the data folder of a local service, which must be running
  --project NAME      a project of that service, by name or id; repeat it for several (all of them)
  --project URL       a project of another service, like https://sql.example.com/serviceSql/projects/ID;
                      NAME=URL gives it a name
  --key-fd N          the inherited pipe with the API key of the project at an address
  --mask PATTERN      a column whose values no agent may see, like customers.email or *.password*; may be repeated
  --hide NAME         a project that no agent may see, by name or id; may be repeated
  --history DIR       adds the calls to the history of the editor, which is in this folder
  --allow-writes      offers the tool that writes (not offered)
  --max-rows N        maximum rows of an answer (200)
  --max-bytes N       maximum bytes that a call reads from the service (2000000)
  --max-seconds N     maximum seconds of a call (30)
  --max-tokens N      maximum tokens of an answer, estimated (8000)
  --session-rows N    maximum rows of all answers (50000)
  --session-bytes N   maximum bytes that all calls read from the service (200000000)
  --session-seconds N maximum seconds of all calls (3600)
  --session-tokens N  maximum tokens of all answers, estimated (1000000)

Speaks the protocol on the standard input and output, and ends with its input. Writes a line for each call to the
standard error output, without rows and values. Programs that start it have a configuration like this:

  {
    "mcpServers": {
      "sql": {
        "command": "node",
        "args": ["/path/to/node_modules/sql-project-explorer/service/main.mjs", "mcp", "--data", "/path/to/data"]
      }
    }
  }

The key of a local project comes from the service's own file. No key is ever in an argument or a variable.`,

  async run(args) {
    const { values } = readArguments(args, options);
    const projects = values.project;
    if (values.data === undefined && projects.length === 0)
      throw new UsageError('Name a project, or a folder with --data.');
    const served = {
      data: values.data,
      projects,
      keyDescriptors: values['key-fd'].map(readKeyDescriptor),
      masks: values.mask,
      hidden: values.hide,
      history: values.history,
      allowWrites: values['allow-writes'],
      call: readLimits('max', values),
      session: readLimits('session', values),
    };
    if (values.data !== undefined) requireFolder(values.data);
    const { serve } = await loadBundle<{ serve: (options: unknown) => Promise<void> }>(
      { source: '../../mcp/serve.ts', bundle: './mcp.mjs' },
      'This build of the service has no server for agents.',
    );
    await serve(served);
  },
};

const limitNames = ['rows', 'bytes', 'seconds', 'tokens'] as const;

/** Reads the limits of a call (`max`) or of the session. */
function readLimits(scope: 'max' | 'session', values: Readonly<Record<string, unknown>>): Record<string, number> {
  const limits = limitNames.flatMap(name => {
    const text = values[`${scope}-${name}`];
    return typeof text === 'string' ? [[name, readNumber(`${scope}-${name}`, text, { min: 1 })] as const] : [];
  });
  return Object.fromEntries(limits);
}
