import { after } from 'node:test';

const stack = new AsyncDisposableStack();
// At import, because a hook that a running test registers belongs to that test.
after(() => stack.disposeAsync());

/** Disposes after the last test of the process, which may run several files. The last part is disposed first. */
export function afterAllFiles(dispose: () => unknown): void {
  stack.defer(async () => void (await dispose()));
}
