import { cutText } from '../../base/oneLine.ts';
import type { AnswerBody, ToolAnswer } from './agentTool.ts';
import { tokenCount, untrustedJson } from './untrustedJson.ts';

/** Tokens reserved for the description of a list, but at most a quarter of the limit. */
const descriptionTokens = 250;
/** An answer that is cut down to its summary or code has at most this many tokens. */
export const shortestAnswer = 80;
/** The lengths to which the texts of a long answer are cut, step by step. Codes, cursors and tokens of proposals are shorter. */
const textLengths = [2560, 1280, 640, 320, 160, 80, 40];

/** Leaves out items of the list that do not fit. Then cuts texts and lists, and in the end leaves only the summary. */
export async function answerText({ body, list }: Pick<ToolAnswer, 'body' | 'list'>, tokens: number) {
  const items = list?.items ?? [];
  let left = tokens - Math.min(descriptionTokens, tokens / 4) - tokenCount(untrustedJson(body));
  const end = items.findIndex(item => (left -= tokenCount(`${untrustedJson(item)},`)) < 0);
  const count = end === -1 ? items.length : end;
  const { kind, untrusted, ...others } = body;
  // An agent reads the description before any data.
  const fields: AnswerBody = { kind, untrusted, ...(await list?.describe(count)), ...others };
  const sent = list && { [list.name]: items.slice(0, count) };
  const whole = untrustedJson({ ...fields, ...sent });
  let text = whole;
  for (const length of textLengths) {
    if (tokenCount(text) <= tokens) break;
    text = untrustedJson({ ...cutFields(fields, length), ...sent });
  }
  if (tokenCount(text) > tokens) {
    const { code, summary }: AnswerBody = { ...fields, ...(count > 0 && (await list?.describe(0))) };
    text = untrustedJson({ kind, code, summary, cut: 'The limit of tokens is too low for the rest.' });
    return { text, count: 0, isCut: true };
  }
  return { text, count, isCut: count < items.length || text !== whole };
}

/** Cuts the texts and lists of the fields. The summary and the notice about data stay whole. */
function cutFields(fields: AnswerBody, length: number): AnswerBody {
  const maxItems = length / 20;
  const json = JSON.stringify(fields, (name, value: unknown) => {
    if (name === 'summary' || name === 'untrusted') return value;
    if (typeof value === 'string') return cutText(value, length);
    return Array.isArray(value) ? value.slice(0, maxItems) : value;
  });
  const cut = `The answer was too long: its texts have at most ${length} characters, and its lists ${maxItems} items. Ask for less.`;
  return { ...(JSON.parse(json) as AnswerBody), cut };
}
