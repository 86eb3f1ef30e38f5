import type { Duplex } from 'node:stream';

/** `holder` asks which call holds the thread. `end` ends the process if the named call holds it. */
export const questions = { holder: 0, end: 1 } as const;

/** One byte for the question, four for the call. */
export const questionLength = 5;
/** Four bytes each for the call, its milliseconds on the thread, and the megabytes of the process. */
export const answerLength = 12;

export interface HolderReport {
  /** 0 for none. */
  readonly call: number;
  readonly milliseconds: number;
  /** The memory of the process. */
  readonly megabytes: number;
}

/** The service's connection to the watchdog thread of a project's process. A process that has ended does not answer. */
export class Watchdog {
  readonly #pipe: Duplex;
  readonly #pendingQuestions: ((answer: Buffer) => void)[] = [];
  #received = Buffer.alloc(0);

  constructor(pipe: Duplex) {
    this.#pipe = pipe;
    pipe.on('error', () => pipe.destroy());
    pipe.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      while (this.#received.length >= answerLength) {
        this.#pendingQuestions.shift()?.(this.#received.subarray(0, answerLength));
        this.#received = this.#received.subarray(answerLength);
      }
    });
  }

  async holder(): Promise<HolderReport> {
    const answer = await this.#ask(questions.holder, 0);
    return {
      call: answer.readInt32LE(0),
      milliseconds: answer.readUInt32LE(4),
      megabytes: answer.readUInt32LE(8),
    };
  }

  /** Ends the process if the call holds the thread. Returns whether it did. */
  async end(call: number): Promise<boolean> {
    return (await this.#ask(questions.end, call)).readInt32LE(0) === call;
  }

  /** Answers come in the order of the questions. */
  async #ask(kind: number, call: number): Promise<Buffer> {
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    const question = Buffer.alloc(questionLength);
    question.writeUInt8(kind, 0);
    question.writeInt32LE(call, 1);
    this.#pendingQuestions.push(resolve);
    this.#pipe.write(question);
    return promise;
  }
}
