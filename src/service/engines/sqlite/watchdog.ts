import type { Duplex } from 'node:stream';
import { answerLength, questionLength, questions } from './watchdogMessages.ts';

/** The service's end of a process's watchdog. */
export class Watchdog {
  readonly #pipe: Duplex;
  readonly #waiting: ((answer: Buffer) => void)[] = [];
  #received = Buffer.alloc(0);

  constructor(pipe: Duplex) {
    this.#pipe = pipe;
    pipe.on('error', () => pipe.destroy());
    pipe.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      while (this.#received.length >= answerLength) {
        this.#waiting.shift()?.(this.#received.subarray(0, answerLength));
        this.#received = this.#received.subarray(answerLength);
      }
    });
  }

  /** Which call has the thread, for how many milliseconds, and the process's memory. A process that is gone does not answer. */
  async who(): Promise<{ call: number; milliseconds: number; megabytes: number }> {
    const answer = await this.#ask(questions.who, 0);
    return { call: answer.readInt32LE(0), milliseconds: answer.readUInt32LE(4), megabytes: answer.readUInt32LE(8) };
  }

  /** Ends the process if the call has the thread, and tells whether it had. */
  async end(call: number): Promise<boolean> {
    return (await this.#ask(questions.end, call)).readInt32LE(0) === call;
  }

  /** Questions are answered in their order. */
  async #ask(question: number, call: number): Promise<Buffer> {
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    const frame = Buffer.alloc(questionLength);
    frame.writeUInt8(question, 0);
    frame.writeInt32LE(call, 1);
    this.#waiting.push(resolve);
    this.#pipe.write(frame);
    return promise;
  }
}
