import {
  asCount,
  asString,
  type Decoder,
  type Infer,
  object,
  orUndefined,
  variant,
  withDefault,
} from '../base/decode.ts';
import { misuse } from '../base/errors.ts';

/**
 * A bridge carries calls and events between the extension host and a page. Its table is the whole contract: the page
 * calls methods, the host answers and sends events.
 */
export interface Bridge<M extends MethodTable = MethodTable, E extends EventTable = EventTable> {
  /** The name of the page's bundle in dist/webview. */
  readonly page: string;
  readonly methods: M;
  readonly events: E;
}

/** A method without `params` takes nothing, one without `answer` answers nothing. */
interface Method {
  readonly params?: Decoder<unknown>;
  readonly answer?: Decoder<unknown>;
}
export type MethodTable = Readonly<Record<string, Method>>;
/** Events by name, with the decoder of what each carries. */
export type EventTable = Readonly<Record<string, Decoder<unknown>>>;

export type ParamsOf<M extends Method> = M extends { readonly params: infer D } ? Infer<D> : undefined;
export type AnswerOf<M extends Method> = M extends { readonly answer: infer D } ? Infer<D> : void;

/** The arguments of a call: the parameters may be left out where the method takes none. */
export type CallArguments<M extends Method> =
  ParamsOf<M> extends undefined
    ? [params?: undefined, signal?: AbortSignal]
    : [params: ParamsOf<M>, signal?: AbortSignal];

/** One handler for each method. The signal is aborted when the page gives the call up. */
export type Handlers<M extends MethodTable> = {
  readonly [Name in keyof M]: (
    params: ParamsOf<M[Name]>,
    signal: AbortSignal,
  ) => AnswerOf<M[Name]> | Promise<AnswerOf<M[Name]>>;
};

/** One listener for each event. */
export type Listeners<E extends EventTable> = { readonly [Name in keyof E]: (payload: Infer<E[Name]>) => void };

/** The methods of a table as the host serves them: each takes what the page sent, unchecked. */
export type ServedMethods<M extends MethodTable = MethodTable> = {
  readonly [Name in keyof M]: (params: unknown, signal: AbortSignal) => unknown;
};

/** Puts the decoders of a table before its handlers. A call with wrong parameters never reaches its handler. */
export function serveMethods<const M extends MethodTable>(methods: M, handlers: Handlers<M>): ServedMethods<M> {
  const served = Object.entries(methods).map(([name, { params: decode, answer }]) => {
    const handler = handlers[name] as (params: unknown, signal: AbortSignal) => unknown;
    const handle = async (params: unknown, signal: AbortSignal): Promise<unknown> => {
      const decoded = decode?.(params);
      if (decode && decoded === undefined) throw misuse('bad_request', `The parameters of ${name} are wrong.`);
      const value = await handler(decoded, signal);
      return answer ? value : undefined;
    };
    return [name, handle] as const;
  });
  return Object.fromEntries(served) as ServedMethods<M>;
}

/** The code of a failure that the caller wanted: the call was aborted. */
export const abortedCode = 'aborted';

const anything = (value: unknown): unknown => value;

/**
 * The messages of a bridge. Every request gets a result, a failure or an abort. A failure carries a code and a
 * message, never a stack or a cause.
 */
export const decodeEnvelope = variant('kind', {
  request: object({ id: asCount, method: asString, params: orUndefined(anything) }),
  abort: object({ id: asCount }),
  result: object({ id: asCount, value: orUndefined(anything) }),
  failure: object({ id: asCount, code: withDefault(asString, ''), message: withDefault(asString, '') }),
  event: object({ name: asString, payload: orUndefined(anything) }),
  /** Asks the host whether it is there, which it answers at once. */
  ping: object({}),
  pong: object({}),
});
export type BridgeMessage = Infer<typeof decodeEnvelope>;
