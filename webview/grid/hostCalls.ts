import { ProjectError } from '../../src/base/errors.ts';
import type { AnswerOf, CallArguments, ParamsOf } from '../../src/protocol/bridge.ts';
import type { BridgeClient } from '../../src/protocol/bridgeClient.ts';
import type { GridEvents, GridMethods } from '../../src/protocol/gridBridge.ts';

export type CallHost = BridgeClient<GridMethods, GridEvents>['call'];

/** The parameters without those that name the result and the order of its rows. */
type RequestOf<Name extends keyof GridMethods> = Omit<ParamsOf<GridMethods[Name]>, 'runId' | 'orderVersion'>;

/** The calls of a grid about its result. Row numbers refer to the order in which the grid shows the rows. */
export class HostCalls {
  readonly #call: CallHost;
  readonly #runId: string;
  orderVersion: number;

  constructor(call: CallHost, runId: string, orderVersion: number) {
    this.#call = call;
    this.#runId = runId;
    this.orderVersion = orderVersion;
  }

  /** Adds the result and the order of its rows to the call. The host reads only what the method declares. */
  send<Name extends keyof GridMethods>(
    method: Name,
    request: RequestOf<Name>,
    signal?: AbortSignal,
  ): Promise<AnswerOf<GridMethods[Name]>> {
    const params: unknown = { runId: this.#runId, orderVersion: this.orderVersion, ...request };
    return this.#call(method, ...([params, signal] as CallArguments<GridMethods[Name]>));
  }
}

/** Whether the rows moved during a call. The event with the new order repeats the call. */
export const isOutdated = (thrown: unknown): boolean => thrown instanceof ProjectError && thrown.code === 'stale_order';
