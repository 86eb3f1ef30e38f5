import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectError } from '../../../src/base/errors.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { shortProblem } = await import('../../../src/host/tree/problemNodes.ts');

const fault = (code: string): ProjectError => new ProjectError('service', code, 'A long message of the service.');
const ofSettings = (code: string): string => shortProblem(fault(code), { source: 'settings' });
const ofLocal = (code: string): string => shortProblem(fault(code), { source: 'local' });

test('a problem of a project is a few words and what a click does', () => {
  assert.equal(ofSettings('no_key'), 'No API key: click to set');
  assert.equal(ofSettings('unauthenticated'), 'API key rejected: click to set');
  assert.equal(ofSettings('forbidden'), 'API key of another project: click to set');
  assert.equal(ofSettings('project_not_found'), 'Project not found: click to edit');
  assert.equal(ofSettings('not_an_sql_answer'), 'No SQL service here: click to edit');
  assert.equal(ofSettings('connect_failed'), 'Cannot connect: click to retry');
  assert.equal(ofSettings('anything'), 'Cannot list tables: click to retry');
});

test('a problem of a local project names what helps there', () => {
  assert.equal(ofLocal('unauthenticated'), 'API key rejected: click to issue');
  assert.equal(ofLocal('project_not_found'), 'Project not found: click to refresh');
  assert.equal(
    shortProblem(fault('local_service_not_running'), undefined),
    'Local service not running: click to retry',
  );
});
