/** `content` is a text, children or attributes, such as `hidden: ''`. Text stays text: markup is never parsed. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  content: string | (Node | string)[] | Readonly<Record<string, string>> = '',
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  if (className) created.className = className;
  if (typeof content === 'string') created.textContent = content;
  else if (Array.isArray(content)) created.append(...content);
  else for (const [name, value] of Object.entries(content)) created.setAttribute(name, value);
  return created;
}

/** Sets a text unless it is the same: a screen reader reads out every text that is set. */
export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Adds and removes parts at the end of a list until it has `count`. `create` also places the new part. */
export function resizeList<Part extends { readonly root: HTMLElement }>(
  parts: Part[],
  count: number,
  create: (index: number) => Part,
): void {
  while (parts.length > count) parts.pop()!.root.remove();
  while (parts.length < count) parts.push(create(parts.length));
}

/** Undefined removes the attribute. */
export function setAttribute(target: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) target.removeAttribute(name);
  else target.setAttribute(name, value);
}

/** Gives a function that does work once before the next paint, however often it is called. Several measurements cost one layout. */
export function beforePaint(work: () => void): () => void {
  let isRequested = false;
  return () => {
    if (isRequested) return;
    isRequested = true;
    requestAnimationFrame(() => {
      isRequested = false;
      work();
    });
  };
}
