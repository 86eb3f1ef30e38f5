import { administerProject, dataOption, projectOptions, serviceOf } from './administer.ts';
import { type Command, readArguments } from './command.ts';
import { ServiceAdministration } from '../folder/serviceAdministration.ts';
import { messageOf } from '../../base/errors.ts';
import { routePath } from '../../wire/routes.ts';
import { decodeServiceError } from '../../wire/refusals.ts';

export const vacuumCommand: Command = {
  usage: 'vacuum --data DIR --project NAME',
  summary: "releases the disk space of a project's deleted rows",
  details: `  --data DIR      the data folder
  --project NAME  the project, by its name or id`,

  async run(args, output) {
    const { values } = readArguments(args, projectOptions);
    await administerProject({ ...values, output }, (folder, id) => folder.vacuum(id));
  },
};

export const check: Command = {
  usage: 'check --data DIR --project NAME',
  summary: "checks that a project's database is sound",
  details: `  --data DIR      the data folder
  --project NAME  the project, by its name or id

Prints "ok", or a line for each problem and ends with exit code 1.`,

  async run(args, output) {
    const { values } = readArguments(args, projectOptions);
    const problems = await administerProject({ ...values, output }, (folder, id) => folder.check(id));
    for (const problem of problems) output.print(problem);
    if (problems.length > 0) throw new Error('The database is damaged. Restore it from a backup.');
    output.print('ok');
  },
};

export const metrics: Command = {
  usage: 'metrics --data DIR',
  summary: 'prints the metrics of the service of a folder',
  details: `  --data DIR  the data folder

Prints the text of GET /metrics in the format of Prometheus. The command has the admin key from service.json, which
changes with each start of the service. A collector of text files can read what it prints.`,

  async run(args, output) {
    const { data } = readArguments(args, dataOption).values;
    output.print((await new ServiceAdministration(serviceOf(data)).metrics()).trimEnd());
  },
};

/** A service that does not answer within this time is not healthy. */
const answerMs = 4000;

export const health: Command = {
  usage: 'health --data DIR [--ready]',
  summary: 'checks that the service of a folder answers',
  details: `  --data DIR  the data folder
  --ready     checks as well that the service takes calls: its folder can be used, and it does not stop

Prints "ok", or the reason and ends with exit code 1. The service has 4 seconds to answer.`,

  async run(args, output) {
    const { values } = readArguments(args, { ...dataOption, ready: { type: 'boolean', default: false } });
    const { baseUrl } = serviceOf(values.data);
    const path = routePath('', { name: values.ready ? 'readiness' : 'health' });
    const { status, body } = await get(`${baseUrl}${path}`);
    if (status !== 200) throw decodeServiceError(status, body);
    output.print('ok');
  },
};

async function get(url: string): Promise<{ status: number; body: string }> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(answerMs) });
    return { status: answer.status, body: await answer.text() };
  } catch (thrown) {
    const reason = messageOf(thrown instanceof Error && thrown.cause ? thrown.cause : thrown);
    throw new Error(`The service at ${url} does not answer: ${reason}.`, { cause: thrown });
  }
}
