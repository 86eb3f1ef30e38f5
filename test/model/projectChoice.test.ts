import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeProfile } from '../../src/model/profiles.ts';
import { chooseProject, moveAssignments, nameForProjectLine } from '../../src/model/projectChoice.ts';
import { projectLineOf } from '../../src/sql/directives/projectLine.ts';

const shop = makeProfile({ name: 'Shop', baseUrl: 'http://127.0.0.1:1', projectId: 'shop', source: 'local' });
const live = makeProfile({ name: 'Live', baseUrl: 'https://sql.example.com', projectId: 'live', source: 'settings' });
const other = makeProfile({ name: 'Live', baseUrl: 'https://other.example', projectId: 'other', source: 'settings' });
const noHints = { directiveName: undefined, assignedId: undefined };

test('a new document goes to the only project', () => {
  assert.deepEqual(chooseProject([shop], noHints), { kind: 'project', profile: shop });
});

test('with several projects, or none, a new document goes nowhere', () => {
  assert.deepEqual(chooseProject([shop, live], noHints), { kind: 'undecided' });
  assert.deepEqual(chooseProject([], noHints), { kind: 'undecided' });
});

test('an assigned document goes to its project', () => {
  const choice = chooseProject([shop, live], { ...noHints, assignedId: live.id });
  assert.deepEqual(choice, { kind: 'project', profile: live });
});

test('a document whose assigned project is missing does not go to the only one left', () => {
  assert.deepEqual(chooseProject([live], { ...noHints, assignedId: shop.id }), { kind: 'missing' });
});

test('the name in a document wins over its assignment', () => {
  const choice = chooseProject([shop, live], { directiveName: 'Shop', assignedId: live.id });
  assert.deepEqual(choice, { kind: 'project', profile: shop });
});

for (const directiveName of ['shop ', 'live shop', '']) {
  test(`a document that names "${directiveName}" goes nowhere if no project has that name, whatever its assignment`, () => {
    assert.deepEqual(chooseProject([shop], { directiveName, assignedId: shop.id }), {
      kind: 'unknownName',
      name: directiveName,
    });
  });
}

test('an ambiguous name leads nowhere, and a project id leads to its project', () => {
  const profiles = [shop, live, other];
  assert.deepEqual(chooseProject(profiles, { ...noHints, directiveName: 'Live' }), {
    kind: 'ambiguousName',
    name: 'Live',
  });
  assert.deepEqual(chooseProject(profiles, { ...noHints, directiveName: 'other' }), {
    kind: 'project',
    profile: other,
  });
});

const profileOf = (name: string, baseUrl: string, projectId: string) =>
  makeProfile({ name, baseUrl, projectId, source: 'settings' });

test('the assignment decides between projects with the same name and id', () => {
  const dev = profileOf('', 'https://dev.example', 'shop');
  const prod = profileOf('', 'https://prod.example', 'shop');
  const directiveName = nameForProjectLine([dev, prod], prod);
  assert.deepEqual(chooseProject([dev, prod], { directiveName, assignedId: prod.id }), {
    kind: 'project',
    profile: prod,
  });
  assert.equal(chooseProject([dev, prod], { directiveName, assignedId: live.id }).kind, 'ambiguousName');
});

test('the name for a project line never leads to another project whose name is that id', () => {
  const one = profileOf('Same', 'https://a.example', 'p1');
  const two = profileOf('Same', 'https://a.example', 'p2');
  const profiles = [one, two, profileOf('p1', 'https://a.example', 'p3')];
  assert.deepEqual(
    profiles.map(profile => nameForProjectLine(profiles, profile)),
    ['Same', 'p2', 'p1'],
  );
  const choice = chooseProject(profiles, { directiveName: 'Same', assignedId: one.id });
  assert.deepEqual(choice, { kind: 'project', profile: one });
});

test('a project line can name any project, whatever its name or id', () => {
  for (const profile of [profileOf(' Shop ', 'https://a.example', 'p1'), profileOf('', 'https://a.example', 'a\nb')]) {
    const directiveName = projectLineOf(`-- @project ${nameForProjectLine([profile, live], profile)}`)?.name;
    assert.deepEqual(chooseProject([profile, live], { directiveName, assignedId: undefined }), {
      kind: 'project',
      profile,
    });
  }
});

test('a renamed file keeps its project and replaces the assignment of the file that it overwrites', () => {
  const assignments = { 'file:///a.sql': 'test', 'file:///b.sql': 'live', 'file:///c.sql': 'other' };
  assert.deepEqual(moveAssignments(assignments, 'file:///a.sql', 'file:///b.sql'), {
    'file:///b.sql': 'test',
    'file:///c.sql': 'other',
  });
});

test('an unassigned file removes the assignment of the file that it overwrites', () => {
  const assignments = { 'file:///b.sql': 'live' };
  assert.deepEqual(moveAssignments(assignments, 'file:///a.sql', 'file:///b.sql'), {});
});

test('a moved folder takes the assignments of its files along, and no others', () => {
  const assignments = {
    'file:///one/a.sql': 'a',
    'file:///one.sql': 'b',
    'file:///two/a.sql': 'old',
    'file:///two/b.sql': 'c',
  };
  assert.deepEqual(moveAssignments(assignments, 'file:///one', 'file:///two'), {
    'file:///one.sql': 'b',
    'file:///two/a.sql': 'a',
    'file:///two/b.sql': 'c',
  });
});
