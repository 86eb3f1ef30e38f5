import { element } from '../ui/element.ts';

/** What the grid's font measures. It is the editor's, monospaced and the user's own. */
export interface GridFont {
  readonly characterWidth: number;
  readonly rowHeight: number;
  /** The width of a text, also of one with characters that are wider than others. */
  readonly widthOf: (text: string) => number;
}

const lowestRow = 24;
const lineHeight = 1.5;

/** Measures the font in an element, which has to be in the page. */
export function measureFont(parent: HTMLElement): GridFont {
  const probe = element('span', 'probe', '0'.repeat(100));
  parent.append(probe);
  const { fontFamily, fontSize } = getComputedStyle(probe);
  const characterWidth = probe.getBoundingClientRect().width / 100;
  probe.remove();
  const context = document.createElement('canvas').getContext('2d');
  if (context) context.font = `${fontSize} ${fontFamily}`;
  return {
    characterWidth,
    rowHeight: Math.max(lowestRow, Math.round(Number.parseFloat(fontSize) * lineHeight)),
    widthOf: text => context?.measureText(text).width ?? text.length * characterWidth,
  };
}
