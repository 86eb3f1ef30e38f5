import { element } from '../ui/element.ts';

/** Measures of the grid's font, which is the font of VS Code's editor: monospaced and chosen by the user. */
export interface GridFont {
  readonly characterWidth: number;
  readonly rowHeight: number;
  /** Some characters of the text may be wider than others. */
  readonly widthOf: (text: string) => number;
  /** In headers, names are bold and types are small. */
  readonly nameWidthOf: (name: string) => number;
  readonly typeWidthOf: (type: string) => number;
}

/** These two are as in the style sheet. */
const nameWeight = 600;
export const typeScale = 0.85;

const minRowHeight = 19;
/** As in VS Code's editor, where a font of 14 px has lines of 19 px. */
const lineHeight = 1.35;
const sampleLength = 100;

let measured: { readonly name: string; readonly font: GridFont } | undefined;

/** Measures the font in an element of the page. Measures again only after the user chose another font. */
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

/** `width` is the width of a character, used if there is no canvas. */
function measureIn(font: string, width: number): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (context) context.font = font;
  return text => context?.measureText(text).width ?? text.length * width;
}
