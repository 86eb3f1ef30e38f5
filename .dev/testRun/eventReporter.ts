/** Runs inside each test process: passes the events of node:test on to the run, as JSON lines on a pipe. */
import { writeSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { endOfFile, eventsPipe, type FileEvent } from './fileEvents.ts';

export default async function* eventReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  for await (const event of events) {
    for (const fileEvent of fileEventsOf(event)) writeSync(eventsPipe, `${lineOf(fileEvent)}\n`);
  }
  yield '';
}

function fileEventsOf({ type, data }: TestEvent): readonly FileEvent[] {
  switch (type) {
    case 'test:enqueue':
      return [{ type: 'enqueue', name: data.name, nesting: data.nesting }];
    case 'test:dequeue':
      return [{ type: 'start', name: data.name, nesting: data.nesting }];
    case 'test:complete':
      return [{ type: 'complete', name: data.name, nesting: data.nesting }];
    case 'test:pass':
    case 'test:fail': {
      const { name, nesting, skip, todo, details } = data;
      const { type: kind, duration_ms: durationMs } = details;
      if (nesting === 0 && name === endOfFile.imports) return [];
      if (nesting === 0 && name === endOfFile.tests) return [{ type: 'file' }];
      const error = 'error' in details ? details.error : undefined;
      if (kind === 'suite' && (error === undefined || isOfItsTests(error))) return [];
      const skipped =
        skip !== undefined || todo !== undefined ? 'It was skipped, which a run does not allow.' : undefined;
      return [{ type: 'outcome', name, durationMs, failure: error === undefined ? skipped : textOf(error) }];
    }
    case 'test:diagnostic':
      return lateFault.test(data.message)
        ? [{ type: 'outcome', name: 'after the end of a test', durationMs: 0, failure: data.message }]
        : [];
    default:
      return [];
  }
}

/** The message names the test whose work went on after its end, and failed. The process ends with 1 then. */
const lateFault = /generated asynchronous activity after the test ended/;

const textOf = (error: Error): string => inspect(error.cause ?? error);

/** A suite fails with its tests. Other failures are its own, such as a hook that throws. */
const isOfItsTests = (error: Error): boolean => 'failureType' in error && error.failureType === 'subtestsFailed';

/** JSON leaves these separators as they are, and readline would cut the line there. */
const lineOf = (event: FileEvent): string =>
  JSON.stringify(event)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
