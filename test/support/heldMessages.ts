import { setTimeout as delay } from 'node:timers/promises';
import { asRecord } from '../../src/base/decode.ts';
import type { MessageDelivery } from './webviewHost.ts';

/**
 * Messages between a page and its host, which come when a test lets them. Calls come in their order and so do events, as in VS
 * Code. Answers come in any order, before or after events.
 */
export class HeldMessages implements MessageDelivery {
  readonly #calls: (() => void)[] = [];
  readonly #events: (() => void)[] = [];
  readonly #answers: (() => void)[] = [];
  /** Calls without an answer. */
  readonly #unanswered = new Set<unknown>();
  /** The number of messages so far. */
  #count = 0;
  isHolding = false;

  toHost(message: unknown, send: () => void): void {
    const { kind, id } = asRecord(message) ?? {};
    if (kind === 'request') this.#unanswered.add(id);
    this.#put(this.#calls, () => {
      if (kind === 'abort') this.#unanswered.delete(asRecord(message)?.['id']);
      send();
    });
  }

  async toPage(message: unknown, send: () => Promise<void>): Promise<void> {
    const { kind, id } = asRecord(message) ?? {};
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#put(kind === 'event' ? this.#events : this.#answers, () => resolve(send()));
    await promise;
    this.#unanswered.delete(id);
  }

  /** Delivers one message. `choose` picks a number below a count. */
  deliverOne(choose: (count: number) => number): void {
    const queues = [this.#calls, this.#events, this.#answers].filter(({ length }) => length > 0);
    const queue = queues[choose(queues.length)];
    const [send] = queue?.splice(queue === this.#answers ? choose(queue.length) : 0, 1) ?? [];
    send?.();
  }

  /** Delivers all messages from now on at once. */
  release(): void {
    this.isHolding = false;
    for (const queue of [this.#calls, this.#events, this.#answers]) for (const send of queue.splice(0)) send();
  }

  /** Waits until all calls are answered, and several frames have sent nothing. */
  async untilQuiet(frame: () => Promise<unknown>): Promise<void> {
    for (let quiet = 0; quiet < 3;) {
      const count = this.#count;
      await delay(5);
      await frame();
      quiet = count === this.#count && this.#unanswered.size === 0 ? quiet + 1 : 0;
    }
  }

  #put(queue: (() => void)[], send: () => void): void {
    this.#count++;
    queue.push(send);
    if (!this.isHolding) queue.shift()?.();
  }
}
