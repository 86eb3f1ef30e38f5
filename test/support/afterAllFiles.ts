import { after } from 'node:test';

let stack: AsyncDisposableStack | undefined;

/** Registers the hook that ends what the files share. A process that runs several files calls it before them. */
export function endAfterAllFiles(): AsyncDisposableStack {
  const started = new AsyncDisposableStack();
  after(() => started.disposeAsync());
  stack = started;
  return started;
}

/** Registers what to do after the last test of the process, which may run several files. The last registered comes first. */
export function afterAllFiles(dispose: () => unknown): void {
  stack ??= endAfterAllFiles();
  stack.defer(async () => void (await dispose()));
}
