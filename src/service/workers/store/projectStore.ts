import { DurableObject } from 'cloudflare:workers';
import { asRecord, parseJson } from '../../../base/decode.ts';
import { asKeyScope } from '../../../wire/keyScope.ts';
import { ServiceError } from '../../../wire/serviceError.ts';
import { toServiceError } from '../../http/answer.ts';
import { ObjectEngine } from '../../engines/durable/objectEngine.ts';
import type { EnginePage, Outcome } from '../../engine.ts';
import { type RowsTail, type StoreCalls, storeHeaders, type StoreMethod } from '../../engines/workerd/storeCalls.ts';
import { batchFrame, tailFrame } from '../../engines/workerd/storeFrames.ts';

/** The database of a project, behind a service that has checked the key of the call. */
export class ProjectStore extends DurableObject {
  readonly #engine = new ObjectEngine(this.ctx.storage);

  readonly #handlers: {
    readonly [M in StoreMethod]: (params: StoreCalls[M]['params']) => Promise<StoreCalls[M]['answer']>;
  } = {
    create: async () => {
      await this.#engine.create();
      return this.ctx.id.toString();
    },
    listTables: () => this.#engine.listTables(),
    schema: ({ table }) => this.#engine.schema('', table),
    integrityCheck: () => this.#engine.integrityCheck(),
    remove: async () => {
      await this.#engine.remove();
      return null;
    },
  };

  async fetch(request: Request): Promise<Response> {
    const method = new URL(request.url).pathname.split('/').at(-1) ?? '';
    try {
      const body = new Uint8Array(await request.arrayBuffer());
      if (method === 'execute') {
        const idempotencyKey = request.headers.get(storeHeaders.idempotencyKey) ?? undefined;
        // A call without a known scope may only read.
        const scope = asKeyScope(request.headers.get(storeHeaders.scope)) ?? 'read';
        return await outcomeAnswer(await this.#engine.executeBody('', { body, idempotencyKey, scope }));
      }
      const params = parseJson(new TextDecoder().decode(body));
      if (method === 'browse') return await outcomeAnswer(await this.#engine.browse('', params as EnginePage));
      return valueAnswer(await this.#call(method as StoreMethod, asRecord(params) ?? {}));
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) console.error(thrown);
      return answer('fault', JSON.stringify(faultOf(thrown)));
    }
  }

  async alarm(): Promise<void> {
    await this.#engine.onAlarm();
  }

  async #call<M extends StoreMethod>(method: M, params: unknown): Promise<StoreCalls[M]['answer']> {
    return this.#handlers[method](params as StoreCalls[M]['params']);
  }
}

const answer = (
  kind: string,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  replayed = false,
): Response =>
  new Response(body, { headers: { [storeHeaders.kind]: kind, [storeHeaders.replayed]: replayed ? '1' : '' } });

const valueAnswer = (value: unknown): Response => answer('value', JSON.stringify(value));

const faultOf = (thrown: unknown): RowsTail['fault'] => {
  const { status, code, message, details, retryAfter, replayed } = toServiceError(thrown);
  return { status, code, message, details, retryAfter, replayed };
};

/** An error before the first row is thrown. */
async function outcomeAnswer(outcome: Outcome): Promise<Response> {
  if (outcome.kind === 'count') return answer('count', String(outcome.rowCount), outcome.replayed);
  if (outcome.allRows) {
    const parts = [...batchFrame(outcome.allRows), ...tailFrame({ columns: outcome.columns() })];
    return answer('rows', Buffer.concat(parts), outcome.replayed);
  }
  const batches = outcome.batches[Symbol.asyncIterator]();
  let next = await batches.next();
  let hasBegun = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let tail: RowsTail;
        try {
          if (hasBegun) next = await batches.next();
          hasBegun = true;
          if (next.done !== true) {
            for (const part of batchFrame(next.value)) controller.enqueue(part);
            return;
          }
          tail = { columns: outcome.columns() };
        } catch (thrown) {
          tail = { fault: faultOf(thrown)! };
        }
        for (const part of tailFrame(tail)) controller.enqueue(part);
        controller.close();
      },
      async cancel() {
        await batches.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return answer('rows', stream, outcome.replayed);
}
