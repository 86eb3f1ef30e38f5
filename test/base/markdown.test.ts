import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqlBlock, codeSpan, markdownText } from '../../src/base/markdown.ts';

test('text has no links, HTML or other marks', () => {
  assert.equal(
    markdownText('[a](http://x) <b>*c*\n- `d` &amp; # größe'),
    String.raw`\[a\]\(http\:\/\/x\) \<b\>\*c\* \- \`d\` \&amp\; \# größe`,
  );
});

test('code cannot end early', () => {
  assert.equal(codeSpan('name'), '`name`');
  assert.equal(codeSpan('a`b'), '``a`b``');
  assert.equal(codeSpan('``` \n x'), '```` ``` x ````');
  assert.equal(codeSpan(' x '), '`  x  `');
  assert.equal(codeSpan(''), '');
  assert.equal(sqlBlock('SELECT 1'), '```sql-projects-sqlite\nSELECT 1\n```');
  assert.equal(sqlBlock('a\n```\n[x](y)'), '````sql-projects-sqlite\na\n```\n[x](y)\n````');
});
