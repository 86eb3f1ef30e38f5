/** Makes a text in pieces: `onPiece` gets each piece, and the promise settles after the last one. */
type MakePieces = (signal: AbortSignal, onPiece: (bytes: Uint8Array) => void) => Promise<unknown>;

/** The pieces as an iterable. `onRead` is called for each piece that is read. Breaking the loop aborts the writing. */
export async function* piecesOf(
  make: MakePieces,
  signal: AbortSignal,
  onRead: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = new AbortController();
  const unread: Uint8Array[] = [];
  let arrival = Promise.withResolvers<void>();
  let isDone = false;
  let failure: { readonly thrown: unknown } | undefined;
  const onPiece = (bytes: Uint8Array): void => {
    unread.push(bytes);
    arrival.resolve();
  };
  const makeAll = async (): Promise<void> => {
    try {
      await make(AbortSignal.any([signal, reader.signal]), onPiece);
    } catch (thrown) {
      failure = { thrown };
    }
    isDone = true;
    arrival.resolve();
  };
  const making = makeAll();
  try {
    for (;;) {
      for (let piece = unread.shift(); piece; piece = unread.shift()) {
        onRead();
        yield piece;
      }
      if (isDone) break;
      await arrival.promise;
      arrival = Promise.withResolvers<void>();
    }
    await making;
    if (failure) throw failure.thrown;
  } finally {
    reader.abort();
  }
}
