/** Asks for something that comes in pieces: `onPiece` hears each, and the promise settles behind the last. */
export type AskForPieces = (signal: AbortSignal, onPiece: (bytes: Uint8Array) => void) => Promise<unknown>;

/** Pieces as they come, for whoever reads them one by one; `onTaken` hears that one was. Who stops reading ends it. */
export async function* piecesOf(
  ask: AskForPieces,
  signal: AbortSignal,
  onTaken: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const stop = new AbortController();
  const pieces: Uint8Array[] = [];
  let wake = Promise.withResolvers<void>();
  let ended = false;
  let fault: { readonly thrown: unknown } | undefined;
  const onPiece = (bytes: Uint8Array): void => {
    pieces.push(bytes);
    wake.resolve();
  };
  const settle = async (): Promise<void> => {
    try {
      await ask(AbortSignal.any([signal, stop.signal]), onPiece);
    } catch (thrown) {
      fault = { thrown };
    }
    ended = true;
    wake.resolve();
  };
  const settled = settle();
  try {
    for (;;) {
      for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
        onTaken();
        yield piece;
      }
      if (ended) break;
      await wake.promise;
      wake = Promise.withResolvers<void>();
    }
    await settled;
    if (fault) throw fault.thrown;
  } finally {
    stop.abort();
  }
}
