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

/** Calls and events between the extension host and a page. The page calls the methods, and the host answers and sends events. */
export interface Bridge<M extends MethodTable = MethodTable, E extends EventTable = EventTable> {
  /** The name of the page's bundle in dist/webview. */
  readonly page: string;
  /** Whether the page starts a worker, whose code it has itself. */
  readonly hasWorker?: boolean;
  readonly methods: M;
  readonly events: E;
}

/** A method without `params` takes nothing, one without `answer` answers nothing. */
interface Method {
  readonly params?: Decoder<unknown>;
  readonly answer?: Decoder<unknown>;
}
export type MethodTable = Readonly<Record<string, Method>>;
/** The decoder of each event's payload, by the event's name. */
export type EventTable = Readonly<Record<string, Decoder<unknown>>>;

export type ParamsOf<M extends Method> = M extends { readonly params: infer D } ? Infer<D> : undefined;
export type AnswerOf<M extends Method> = M extends { readonly answer: infer D } ? Infer<D> : void;

/** The parameters may be left out if the method takes none. */
export type CallArguments<M extends Method> =
  ParamsOf<M> extends undefined
    ? [params?: undefined, signal?: AbortSignal]
    : [params: ParamsOf<M>, signal?: AbortSignal];

/** The signal is aborted when the page aborts the call. */
export type Handlers<M extends MethodTable> = {
  readonly [Name in keyof M]: (
    params: ParamsOf<M[Name]>,
    signal: AbortSignal,
  ) => AnswerOf<M[Name]> | Promise<AnswerOf<M[Name]>>;
};

export type Listeners<E extends EventTable> = { readonly [Name in keyof E]: (payload: Infer<E[Name]>) => void };

/** The methods as the host serves them. Their parameters are as the page sent them, not decoded yet. */
export type ServedMethods<M extends MethodTable = MethodTable> = {
  readonly [Name in keyof M]: (params: unknown, signal: AbortSignal) => unknown;
};

/** Decodes the parameters of each call. A call with wrong parameters never reaches its handler. */
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

/** The error code of an aborted call. */
export const abortedCode = 'aborted';

const anything = (value: unknown): unknown => value;

/** Each request gets a result or a failure, unless the page aborts it. A failure never has a stack or a cause. */
export const decodeEnvelope = variant('kind', {
  request: object({ id: asCount, method: asString, params: orUndefined(anything) }),
  abort: object({ id: asCount }),
  result: object({ id: asCount, value: orUndefined(anything) }),
  failure: object({ id: asCount, code: withDefault(asString, ''), message: withDefault(asString, '') }),
  event: object({ name: asString, payload: orUndefined(anything) }),
  /** The page checks that the host is alive. The host answers with `pong` at once. */
  ping: object({}),
  pong: object({}),
});
export type BridgeMessage = Infer<typeof decodeEnvelope>;
