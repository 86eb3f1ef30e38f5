import { beforePaint, element } from '../ui/element.ts';
import type { KeyEdge, GraphTable } from './graph.ts';
import type { Point, Rect } from './layout/rects.ts';
import { type Colors, paint, pictureMargin } from './painter.ts';
import { CanvasPen, fontOf, SvgPen } from './pens.ts';
import { emptyScene, fontSize, type Measure, type Scene, type SceneBox } from './scene.ts';

const minZoom = 0.03;
const maxZoom = 3;
const fitMargin = 40;
const flightMs = 250;
/** The size of a picture in pixels that browsers can draw. */
const maxPictureSide = 16_000;
const maxPicturePixels = 100_000_000;
/** How near to a line the pointer must be, in pixels. */
const lineReach = 6;
/** A pointer that moves less far does not drag a box, in pixels. */
const dragReach = 4;

export type DiagramChoice = GraphTable | KeyEdge | undefined;

interface ViewportOptions {
  /** Called with what was clicked. */
  readonly onChoose: (choice: DiagramChoice) => void;
  readonly onOpen: (node: GraphTable) => void;
  /** Called when a box was moved. */
  readonly onMoved: () => void;
  readonly onMenu: (node: GraphTable, place: Point) => void;
  /** Says what the pointer is on. */
  readonly textOf: (edge: KeyEdge) => string;
  readonly onPaint: () => void;
}

/** A part of the diagram on the screen, which moves with the pointer and the wheel. */
export class DiagramViewport {
  readonly root = element('canvas', 'viewport');
  readonly #options: ViewportOptions;
  readonly #context = this.root.getContext('2d')!;
  readonly #requestPaint = beforePaint(() => this.#paint());
  readonly #widths = new Map<string, number>();
  readonly #paths = new Map<string, Path2D>();
  /** The place in the diagram of the upper left corner. */
  #left = 0;
  #top = 0;
  #zoom = 1;
  #scene = emptyScene;
  #chosen: DiagramChoice;
  /** The table under the pressed pointer, and the place in the diagram where the pointer holds it. */
  #drag: { readonly node: GraphTable; readonly isMoved: boolean; readonly point: Point } | undefined;
  /** Counts flights, so that a new movement ends the last one. */
  #flight = 0;
  #colors = colorsOf(document.body);
  #family = getComputedStyle(document.body).fontFamily;

  constructor(options: ViewportOptions) {
    this.#options = options;
    this.root.tabIndex = 0;
    new ResizeObserver(() => this.#resize()).observe(this.root);
    // VS Code sets the colors of a new theme there.
    new MutationObserver(() => this.#updateTheme()).observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['style'],
    });
    this.#listen();
  }

  readonly measure: Measure = (text, size = fontSize, isBold = false) => {
    const key = `${size} ${isBold} ${text}`;
    const known = this.#widths.get(key);
    if (known !== undefined) return known;
    this.#context.font = fontOf({ size, isBold }, this.#family);
    const { width } = this.#context.measureText(text);
    this.#widths.set(key, width);
    return width;
  };

  get scene(): Scene {
    return this.#scene;
  }

  get zoom(): number {
    return this.#zoom;
  }

