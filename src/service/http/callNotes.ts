import { backslash, openBrace, quote } from '../../base/jsonBytes.ts';
import type { ConnectionEnds } from '../../wire/serviceProof.ts';
import type { Route } from '../../wire/routes.ts';

/** Facts about a call for its answer, the log and the metrics. No text of a request is among them. The log leaves out `ends` and `leaving`. */
export interface CallNotes {
  /** Undefined where the platform does not show them. */
  ends: ConnectionEnds | undefined;
  /** Aborts when the client leaves. Undefined if the signal of the request does so. */
  leaving: AbortSignal | undefined;
  /** Whether the connection is beyond the limit. Only some calls are answered then. */
  isOverLimit: boolean;
  /** `none` stands for every unknown path. */
  route: Route['name'] | 'preflight' | 'none';
  /** The code of the error in the answer. An answer that has begun may still end with an error. */
  code: string | undefined;
  /** The rows sent so far. Undefined if they are not counted. */
  rows: number | undefined;
  /** The id and the project of a valid key, as the service has them. */
  keyOwner: { readonly keyId: string; readonly projectId: string } | undefined;
}

export const newCallNotes = (): CallNotes => ({
  ends: undefined,
  leaving: undefined,
  isOverLimit: false,
  route: 'none',
  code: undefined,
  rows: undefined,
  keyOwner: undefined,
});

/** Counts the rows in a batch of whole rows, which are flat JSON objects. */
export function rowsInBatch(batch: Uint8Array): number {
  let rows = 0;
  let isInString = false;
  for (let i = 0; i < batch.length; i++) {
    const byte = batch[i];
    if (isInString) {
      if (byte === backslash) i++;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (byte === openBrace) rows++;
  }
  return rows;
}
