/** The compiler checks this file: it fails when one of the expected errors is missing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MessageHandlers } from '../../../../src/service/engines/sqlite/channel.ts';
import {
  type ProjectMethod,
  type ProjectRequest,
  type ServiceEnd,
  toProcess,
} from '../../../../src/service/engines/sqlite/projectBridge.ts';

const request = <M extends ProjectMethod>(sent: ProjectRequest<M>): ProjectRequest<M> => sent;

function sendWrongBody(channel: ServiceEnd): void {
  // @ts-expect-error: the credit is a number
  channel.send('credit', 1, 'many');
  // @ts-expect-error: only a process sends rows
  channel.send('rows', 1, new Uint8Array());
}

test('a call with wrong parameters or an unknown method does not compile', () => {
  assert.ok(request({ method: 'schema', params: { table: 't' } }));
  // @ts-expect-error: a schema has no file
  assert.ok(request({ method: 'schema', params: { file: 'f' } }));
  // @ts-expect-error: there is no such method
  assert.ok(request({ method: 'drop', params: {} }));
});

test('a message without a handler, or with another body, does not compile', () => {
  const handlers = { serve() {}, call() {}, credit() {}, cancel() {}, end() {}, drop() {} };
  // @ts-expect-error: nobody handles the message `share`
  const incomplete: MessageHandlers<typeof toProcess> = handlers;
  assert.deepEqual(Object.keys(incomplete), Object.keys(toProcess).slice(0, -1));
  assert.equal(typeof sendWrongBody, 'function');
});