  get view(): Rect {
    const { clientWidth, clientHeight } = this.root;
    return { x: this.#left, y: this.#top, width: clientWidth / this.#zoom, height: clientHeight / this.#zoom };
  }

  get colors(): Colors {
    return this.#colors;
  }

  show(scene: Scene): void {
    // The box has new routes after its drag.
    if (this.#drag?.isMoved) return;
    this.#paths.clear();
    this.#scene = scene;
    this.#requestPaint();
  }

  choose(choice: DiagramChoice): void {
    this.#chosen = choice;
    this.#requestPaint();
  }

  /** By the name, since a change of the schema makes new nodes. */
  boxOf(node: GraphTable | undefined): SceneBox | undefined {
    return this.#scene.boxes.find(box => box.node.name === node?.name);
  }

  /** Moves a box by a distance. Its lines are hidden until they have new routes. */
  moveBox({ node }: SceneBox, x: number, y: number): void {
    const boxes = this.#scene.boxes.map(box => (box.node === node ? { ...box, x: box.x + x, y: box.y + y } : box));
    const lines = this.#scene.lines.filter(({ edge }) => edge.from !== node && edge.to !== node);
    this.#scene = { ...this.#scene, boxes, lines };
    this.#requestPaint();
  }

  /** The place on the screen of a box's lower left corner. */
  placeBelow({ x, y, height }: Rect): Point {
    const { left, top } = this.root.getBoundingClientRect();
    return {
      x: left + (x - this.#left) * this.#zoom,
      y: top + (Math.min(y + height, this.view.y + this.view.height - fitMargin) - this.#top) * this.#zoom,
    };
  }

  /** Shows all, but not larger than in its natural size. */
  fit(isInstant = false): void {
    this.#flyTo(this.#scene.bounds, 1, isInstant);
  }

  /** Shows a box in the middle, in a size in which it can be read. */
  flyTo(box: Rect, isInstant = false): void {
    this.#flyTo(box, Math.max(this.#zoom, 0.9), isInstant);
  }

  /** Moves as little as possible until a box is in view. */
  reveal(box: Rect): void {
    const { x, y, width, height } = this.view;
    const margin = fitMargin / this.#zoom;
    const moved = (start: number, length: number, from: number, size: number): number =>
      from < start + margin
        ? from - margin
        : from + size > start + length - margin
          ? from + size - length + margin
          : start;
    const left = moved(x, width, box.x, box.width);
    const top = moved(y, height, box.y, box.height);
    if (left !== x || top !== y) this.#fly(left, top, this.#zoom);
  }

  /** Keeps a box where it is on the screen, although its place in the diagram has changed. */
  keepPlace(before: Rect, after: Rect): void {
    if (before.x === after.x && before.y === after.y) return;
    this.#move(this.#left + after.x - before.x, this.#top + after.y - before.y, this.#zoom);
  }

  center({ x, y }: Point): void {
    this.#move(x - this.view.width / 2, y - this.view.height / 2, this.#zoom);
  }

  pan(x: number, y: number): void {
    this.#move(this.#left + x / this.#zoom, this.#top + y / this.#zoom, this.#zoom);
  }

  /** Without a place on the canvas, the middle stays. */
  zoomBy(factor: number, place?: Point): void {
    const { clientWidth, clientHeight } = this.root;
    const { x, y } = place ?? { x: clientWidth / 2, y: clientHeight / 2 };
    const zoom = Math.min(maxZoom, Math.max(minZoom, this.#zoom * factor));
    this.#move(this.#left + x / this.#zoom - x / zoom, this.#top + y / this.#zoom - y / zoom, zoom);
  }

  svg(): string {
    const pen = new SvgPen();
    const area = this.#pictureArea();
    paint(pen, this.#scene, { colors: this.#colors, measure: this.measure, view: area, zoom: 1 });
    return pen.file(area, this.#colors.background, this.#family);
  }

  png(): Promise<Blob> {
    const area = this.#pictureArea();
    const { x, y, width, height } = area;
    const scale = Math.min(2, maxPictureSide / Math.max(width, height), Math.sqrt(maxPicturePixels / (width * height)));
    const canvas = new OffscreenCanvas(Math.ceil(width * scale), Math.ceil(height * scale));
    const context = canvas.getContext('2d')!;
    context.fillStyle = this.#colors.background;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.scale(scale, scale);
    context.translate(-x, -y);
    const pen = new CanvasPen(context, this.#family);
    paint(pen, this.#scene, { colors: this.#colors, measure: this.measure, view: area, zoom: 1 });
    return canvas.convertToBlob({ type: 'image/png' });
  }

  #pictureArea(): Rect {
    const { x, y, width, height } = this.#scene.bounds;
    const margin = 2 * pictureMargin;
    return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
  }

  #paint(): void {
    const context = this.#context;
    const scale = window.devicePixelRatio * this.#zoom;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.root.width, this.root.height);
    context.setTransform(scale, 0, 0, scale, -this.#left * scale, -this.#top * scale);
    paint(new CanvasPen(context, this.#family, this.#paths), this.#scene, {
      colors: this.#colors,
      measure: this.measure,
      view: this.view,
      zoom: this.#zoom,
      chosen: this.#chosen,
    });
    this.#options.onPaint();
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.root;
    this.root.width = clientWidth * window.devicePixelRatio;
    this.root.height = clientHeight * window.devicePixelRatio;
    // A canvas is empty after a change of its size.
    this.#paint();
  }

  #updateTheme(): void {
    this.#colors = colorsOf(document.body);
    this.#family = getComputedStyle(document.body).fontFamily;
    this.#requestPaint();
  }

  #move(left: number, top: number, zoom: number): void {
    this.#flight++;
    this.#jump(left, top, zoom);
  }

  #jump(left: number, top: number, zoom: number): void {
    this.#left = left;
    this.#top = top;
    this.#zoom = zoom;
    this.#requestPaint();
  }

  #flyTo({ x, y, width, height }: Rect, largestZoom: number, isInstant: boolean): void {
    const { clientWidth, clientHeight } = this.root;
    if (clientWidth === 0 || clientHeight === 0) return;
    const fitting = Math.min(
      (clientWidth - 2 * fitMargin) / (width || 1),
      (clientHeight - 2 * fitMargin) / (height || 1),
    );
    const zoom = Math.max(minZoom, Math.min(fitting, largestZoom));
    const left = x + width / 2 - clientWidth / zoom / 2;
    const top = y + height / 2 - clientHeight / zoom / 2;
    if (isInstant) this.#move(left, top, zoom);
    else this.#fly(left, top, zoom);
  }

  #fly(left: number, top: number, zoom: number): void {
    const flight = ++this.#flight;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.#jump(left, top, zoom);
      return;
    }
    const from = { left: this.#left, top: this.#top, zoom: this.#zoom };
    const startedAt = performance.now();
    const step = (): void => {
      if (flight !== this.#flight) return;
      const share = Math.min(1, (performance.now() - startedAt) / flightMs);
      const eased = 1 - (1 - share) ** 3;
      const between = (start: number, end: number): number => start + (end - start) * eased;
      this.#jump(between(from.left, left), between(from.top, top), between(from.zoom, zoom));
      if (share < 1) requestAnimationFrame(step);
    };
    step();
  }

  #listen(): void {
    const { root } = this;
    root.addEventListener('wheel', event => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) {
        this.zoomBy(Math.exp(-event.deltaY / 300), { x: event.offsetX, y: event.offsetY });
      } else if (event.shiftKey && event.deltaX === 0) this.pan(event.deltaY, 0);
      else this.pan(event.deltaX, event.deltaY);
    });
    root.addEventListener('pointerdown', event => {
      if (event.button !== 0 || !event.isPrimary) return;
      root.setPointerCapture(event.pointerId);
      const box = this.#boxAt(event);
      this.#drag = box && { node: box.node, isMoved: false, point: this.#pointOf(event) };
      this.#options.onChoose(box?.node ?? this.#edgeAt(event));
    });
    root.addEventListener('pointermove', event => {
      if (root.hasPointerCapture(event.pointerId)) {
        if (this.#drag) this.#dragBox(event);
        else this.pan(-event.movementX, -event.movementY);
        return;
      }
      const edge = this.#boxAt(event) ? undefined : this.#edgeAt(event);
      root.title = edge ? this.#options.textOf(edge) : '';
    });
    root.addEventListener('lostpointercapture', () => {
      const isMoved = this.#drag?.isMoved;
      this.#drag = undefined;
      if (isMoved) this.#options.onMoved();
    });
    root.addEventListener('dblclick', event => {
      const box = this.#boxAt(event);
      if (box) this.#options.onOpen(box.node);
    });
    root.addEventListener('contextmenu', event => {
      event.preventDefault();
      const box = this.#boxAt(event);
      if (!box || this.#drag) return;
      this.#options.onChoose(box.node);
      this.#options.onMenu(box.node, { x: event.clientX, y: event.clientY });
    });
  }

  #dragBox(event: PointerEvent): void {
    const { node, isMoved, point } = this.#drag!;
    const present = this.#pointOf(event);
    const x = present.x - point.x;
    const y = present.y - point.y;
    const box = this.boxOf(node);
    if (!box || (!isMoved && Math.hypot(x, y) * this.#zoom < dragReach)) return;
    this.#drag = { node, isMoved: true, point: present };
    this.moveBox(box, x, y);
  }

  #pointOf({ offsetX, offsetY }: MouseEvent): Point {
    return { x: this.#left + offsetX / this.#zoom, y: this.#top + offsetY / this.#zoom };
  }

  #boxAt(event: MouseEvent): SceneBox | undefined {
    const { x, y } = this.#pointOf(event);
    return this.#scene.boxes.find(box => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);
  }

  #edgeAt(event: MouseEvent): KeyEdge | undefined {
    const point = this.#pointOf(event);
    const reach = lineReach / this.#zoom;
    const isNear = (one: number, other: number, value: number): boolean =>
      value >= Math.min(one, other) - reach && value <= Math.max(one, other) + reach;
    const line = this.#scene.lines.find(({ points }) =>
      points.some((end, index) => {
        const start = points[index - 1];
        return start && isNear(start.x, end.x, point.x) && isNear(start.y, end.y, point.y);
      }),
    );
    return line?.edge;
  }
}

function colorsOf(body: HTMLElement): Colors {
  const style = getComputedStyle(body);
  const color = (...names: string[]): string =>
    names.map(name => style.getPropertyValue(`--vscode-${name}`).trim()).find(Boolean) ?? style.color;
  return {
    background: color('editor-background'),
    foreground: style.color,
    faint: color('descriptionForeground'),
    border: color('contrastBorder', 'descriptionForeground'),
    header: color('keybindingTable-headerBackground', 'editor-background'),
    group: color('tree-tableOddRowsBackground', 'editor-background'),
    chosen: color('contrastActiveBorder', 'focusBorder'),
    missing: color('list-errorForeground', 'errorForeground'),
    changed: color('list-warningForeground', 'editorWarning-foreground'),
  };
}
