import { valid } from '../sql/corpus.ts';

/** A script of that many lines at least, of the corpus' statements in turns, laid out as people do. */
export function longScript(lines: number): string {
  const statements = Object.values(valid)
    .flat()
    .filter(sql => !/\/\* unt|--$/.test(sql));
  const parts: string[] = [];
  for (let line = 0, number = 0; line < lines; number++) {
    const statement = statements[number % statements.length]!;
    const part = `-- statement ${number}\n${statement.replaceAll(/ (FROM|WHERE|SET|VALUES|BEGIN) /g, '\n  $1 ')};\n`;
    parts.push(part);
    line += part.split('\n').length - 1;
  }
  return parts.join('');
}
