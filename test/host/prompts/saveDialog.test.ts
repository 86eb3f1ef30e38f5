import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { fileNamesOf } = await import('../../../src/host/prompts/saveDialog.ts');

test('names of files lead nowhere, name no device, and differ on every file system', () => {
  const titles = ['../x', String.raw`C:\x`, '/etc/passwd', '', '.', 'CON', 'com1', 'nul.txt'];
  assert.deepEqual(fileNamesOf(titles), ['-x', 'C-x', '-etc-passwd', 'rows', '-', 'CON_', 'com1_', 'nul-txt']);
  assert.deepEqual(fileNamesOf(['pets', 'Pets', 'pets-1', 'a b', 'a/b', 'a\0b']), [
    'pets',
    'Pets-1',
    'pets-1-1',
    'a-b',
    'a-b-1',
    'a-b-2',
  ]);
  const [long, other] = fileNamesOf([`${'x'.repeat(59)}𝒳y`, 'x'.repeat(70)]);
  assert.ok(long?.isWellFormed() && other !== long && long.length <= 62, long);
});
