import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { connectProven } from '../../src/wire/provenConnection.ts';
import { decodeServiceFile, type ServiceFile } from '../../src/wire/serviceFile.ts';
import { openTestService } from '../support/testService.ts';

async function fileOf(folder: string): Promise<ServiceFile> {
  const file = decodeServiceFile(await readFile(join(folder, 'service.json'), 'utf8'));
  assert.ok(file);
  return file;
}

/** A program that passes all bytes on to the service. Gives its port. */
async function startRelay(context: TestContext, service: ServiceFile): Promise<number> {
  const { hostname, port } = new URL(service.baseUrl);
  const relay = createServer(client => {
    const passedOn = connect(Number(port), hostname).on('error', () => client.destroy());
    client.on('error', () => passedOn.destroy());
    client.pipe(passedOn).pipe(client);
  });
  context.after(() => relay.close());
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  return (relay.address() as AddressInfo).port;
}

for (const host of ['127.0.0.1', '0.0.0.0']) {
  test(`a program that receives the connections to a service on ${host} cannot pass on its proof`, async context => {
    await using service = await openTestService({ host });
    const file = await fileOf(service.folder);
    (await connectProven(file, connect)).destroy();
    const port = await startRelay(context, file);
    // Some systems lead a connection to the address of the service here.
    const relayed = connectProven(file, () => connect(port, '127.0.0.1'));
    await assert.rejects(relayed, { kind: 'transport', code: 'service_unproven' });
  });
}
