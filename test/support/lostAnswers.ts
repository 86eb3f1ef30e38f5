import type { Answer, ReceivedRequest } from './scriptedServer.ts';

/** Ends the connection before the service gets the request. */
export const loseRequest = (): Answer => response => void response.destroy();

/** Ends the connection without an answer, after the service did what it was asked. */
export const loseAnswer =
  (baseUrl: string): Answer =>
  async (response, request) => {
    await pass(baseUrl, request);
    response.destroy();
  };

/** Gives no answer and keeps the connection. Calls `onDone` when the service did what it was asked. */
export const keepAnswer =
  (baseUrl: string, onDone: () => void): Answer =>
  async (_response, request) => {
    await pass(baseUrl, request);
    onDone();
  };

/** Gives no answer and keeps the connection. The service does not get the request. */
export const keepRequest =
  (onKept: () => void): Answer =>
  () =>
    onKept();

/** Passes the request on to the service, and the answer back. */
export const passOn =
  (baseUrl: string): Answer =>
  async (response, request) => {
    const { answer, text } = await pass(baseUrl, request);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(text);
  };

async function pass(baseUrl: string, { method, path, headers, body }: ReceivedRequest) {
  const { host: _host, connection: _connection, 'content-length': _length, ...passed } = headers;
  const init = { method, headers: passed as Record<string, string>, body };
  const answer = await fetch(baseUrl + path, init);
  return { answer, text: await answer.text() };
}
