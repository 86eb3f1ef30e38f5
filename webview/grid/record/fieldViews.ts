import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { CellPart } from '../../../src/protocol/results.ts';
import { isBlobType, textOf } from '../../../src/wire/values.ts';
import { element } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { cutAt, showPieces } from '../values/cellContent.ts';
import { visiblePieces } from '../values/visibleText.ts';
import { byteLength, decodeBase64, hexDump, isBase64, utf8Of } from './blob.ts';
import { imageKindOf } from './imageKind.ts';
import { drawImage, isDrawable } from './imageView.ts';
import { jsonTree } from './jsonTree.ts';

/** One way to look at a value. */
export interface FieldView {
  readonly label: string;
  readonly show: () => HTMLElement | Promise<HTMLElement>;
}

export interface FieldContent {
  /** How large it is, in words; '' for what is small by its nature. */
  readonly size: string;
  /** The first is shown to begin with. */
  readonly views: readonly FieldView[];
}

/** More than this is shown as its beginning. */
const longestText = 1_000_000;
const mostHexBytes = 65_536;
/** An image's size is within its beginning, whatever else a camera wrote there. */
const imageHead = 1_000_000;
const mostImageBytes = 32_000_000;
/** What all views but that of an image need of a value. */
export const lookedAt = Math.max(longestText, Math.ceil(imageHead / 3) * 4);

export interface FieldOptions {
  readonly type: string;
  readonly labels: GridLabels;
  /** Fetches a value of which only the beginning is there. */
  readonly whole: () => Promise<CellPart>;
}

export function contentOf(value: CellPart, options: FieldOptions): FieldContent {
  const { type, labels } = options;
  if (value.kind === 'null') return { size: '', views: [plain(labels, 'null', 'NULL')] };
  const text = textOf(value);
  const { length = text.length } = value;
  if (value.kind === 'text' && isBlobType(type) && isBase64(text, length)) return blobContent(value, options);
  const size = value.kind === 'text' || value.kind === 'json' ? fill(labels.characters, localized(length)) : '';
  if (value.kind === 'text' && text === '') return { size, views: [plain(labels, 'empty', labels.emptyText)] };
  const views = [{ label: labels.asText, show: () => longText(text, length, labels) }];
  if ((value.kind !== 'json' && value.kind !== 'text') || !isJson(text)) return { size, views };
  return { size, views: [{ label: labels.asJson, show: () => jsonTree(text, labels) }, ...views] };
}

function blobContent(value: CellPart, { labels, whole }: FieldOptions): FieldContent {
  const base64 = textOf(value);
  const bytes = byteLength(value.length ?? base64.length, value.end ?? base64);
  const [image, head] = [imageKindOf(decodeBase64(base64, imageHead)), decodeBase64(base64, mostHexBytes)];
  const text = utf8Of(head);
  const views: FieldView[] = [{ label: labels.asHex, show: () => bounded(hexDump(head), head.length, bytes, labels) }];
  if (text !== undefined) views.push({ label: labels.asText, show: () => bounded(text, head.length, bytes, labels) });
  if (image && isDrawable(image) && bytes <= mostImageBytes) {
    const label = fill(labels.imageOf, image.width, image.height);
    const draw = async (): Promise<HTMLElement> => {
      const all = value.length === undefined ? base64 : textOf(await whole());
      return drawImage(decodeBase64(all), image, label);
    };
    views.unshift({ label: labels.asImage, show: () => draw().catch(() => message(labels.noImage)) });
  }
  return { size: fill(labels.bytes, localized(bytes)), views };
}

/** What is an object or an array; other texts that JSON would take are no JSON to anybody. */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text) || text.length > longestText) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function longText(text: string, length: number, labels: GridLabels): HTMLElement {
  const root = element('div');
  root.append(textElement(cutAt(text, longestText)));
  if (length > longestText) {
    root.append(message(fill(labels.firstCharacters, localized(longestText), localized(length))));
  }
  return root;
}

function bounded(text: string, shown: number, all: number, labels: GridLabels): HTMLElement {
  const root = element('div');
  root.append(textElement(text));
  if (shown < all) root.append(message(fill(labels.firstBytes, localized(shown), localized(all))));
  return root;
}

function textElement(text: string): HTMLElement {
  const shown = element('div', 'text');
  // The style that gives each line a direction of its own takes seconds for a megabyte.
  shown.dir = 'auto';
  showPieces(shown, visiblePieces(text, { keepLines: true }));
  return shown;
}

function plain(labels: GridLabels, className: string, text: string): FieldView {
  return { label: labels.asText, show: () => element('span', className, text) };
}

const message = (text: string): HTMLElement => element('p', 'note', text);
const localized = (count: number): string => count.toLocaleString(pageLanguage());
