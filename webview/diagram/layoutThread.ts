import workerCode from 'diagram-worker';
import type { LayoutAnswer, LayoutRequest } from './layout/layout.ts';

/** Finds places and routes in a worker. A webview can start one only from its own text. */
export class LayoutThread {
  readonly #onAnswer: (answer: LayoutAnswer) => void;
  readonly #onFault: (fault: unknown) => void;
  readonly #address = URL.createObjectURL(new Blob([workerCode], { type: 'text/javascript' }));
  #worker: Worker | undefined;
  #isBusy = false;

  constructor(onAnswer: (answer: LayoutAnswer) => void, onFault: (fault: unknown) => void) {
    this.#onFault = onFault;
    this.#onAnswer = onAnswer;
  }

  /** Ends an earlier request that has no answer yet: nobody waits for it. */
  request(request: LayoutRequest): void {
    if (this.#isBusy) {
      this.#worker?.terminate();
      this.#worker = undefined;
    }
    this.#isBusy = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage(request);
  }

  #start(): Worker {
    const worker = new Worker(this.#address);
    worker.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
      // A worker that was ended may still have sent an answer.
      if (worker !== this.#worker) return;
      if (data.routes) this.#isBusy = false;
      this.#onAnswer(data);
    });
    worker.addEventListener('error', this.#onFault);
    return worker;
  }
}
