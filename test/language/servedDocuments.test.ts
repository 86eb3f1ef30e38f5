import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageMethod } from '../../src/protocol/languageBridge.ts';
import { startLanguageServer } from '../support/languageServer.ts';

test('the schema of a file that was closed before the host answered is dropped', async context => {
  const server = await startLanguageServer(context);
  const projectAsked = Promise.withResolvers<void>();
  const projectAnswer = Promise.withResolvers<{ id: string; name: string }>();
  const schemaAsked = Promise.withResolvers<void>();
  let schemaCount = 0;
  server.connection.onRequest(languageMethod('documentProject'), () => {
    projectAsked.resolve();
    return projectAnswer.promise;
  });
  server.connection.onRequest(languageMethod('projectSchema'), () => {
    schemaCount++;
    schemaAsked.resolve();
    return { statements: ['CREATE TABLE users(name)'], rowCounts: [] };
  });

  const uri = 'untitled:closed';
  // The server handles messages in order, so it has handled all earlier ones.
  const roundTrip = () => server.request('textDocument/documentSymbol', { textDocument: { uri } });
  const closed = await server.open('SELECT 1;', { uri });
  await projectAsked.promise;
  await closed.close();
  await roundTrip();
  projectAnswer.resolve({ id: 'project', name: 'Project' });
  await schemaAsked.promise;
  await roundTrip();
  const reopened = await server.open('SELECT 1;', { uri });
  await reopened.request('textDocument/documentSymbol', 0);
  assert.equal(schemaCount, 2);
});
