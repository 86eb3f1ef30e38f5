import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import * as door from '../../src/client/index.ts';

test('Package: the client loads without VS Code and exports these values', () => {
  assert.deepEqual(Object.keys(door).toSorted(), [
    'API_VERSION',
    'Client',
    'Pager',
    'Project',
    'ProjectError',
    'Real',
    'Redactor',
    'RowScanner',
    'ServiceError',
    'VERSION',
    'isReadOnlyKeyFault',
    'serviceCodes',
    'systemClock',
  ]);
});

test('Versioning 1: VERSION is the version of the package, API_VERSION that of the interface', async () => {
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  assert.equal(door.VERSION, manifest.version);
  assert.equal(door.API_VERSION, '1');
});
