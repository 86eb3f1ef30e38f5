/**
 * A thread that ends the process of a project. SQLite cannot be interrupted in a statement, so the main thread may not be
 * able to. It answers the service from the memory of the holder, and ends the process when the service is gone.
 */
import { readSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { ThreadHolder } from './threadHolder.ts';
import { answerLength, questionLength, questions } from './watchdog.ts';

const { memory, pipe } = workerData as { memory: SharedArrayBuffer; pipe: number };
const holder = new ThreadHolder(memory);
const question = Buffer.alloc(questionLength);
const answer = Buffer.alloc(answerLength);

function readQuestion(): void {
  for (let length = 0; length < questionLength;) {
    const readLength = readSync(pipe, question, length, questionLength - length, null);
    if (readLength === 0) endProcess();
    length += readLength;
  }
}

function endProcess(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('A killed process still runs.');
}

/** Writes the answer. Returns whether the process ends after it. */
function answerQuestion(): boolean {
  const call = question.readInt32LE(1);
  if (question.readUInt8(0) === questions.end) {
    const ends = holder.doom(call);
    answer.writeInt32LE(ends ? call : 0, 0);
    return ends;
  }
  const now = holder.now();
  answer.writeInt32LE(now.call, 0);
  answer.writeUInt32LE(Math.round(now.milliseconds), 4);
  answer.writeUInt32LE(Math.round(process.memoryUsage.rss() / 2 ** 20), 8);
  return false;
}

/** The pipe fails when the service is gone, which may be right after its last question. */
function orEnd(usePipe: () => void): void {
  try {
    usePipe();
  } catch {
    endProcess();
  }
}

for (;;) {
  orEnd(readQuestion);
  const ends = answerQuestion();
  orEnd(() => void writeSync(pipe, answer));
  if (ends) endProcess();
}
