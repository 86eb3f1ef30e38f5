/** Runs inside the process of each test file: passes the events of node:test on to the run, as JSON lines on a pipe. */
import { writeSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { eventsPipe, type FileEvent } from './fileEvents.ts';

export default async function* eventReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  for await (const event of events) {
    const fileEvent = fileEventOf(event);
    if (fileEvent) writeSync(eventsPipe, `${lineOf(fileEvent)}\n`);
  }
  yield '';
}

function fileEventOf({ type, data }: TestEvent): FileEvent | undefined {
  switch (type) {
    case 'test:enqueue':
      return { type: 'enqueue', nesting: data.nesting };
    case 'test:complete':
      return { type: 'complete', nesting: data.nesting };
    case 'test:pass':
    case 'test:fail': {
      const { name, skip, todo, details } = data;
      if (details.type === 'suite') return undefined;
      const error = 'error' in details ? inspect(details.error.cause ?? details.error) : undefined;
      const skipped =
        skip !== undefined || todo !== undefined ? 'It was skipped, which a run does not allow.' : undefined;
      return { type: 'outcome', name, durationMs: details.duration_ms, failure: error ?? skipped };
    }
    default:
      return undefined;
  }
}

/** JSON leaves these separators as they are, and readline would cut the line there. */
const lineOf = (event: FileEvent): string =>
  JSON.stringify(event)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
