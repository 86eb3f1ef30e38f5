import { element } from '../ui/element.ts';

/** Measures of the grid's font: the editor's, monospaced and chosen by the user. */
export interface GridFont {
  readonly characterWidth: number;
  readonly rowHeight: number;
  /** The width of a text, which may have wider characters than others. */
  readonly widthOf: (text: string) => number;
  /** The width of a name in a header, which is bold. */
  readonly nameWidthOf: (name: string) => number;
  /** The width of a type in a header, which is small. */
  readonly typeWidthOf: (type: string) => number;
}

/** The weight of names and the size of types in headers, as in the style sheet. */
const nameWeight = 600;
export const typeScale = 0.85;

const minRowHeight = 19;
/** As in the editor, where 14 px of letters take 19. */
const lineHeight = 1.35;
const sampleLength = 100;

let measured: { readonly name: string; readonly font: GridFont } | undefined;

/** Measures the font in an element of the page. The page is laid out for it only if the user has chosen another font. */
export function measureFont(parent: HTMLElement): GridFont {
  const style = getComputedStyle(parent);
  const properties = ['--vscode-editor-font-family', '--vscode-editor-font-size'];
  const name = properties.map(property => style.getPropertyValue(property)).join(' ');
  if (measured?.name !== name) measured = { name, font: fontOf(parent) };
  return measured.font;
}

function fontOf(parent: HTMLElement): GridFont {
  const sample = element('span', 'probe', '0'.repeat(sampleLength));
  parent.append(sample);
  const { fontFamily, fontSize } = getComputedStyle(sample);
  const characterWidth = sample.getBoundingClientRect().width / sampleLength;
  sample.remove();
  const size = Number.parseFloat(fontSize);
  return {
    characterWidth,
    rowHeight: Math.max(minRowHeight, Math.round(size * lineHeight)),
    widthOf: measureIn(`${fontSize} ${fontFamily}`, characterWidth),
    nameWidthOf: measureIn(`${nameWeight} ${fontSize} ${fontFamily}`, characterWidth),
    typeWidthOf: measureIn(`${size * typeScale}px ${fontFamily}`, characterWidth * typeScale),
  };
}

/** Measures texts in a font. `width` is that of a character, where there is no canvas. */
function measureIn(font: string, width: number): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (context) context.font = font;
  return text => context?.measureText(text).width ?? text.length * width;
}
