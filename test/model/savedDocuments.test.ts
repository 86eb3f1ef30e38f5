import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OpenDocument, SavedDocuments } from '../../src/model/savedDocuments.ts';
import { HandClock } from '../support/handClock.ts';

const documentOf = (uri: string, text = 'SELECT 1;'): OpenDocument => ({
  uri,
  isUntitled: uri.startsWith('untitled:'),
  getText: () => text,
});
const untitled = documentOf('untitled:Untitled-1');
const file = documentOf('file:///a.sql');

function setUp(): { clock: HandClock; documents: SavedDocuments<OpenDocument> } {
  const clock = new HandClock();
  return { clock, documents: new SavedDocuments(clock) };
}

test('a saved untitled document continues as the file', () => {
  const { documents } = setUp();
  documents.noteOpened(file);
  documents.noteSaved(file, [documentOf('untitled:Untitled-2', 'another'), untitled, file]);
  assert.equal(documents.takeSavedFile(untitled), file);
  assert.equal(documents.takeSavedFile(untitled), undefined);
});

test('an untitled document does not continue as a file that was open before, even with the same text', () => {
  const { clock, documents } = setUp();
  documents.noteOpened(file);
  clock.advance(60_000);
  documents.noteSaved(file, [untitled, file]);
  assert.equal(documents.takeSavedFile(untitled), undefined);
  const older = documentOf('file:///older.sql');
  documents.noteSaved(older, [untitled, older]);
  assert.equal(documents.takeSavedFile(untitled), undefined);
});

test('an untitled document that stays open was not saved as the file', () => {
  const { clock, documents } = setUp();
  documents.noteOpened(file);
  documents.noteSaved(file, [untitled, file]);
  clock.advance(60_000);
  assert.equal(documents.takeSavedFile(untitled), undefined);
});
