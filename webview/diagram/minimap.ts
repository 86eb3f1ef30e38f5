import { element } from '../ui/element.ts';
import type { DiagramViewport } from './diagramViewport.ts';

/** Fewer tables fit on the screen. */
const minBoxes = 50;
const width = 180;
const height = 130;

/** A small picture of all boxes, with a frame around those in view. A press moves the view there. */
export class Minimap {
  readonly root = element('canvas', 'minimap', { 'aria-hidden': 'true' });
  readonly #viewport: DiagramViewport;

  constructor(viewport: DiagramViewport) {
    this.#viewport = viewport;
    const scale = window.devicePixelRatio;
    this.root.width = width * scale;
    this.root.height = height * scale;
    this.root.hidden = true;
    const move = (event: PointerEvent): void => {
      const { x, y, zoom } = this.#frame();
      this.#viewport.center({ x: x + event.offsetX / zoom, y: y + event.offsetY / zoom });
    };
    this.root.addEventListener('pointerdown', event => {
      this.root.setPointerCapture(event.pointerId);
      move(event);
    });
    this.root.addEventListener('pointermove', event => {
      if (this.root.hasPointerCapture(event.pointerId)) move(event);
    });
  }

  paint(): void {
    const { scene, view, colors } = this.#viewport;
    this.root.hidden = scene.boxes.length < minBoxes;
    if (this.root.hidden) return;
    const context = this.root.getContext('2d')!;
    const { x, y, zoom } = this.#frame();
    const scale = window.devicePixelRatio * zoom;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.root.width, this.root.height);
    context.setTransform(scale, 0, 0, scale, -x * scale, -y * scale);
    context.fillStyle = colors.faint;
    for (const box of scene.boxes) context.fillRect(box.x, box.y, box.width, box.height);
    context.strokeStyle = colors.chosen;
    context.lineWidth = 2 / zoom;
    context.strokeRect(view.x, view.y, view.width, view.height);
  }

  /** The place of the upper left corner, so that all boxes are in the middle. */
  #frame(): { x: number; y: number; zoom: number } {
    const { bounds } = this.#viewport.scene;
    const zoom = Math.min(width / (bounds.width || 1), height / (bounds.height || 1)) * 0.94;
    return {
      x: bounds.x + bounds.width / 2 - width / zoom / 2,
      y: bounds.y + bounds.height / 2 - height / zoom / 2,
      zoom,
    };
  }
}
