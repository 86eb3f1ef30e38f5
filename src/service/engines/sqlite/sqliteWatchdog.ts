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

function tell(): void {
  const call = question.readInt32LE(1);
  if (question.readUInt8(0) === questions.end) {
    const ended = holder.doom(call);
    answer.writeInt32LE(ended ? call : 0, 0);
    writeSync(pipe, answer);
    if (ended) endProcess();
  } else {
    const now = holder.now();
    answer.writeInt32LE(now.call, 0);
    answer.writeUInt32LE(Math.round(now.milliseconds), 4);
    answer.writeUInt32LE(Math.round(process.memoryUsage.rss() / 2 ** 20), 8);
    writeSync(pipe, answer);
  }
}

for (;;) {
  try {
    ask();
    tell();
  } catch {
    // The service is gone, perhaps behind its last question.
    endProcess();
  }
}
