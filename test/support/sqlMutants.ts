import { coarseTokens } from '../../src/sql/text/tokens.ts';

/** A statement damaged at each of its tokens: left out, doubled, changed places with the next, and cut off after it. */
export function* sqlMutants(sql: string): Generator<string> {
  const tokens = [...coarseTokens(sql)].filter(({ kind }) => kind !== 'space' && kind !== 'comment');
  for (const [index, { start, end }] of tokens.entries()) {
    const token = sql.slice(start, end);
    yield sql.slice(0, start) + sql.slice(end);
    yield `${sql.slice(0, end)} ${token}${sql.slice(end)}`;
    yield sql.slice(0, end);
    const next = tokens[index + 1];
    if (!next) continue;
    const between = sql.slice(end, next.start);
    yield sql.slice(0, start) + sql.slice(next.start, next.end) + between + token + sql.slice(next.end);
  }
}
