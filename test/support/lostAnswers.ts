import type { Answer } from './scriptedServer.ts';

/** Ends the connection before the service gets the request. */
export const loseRequest = (): Answer => response => void response.destroy();

/** Ends the connection without an answer, after the service did what it was asked. */
export const loseAnswer =
  (baseUrl: string): Answer =>
  async (response, { method, path, headers, body }) => {
    const { host: _host, connection: _connection, 'content-length': _length, ...passed } = headers;
    const init = { method, headers: passed as Record<string, string>, body };
    const answer = await fetch(baseUrl + path, init);
    await answer.text();
    response.destroy();
  };
