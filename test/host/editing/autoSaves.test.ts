import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TableDocument } from '../../../src/host/editing/tableDocument.ts';
import { HandClock } from '../../support/handClock.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { autoSaves } = await import('../../../src/host/browsing/tableProvider.ts');

const document = {} as TableDocument;

function savesWith(settings: Readonly<Record<string, unknown>>) {
  Object.assign(vscode.workspace, { getConfiguration: () => ({ get: (name: string) => settings[name] }) });
  const clock = new HandClock();
  return { clock, saves: autoSaves(clock) };
}

test('the first save after the delay may be automatic, and no other before the next change', () => {
  const { clock, saves } = savesWith({ autoSave: 'afterDelay', autoSaveDelay: 1000 });
  saves.changed(document);
  clock.advance(500);
  assert.equal(saves.mayBeAutomatic(document), false, 'the user was faster than the delay');
  saves.changed(document);
  clock.advance(590);
  assert.equal(saves.mayBeAutomatic(document), false, 'the last change begins the delay anew');
  clock.advance(400);
  assert.equal(saves.mayBeAutomatic(document), true);
  assert.equal(saves.mayBeAutomatic(document), false);
  saves.changed(document);
  clock.advance(5000);
  assert.equal(saves.mayBeAutomatic(document), true);
});

test('without auto save, no save is automatic', () => {
  const { clock, saves } = savesWith({ autoSave: 'off' });
  saves.changed(document);
  clock.advance(5000);
  assert.equal(saves.mayBeAutomatic(document), false);
});

test('two changes that are further apart than the delay are followed by two automatic saves', () => {
  const { clock, saves } = savesWith({ autoSave: 'afterDelay', autoSaveDelay: 1 });
  saves.changed(document);
  clock.advance(20);
  saves.changed(document);
  clock.advance(20);
  assert.equal(saves.mayBeAutomatic(document), true);
  assert.equal(saves.mayBeAutomatic(document), true);
  assert.equal(saves.mayBeAutomatic(document), false);
});
