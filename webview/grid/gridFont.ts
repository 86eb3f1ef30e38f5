import { element } from '../ui/element.ts';

/** Measures of the grid's font: the editor's, monospaced and chosen by the user. */
export interface GridFont {
  readonly characterWidth: number;
  readonly rowHeight: number;
  /** The width of a text, which may have wider characters than others. */
  readonly widthOf: (text: string) => number;
}

const minRowHeight = 19;
/** As in the editor, where 14 px of letters take 19. */
const lineHeight = 1.35;
const sampleLength = 100;

/** Measures the font in an element of the page. */
export function measureFont(parent: HTMLElement): GridFont {
  const sample = element('span', 'probe', '0'.repeat(sampleLength));
  parent.append(sample);
  const { fontFamily, fontSize } = getComputedStyle(sample);
  const characterWidth = sample.getBoundingClientRect().width / sampleLength;
  sample.remove();
  const context = document.createElement('canvas').getContext('2d');
  if (context) context.font = `${fontSize} ${fontFamily}`;
  return {
    characterWidth,
    rowHeight: Math.max(minRowHeight, Math.round(Number.parseFloat(fontSize) * lineHeight)),
    widthOf: text => context?.measureText(text).width ?? text.length * characterWidth,
  };
}
