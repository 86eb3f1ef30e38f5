import { fork } from 'node:child_process';
import { OwnedChild } from './childProcesses.ts';

export interface RowServer extends AsyncDisposable {
  readonly url: string;
  /** How often the reader made the server wait. */
  waits(): Promise<number>;
}

export async function startRowServer(): Promise<RowServer> {
  const child = fork(new URL('rowServer.ts', import.meta.url));
  const owned = new OwnedChild(child, () => child.connected && child.disconnect());
  const [port] = await owned.next(child, 'message');
  const url = `http://127.0.0.1:${String(port)}`;
  return {
    url,
    waits: async () => ((await (await fetch(`${url}/waits`)).json()) as { waits: number }).waits,
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}
