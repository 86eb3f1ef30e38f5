import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answerCalls,
  hostCalls,
  languageMethod,
  listenTo,
  sendCall,
  sendEvent,
  serverCalls,
} from '../../src/protocol/languageBridge.ts';

const ignored = (): void => undefined;

test('an event of the host that cannot be decoded reaches no listener', () => {
  const listeners = new Map<string, (payload: unknown) => void>();
  const refreshed: string[] = [];
  listenTo(
    { onNotification: (name, listener) => listeners.set(name, listener) },
    { documentProjectsChanged: ignored, projectSchemaChanged: ({ id }) => refreshed.push(id), rowsCounted: ignored },
  );
  const post = listeners.get(languageMethod('projectSchemaChanged'));
  for (const payload of [{}, { id: 1 }, null, { id: 'shop' }]) post?.(payload);
  assert.deepEqual(refreshed, ['shop']);
});

test('an answer that cannot be decoded is undefined', async () => {
  const end = { sendRequest: () => Promise.resolve({ id: 1 }) };
  assert.equal(await sendCall(end, hostCalls, 'documentProject', { uri: 'file:///a.sql' }), undefined);
});

test('wrong calls and events, and missing handlers and listeners do not compile', () => {
  const end = {
    sendRequest: () => Promise.resolve(undefined),
    sendNotification: () => Promise.resolve(),
    onRequest: () => undefined,
    onNotification: () => undefined,
  };
  const neverRun = (): void => {
    // @ts-expect-error -- the position is missing
    void sendCall(end, serverCalls, 'resultColumns', { uri: '' });
    // @ts-expect-error -- there is no such method
    void sendCall(end, hostCalls, 'resultColumns', { uri: '' });
    // @ts-expect-error -- `projectSchema` has no handler
    answerCalls(end, hostCalls, { documentProject: () => null });
    // @ts-expect-error -- the id is a string
    void sendEvent(end, 'projectSchemaChanged', { id: 1 });
    // @ts-expect-error -- two events have no listener
    listenTo(end, { documentProjectsChanged: ignored });
  };
  assert.ok(neverRun);
});
