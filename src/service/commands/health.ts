import { messageOf } from '../../base/errors.ts';
import { operatorPaths } from '../../wire/paths.ts';
import { decodeServiceError } from '../../wire/refusals.ts';
import { serviceOf } from './administer.ts';
import { readArguments } from './arguments.ts';
import type { Command } from './command.ts';

/** A service that does not answer within this time is not healthy, in milliseconds. */
const answerMs = 4000;

export const health: Command = {
  usage: 'health --data DIR [--ready]',
  summary: 'checks that the service of a folder answers',
  details: `  --data DIR  the data folder
  --ready     checks as well that the service takes calls: its folder can be used, and it does not stop

Prints "ok", or the reason and ends with exit code 1. The service has 4 seconds to answer.`,

  async run(args, output) {
    const { values } = readArguments(args, { data: { type: 'string' }, ready: { type: 'boolean', default: false } });
    const { baseUrl } = serviceOf(values.data);
    const path = values.ready ? operatorPaths.readiness : operatorPaths.health;
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
