// `npm run words`: lists every text that a user can read, by file.
// `npm run words -- WORD` lists those with a word, `npm run words -- --faults` those that break a rule of words.
import { type ReadableText, readableTexts } from './words/readableTexts.ts';
import { wordFaultsOf } from './words/wordRules.ts';

const texts = readableTexts();
const [argument] = process.argv.slice(2);
if (argument === '--faults') {
  for (const { text, message } of wordFaultsOf(texts)) console.log(`${lineOf(text)}\n    ${message}`);
} else {
  const word = argument?.toLowerCase() ?? '';
  for (const text of texts) if (text.text.toLowerCase().includes(word)) console.log(lineOf(text));
}

function lineOf({ file, line, text }: ReadableText): string {
  return `${file}:${line}  ${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}`;
}
