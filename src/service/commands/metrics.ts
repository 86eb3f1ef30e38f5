import { ServiceAdministration } from '../folder/serviceAdministration.ts';
import { serviceOf } from './administer.ts';
import { readArguments } from './arguments.ts';
import type { Command } from './command.ts';

export const metrics: Command = {
  usage: 'metrics --data DIR',
  summary: 'prints the metrics of the service of a folder',
  details: `  --data DIR  the data folder

Prints the text of GET /metrics in the format of Prometheus. The command has the admin key from service.json, which
changes with each start of the service. A collector of text files can read what it prints.`,

  async run(args, output) {
    const { data } = readArguments(args, { data: { type: 'string' } }).values;
    output.print((await new ServiceAdministration(serviceOf(data)).metrics()).trimEnd());
  },
};
