import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeProfile } from '../../src/model/profiles.ts';
import { chooseProject, nameFor } from '../../src/model/projectChoice.ts';
import { projectLineOf } from '../../src/sql/directives/projectLine.ts';

const shop = makeProfile({ name: 'Shop', baseUrl: 'http://127.0.0.1:1', projectId: 'shop', source: 'local' });
const live = makeProfile({ name: 'Live', baseUrl: 'https://sql.example.com', projectId: 'live', source: 'settings' });
const other = makeProfile({ name: 'Live', baseUrl: 'https://other.example', projectId: 'other', source: 'settings' });
const unmarked = { named: undefined, assignedId: undefined };

test('a new document goes to the only project there is', () => {
  assert.deepEqual(chooseProject([shop], unmarked), { kind: 'project', profile: shop });
});

test('with several projects, or none, a new document goes nowhere unasked', () => {
  assert.deepEqual(chooseProject([shop, live], unmarked), { kind: 'open' });
  assert.deepEqual(chooseProject([], unmarked), { kind: 'open' });
});

test('an assigned document goes to its project', () => {
  const choice = chooseProject([shop, live], { ...unmarked, assignedId: live.id });
  assert.deepEqual(choice, { kind: 'project', profile: live });
});

test('a document whose project is away does not go to the only one left', () => {
  assert.deepEqual(chooseProject([live], { ...unmarked, assignedId: shop.id }), { kind: 'away' });
});

test('what a document says itself wins over what it was assigned to', () => {
  const choice = chooseProject([shop, live], { named: 'Shop', assignedId: live.id });
  assert.deepEqual(choice, { kind: 'project', profile: shop });
});

for (const named of ['shop ', 'live shop', '']) {
  test(`the name "${named}" fits none, and the document goes nowhere, whatever it was assigned to`, () => {
    assert.deepEqual(chooseProject([shop], { named, assignedId: shop.id }), { kind: 'unknownName', name: named });
  });
}

test('a name that several projects have goes nowhere, and the id of one of them goes there', () => {
  const profiles = [shop, live, other];
  assert.deepEqual(chooseProject(profiles, { ...unmarked, named: 'Live' }), { kind: 'ambiguousName', name: 'Live' });
  assert.deepEqual(chooseProject(profiles, { ...unmarked, named: 'other' }), { kind: 'project', profile: other });
});

const profileOf = (name: string, baseUrl: string, projectId: string) =>
  makeProfile({ name, baseUrl, projectId, source: 'settings' });

test('of projects with the same name and id, a document goes to the one that it was assigned to', () => {
  const [dev, prod] = [profileOf('', 'https://dev.example', 'shop'), profileOf('', 'https://prod.example', 'shop')];
  const named = nameFor([dev, prod], prod);
  assert.deepEqual(chooseProject([dev, prod], { named, assignedId: prod.id }), { kind: 'project', profile: prod });
  assert.equal(chooseProject([dev, prod], { named, assignedId: live.id }).kind, 'ambiguousName');
});

test('a document that is given to a project is never led to another that is called like its id', () => {
  const [one, two] = [profileOf('Same', 'https://a.example', 'p1'), profileOf('Same', 'https://a.example', 'p2')];
  const profiles = [one, two, profileOf('p1', 'https://a.example', 'p3')];
  assert.deepEqual(
    profiles.map(profile => nameFor(profiles, profile)),
    ['Same', 'p2', 'p1'],
  );
  const choice = chooseProject(profiles, { named: 'Same', assignedId: one.id });
  assert.deepEqual(choice, { kind: 'project', profile: one });
});

test('whatever name or id a project has, a line can name it', () => {
  for (const profile of [profileOf(' Shop ', 'https://a.example', 'p1'), profileOf('', 'https://a.example', 'a\nb')]) {
    const named = projectLineOf(`-- @project ${nameFor([profile, live], profile)}`)?.name;
    assert.deepEqual(chooseProject([profile, live], { named, assignedId: undefined }), { kind: 'project', profile });
  }
});
