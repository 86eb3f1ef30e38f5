import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeProfile } from '../../src/model/profiles.ts';
import { sureProject } from '../../src/model/projectChoice.ts';

const shop = makeProfile({ baseUrl: 'http://127.0.0.1:1', projectId: 'shop', source: 'local' });
const production = makeProfile({ baseUrl: 'https://sql.example.com', projectId: 'live', source: 'settings' });

test('a new document goes to the only project there is', () => assert.equal(sureProject([shop], undefined), shop));

test('with several projects a new document goes nowhere unasked', () => {
  assert.equal(sureProject([shop, production], undefined), undefined);
});

test('an assigned document goes to its project', () => {
  assert.equal(sureProject([shop, production], production.id), production);
});

test('a document whose project is away does not go to the only one left', () => {
  assert.equal(sureProject([production], shop.id), undefined);
});
