import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Answer, ReceivedRequest } from './scriptedServer.ts';

export interface Refusal {
  readonly status: number;
  readonly code: string;
}

export type SeenRequest = ReceivedRequest;

export interface RefusingProxy extends Disposable {
  readonly baseUrl: string;
  readonly seenRequests: readonly SeenRequest[];
}

/** Decides about a request. Undefined passes it to the service. */
export type Fate = Refusal | Answer | { readonly path: string } | undefined;

/**
 * A proxy that ends with the test, or when it is disposed. It offers less than the service behind it: requests that `refuse`
 * names get a refusal, an answer of the test, or the answer of another path. A request waits until `refuse` has decided.
 */
export async function startRefusingProxy(
  target: string | (() => string),
  refuse: (request: SeenRequest) => Fate | Promise<Fate>,
): Promise<RefusingProxy> {
  const seenRequests: SeenRequest[] = [];
  const answer = async (received: SeenRequest, fate: Fate | Promise<Fate>, response: ServerResponse): Promise<void> => {
    const refusal = await fate;
    if (typeof refusal === 'function') {
      refusal(response, received);
      return;
    }
    if (refusal && 'status' in refusal) {
      response.writeHead(refusal.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ok: false, message: 'It is not offered.', code: refusal.code }));
      return;
    }
    const { method, body } = received;
    const { host: _host, connection: _connection, 'content-length': _length, ...passed } = received.headers;
    const sent = body === '' ? {} : { body };
    const path = refusal?.path ?? received.path;
    const baseUrl = typeof target === 'string' ? target : target();
    await pass(fetch(baseUrl + path, { method, headers: passed as Record<string, string>, ...sent }), response);
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { method = '', url: path = '', headers } = request;
      const received = { method, path, headers, body };
      seenRequests.push(received);
      const fate = refuse(received);
      answer(received, fate, response).catch((thrown: unknown) => response.destroy(thrown as Error));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  after(close);
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seenRequests,
    [Symbol.dispose]: close,
  };
}

async function pass(answered: Promise<Response>, response: ServerResponse): Promise<void> {
  const answer = await answered;
  const passed = ['content-type', 'x-idempotency-replayed'].flatMap(name => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  response.writeHead(answer.status, Object.fromEntries(passed));
  response.end(await answer.text());
}
