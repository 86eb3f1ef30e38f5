/** A name that SQLite does not find. */
interface UnknownName {
  readonly kind: (typeof kinds)[number];
  readonly name: string;
}

interface Rewording {
  readonly message: RegExp;
  readonly text: (groups: readonly string[]) => string;
  readonly unknown?: (groups: readonly string[]) => UnknownName | undefined;
}

const kinds = ['column', 'table', 'function'] as const;

const rewordings: readonly Rewording[] = [
  {
    message: /^no such ([\w ]+): "?(.*?)"?( - should this be a string literal in single-quotes\?)?$/s,
    text: ([, kind, name, isText]) =>
      `no such ${kind} '${name}'${isText === undefined ? '' : `. Write a text in single quotes: '${name}'`}`,
    unknown: ([, kind = '', name = '']) => {
      const known = kinds.find(candidate => candidate === kind);
      return known && { kind: known, name };
    },
  },
  {
    message: /^table (\S+) has no column named (.*)$/s,
    text: ([, table, column]) => `table '${table}' has no column '${column}'`,
    unknown: ([, , name = '']) => ({ kind: 'column', name }),
  },
  { message: /^ambiguous column name: (.*)$/s, text: ([, name]) => `ambiguous column '${name}'` },
  { message: /^near "(.*)": syntax error$/s, text: ([, token]) => `syntax error near '${token}'` },
  { message: /^unrecognized token: "(.*)"$/s, text: ([, token]) => `unrecognized token '${token}'` },
  { message: /^incomplete input$/, text: () => 'the statement is incomplete' },
];

/** An error of SQLite with its names in single quotes, as in all messages. Other texts stay as they are. */
export function readableError(message: string): string {
  for (const rewording of rewordings) {
    const groups = rewording.message.exec(message);
    if (groups) return rewording.text(groups);
  }
  return message;
}

export function unknownName(message: string): UnknownName | undefined {
  for (const rewording of rewordings) {
    const groups = rewording.message.exec(message);
    if (groups) return rewording.unknown?.(groups);
  }
  return undefined;
}
