import { t } from '@vscode/l10n';
import { isJsonContainer } from '../../../src/base/jsonText.ts';
import type { CellPart } from '../../../src/protocol/results.ts';
import { textOf } from '../../../src/protocol/shownValues.ts';
import { isBlobType } from '../../../src/wire/values.ts';
import { element } from '../../ui/element.ts';
import { formatCount } from '../../ui/counts.ts';
import { beginningWithin, showText } from '../../ui/visibleText.ts';
import { byteLength, decodeBase64, hexDump, isBase64, utf8Of } from '../values/blob.ts';
import { charactersText } from '../values/cellContent.ts';
import { imageKindOf, type ImageKind } from './imageKind.ts';
import { jsonTree } from './jsonTree.ts';

export interface FieldView {
  readonly label: string;
  readonly create: () => HTMLElement | Promise<HTMLElement>;
}

interface FieldContent {
  /** The size in words; '' for values that are always small. */
  readonly size: string;
  /** The first view is shown at first. */
  readonly views: readonly FieldView[];
}

/** A longer text is shown in part. */
const maxTextLength = 1_000_000;
const maxTextMarks = 10_000;
const maxHexBytes = 65_536;
/** The beginning of an image contains its size, after other data that cameras write. */
const imageHeadBytes = 1_000_000;
const maxImageBytes = 8_000_000;
/** Every view but that of an image needs only this beginning of a value. */
export const viewedLength = Math.max(maxTextLength, Math.ceil(imageHeadBytes / 3) * 4);

interface FieldViewOptions {
  readonly type: string;
  readonly fetchWhole: () => Promise<CellPart>;
}

export function contentOf(value: CellPart, options: FieldViewOptions): FieldContent {
  const { type } = options;
  if (value.kind === 'null') return { size: '', views: [wordView('null', 'NULL')] };
  const text = textOf(value);
  const { length = text.length } = value;
  if (value.kind === 'text' && isBlobType(type) && isBase64(text, length)) return blobContent(value, options);
  const isText = value.kind === 'text' || value.kind === 'json';
  const size = isText ? charactersText(length) : '';
  if (value.kind === 'text' && text === '') return { size, views: [wordView('empty', t('(empty)'))] };
  const views = [{ label: t('Text'), create: () => createText(text, length) }];
  if (!isText || text.length > maxTextLength || !isJsonContainer(text)) return { size, views };
  return { size, views: [{ label: t('JSON'), create: () => jsonTree(text) }, ...views] };
}

function blobContent(value: CellPart, { fetchWhole }: FieldViewOptions): FieldContent {
  const base64 = textOf(value);
  const size = byteLength(value.length ?? base64.length, value.end ?? base64);
  const head = decodeBase64(base64, maxHexBytes);
  const text = utf8Of(head);
  const views: FieldView[] = [{ label: t('Hex'), create: () => createHexDump(head, size) }];
  if (text !== undefined) {
    views.push({ label: t('Text'), create: () => createBytes(text, head.length, size) });
  }
  const image = imageKindOf(decodeBase64(base64, imageHeadBytes));
  if (image && isDrawable(image) && size <= maxImageBytes) {
    const label = t('Image of {0} × {1} pixels', image.width, image.height);
    const draw = async (): Promise<HTMLElement> => {
      const whole = value.length === undefined ? base64 : textOf(await fetchWhole());
      return drawImage(decodeBase64(whole), image, label);
    };
    views.unshift({
      label: t('Image'),
      create: () => draw().catch(() => createNote(t('This image cannot be shown. Its bytes may be damaged.'))),
    });
  }
  return { size: size === 1 ? t('1 byte') : t('{0} bytes', formatCount(size)), views };
}

function createText(text: string, length: number): HTMLElement {
  const shown = beginningWithin(text, maxTextLength, maxTextMarks);
  const root = createLines(shown);
  if (shown.length < length) {
    root.append(createNote(t('The first {0} of {1} characters.', formatCount(shown.length), formatCount(length))));
  }
  return root;
}

function createBytes(text: string, shownBytes: number, allBytes: number, className = ''): HTMLElement {
  const root = createLines(text, className);
  if (shownBytes < allBytes) {
    root.append(createNote(t('The first {0} of {1} bytes.', formatCount(shownBytes), formatCount(allBytes))));
  }
  return root;
}

/** The bytes of a line in a wide record, and in narrower ones. */
const lineSizes = [16, 8, 4] as const;

function createHexDump(bytes: Uint8Array, size: number): HTMLElement {
  const root = createBytes(hexDump(bytes, lineSizes[0]), bytes.length, size, 'hex');
  const lines = root.firstElementChild!;
  // An observer of the lines would be called again for each change that it makes.
  const room = element('div');
  root.prepend(room);
  new ResizeObserver(() => {
    for (const lineSize of lineSizes) {
      lines.textContent = hexDump(bytes, lineSize);
      if (lines.scrollWidth <= room.clientWidth) return;
    }
  }).observe(room);
  return root;
}

function createLines(text: string, className = ''): HTMLElement {
  const root = element('div', className);
  // An attribute, because the style for the direction of each line takes seconds for a megabyte.
  const lines = element('div', 'text', { dir: 'auto' });
  showText(lines, text, { keepLines: true });
  root.append(lines);
  return root;
}

function wordView(className: string, text: string): FieldView {
  return { label: t('Text'), create: () => element('span', className, text) };
}

const createNote = (text: string): HTMLElement => element('p', 'note', text);

/** A decoded image takes four bytes per pixel. */
const maxPixels = 40_000_000;
/** Wider images are drawn smaller. The record is not as wide. */
const maxWidth = 1200;

const isDrawable = ({ width, height }: ImageKind): boolean => width > 0 && height > 0 && width * height <= maxPixels;

/** Draws on a canvas, because the page's security policy forbids loading images. */
async function drawImage(bytes: Uint8Array<ArrayBuffer>, kind: ImageKind, label: string): Promise<HTMLElement> {
  const canvas = element('canvas', 'image', { role: 'img', 'aria-label': label });
  const scale = Math.min(1, maxWidth / kind.width);
  const bitmap = await createImageBitmap(new Blob([bytes], { type: kind.type }), {
    resizeWidth: Math.max(1, Math.round(kind.width * scale)),
    resizeHeight: Math.max(1, Math.round(kind.height * scale)),
  });
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas;
}
