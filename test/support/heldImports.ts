import type { TestService } from './testService.ts';
import { type Fate, type SeenRequest, startRefusingProxy } from './refusingProxy.ts';

type ProjectAddress = Pick<TestService, 'baseUrl' | 'projectId' | 'apiKey'>;

/** Decides about a call that writes rows of an import. */
type DecideFate = (request: SeenRequest) => Fate | Promise<Fate>;

/** A call that waits in the proxy. */
export interface HeldCall {
  readonly arrived: Promise<void>;
  /** Passes the call to the service. */
  readonly release: () => void;
}

/** A service behind a proxy that decides about the calls of imports and copies, by the table that takes their rows. */
export class HeldImports {
  readonly service: ProjectAddress;
  readonly #fates: Map<string, DecideFate[]>;

  private constructor(service: ProjectAddress, fates: Map<string, DecideFate[]>) {
    this.service = service;
    this.#fates = fates;
  }

  static async start(service: ProjectAddress): Promise<HeldImports> {
    const fates = new Map<string, DecideFate[]>();
    const proxy = await startRefusingProxy(service.baseUrl, request => fates.get(tableOf(request))?.shift()?.(request));
    return new HeldImports({ ...service, baseUrl: proxy.baseUrl }, fates);
  }

  /** Decides about the next calls for a table, in order. The service gets those after them. */
  decide(table: string, ...fates: readonly DecideFate[]): void {
    this.#fates.set(table, [...fates]);
  }

  /** Holds a call for a table, after others that the service gets. */
  hold(table: string, { callsBefore }: { readonly callsBefore: number }): HeldCall {
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.decide(table, ...Array.from({ length: callsBefore }, () => passOn), async () => {
      arrived.resolve();
      await released.promise;
      return undefined;
    });
    return { arrived: arrived.promise, release: () => released.resolve() };
  }
}

/** The service gets the call. */
export const passOn: DecideFate = () => undefined;

/** The table that the rows of a call go to. Empty for other calls. */
const tableOf = ({ headers, body }: SeenRequest): string =>
  headers['x-idempotency-key'] === undefined ? '' : (/^\{"sql":"INSERT INTO \\"([^"\\]+)\\"/.exec(body)?.[1] ?? '');
