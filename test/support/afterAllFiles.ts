import { after } from 'node:test';

const stack = new AsyncDisposableStack();
// At import, because a hook that a running test registers belongs to that test.
after(() => stack.disposeAsync());

/** Registers what to do after the last test of the process, which may run several files. The last registered comes first. */
export function afterAllFiles(dispose: () => unknown): void {
  stack.defer(async () => void (await dispose()));
}
