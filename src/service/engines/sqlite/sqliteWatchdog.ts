/**
 * The thread that ends a project's process, which itself may be deep in a statement that SQLite cannot be talked out of. It
 * answers the service's questions from the memory of the holder, and ends the process with the service.
 */
import { readSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { Holder } from './holder.ts';
import { answerLength, questionLength, questions } from './watchdogMessages.ts';

const { memory, pipe } = workerData as { memory: SharedArrayBuffer; pipe: number };
const holder = new Holder(memory);
const question = Buffer.alloc(questionLength);
const answer = Buffer.alloc(answerLength);

function ask(): void {
  for (let length = 0; length < questionLength;) {
    const more = readSync(pipe, question, length, questionLength - length, null);
    if (more === 0) endProcess();
    length += more;
  }
}

function endProcess(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('A process that was killed goes on.');
}

/** The answer to the question, and whether the process ends with it. */
function judge(): boolean {
  const call = question.readInt32LE(1);
  if (question.readUInt8(0) === questions.end) {
    const ended = holder.doom(call);
    answer.writeInt32LE(ended ? call : 0, 0);
    return ended;
  }
  const now = holder.now();
  answer.writeInt32LE(now.call, 0);
  answer.writeUInt32LE(Math.round(now.milliseconds), 4);
  answer.writeUInt32LE(Math.round(process.memoryUsage.rss() / 2 ** 20), 8);
  return false;
}

/** What fails then is the pipe: the service is gone, perhaps behind its last question. */
function orEnd(use: () => void): void {
  try {
    use();
  } catch {
    endProcess();
  }
}

for (;;) {
  orEnd(ask);
  const ends = judge();
  orEnd(() => void writeSync(pipe, answer));
  if (ends) endProcess();
}
