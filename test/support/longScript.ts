import { valid } from '../sql/corpus.ts';

/** A script with at least this many lines: the statements of the corpus over and over, with line breaks. */
export function longScript(minLines: number): string {
  const statements = Object.values(valid)
    .flat()
    .filter(sql => !/\/\* unt|--$/.test(sql));
  const parts: string[] = [];
  for (let line = 0, number = 0; line < minLines; number++) {
    const statement = statements[number % statements.length]!;
    const part = `-- statement ${number}\n${statement.replaceAll(/ (FROM|WHERE|SET|VALUES|BEGIN) /g, '\n  $1 ')};\n`;
    parts.push(part);
    line += part.split('\n').length - 1;
  }
  return parts.join('');
}
