import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface RowServer extends AsyncDisposable {
  readonly url: string;
  /** How often the reader made the server wait. */
  waits(): Promise<number>;
}

export async function startRowServer(): Promise<RowServer> {
  const child = fork(new URL('rowServer.ts', import.meta.url));
  const [port] = (await once(child, 'message')) as [number];
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    waits: async () => ((await (await fetch(`${url}/waits`)).json()) as { waits: number }).waits,
    [Symbol.asyncDispose]: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
