interface Drags {
  /** As a share of the view's width. */
  shift(share: number): void;
  /** The drag has ended. */
  settle(): void;
  click(event: MouseEvent): void;
}

/** A shorter way is a click, CSS pixels. */
const dragAtLeast = 4;

/** A mouse drags the view sideways, up and down. Fingers scroll by themselves. */
export function listenToDrag(area: HTMLElement, drags: Drags): void {
  let last: PointerEvent | null = null;
  let [way, isDrag] = [0, false];
  area.addEventListener("pointerdown", (event) => {
    isDrag = false;
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    // The scroll bar is not part of the drawing.
    if (event.offsetX > area.clientWidth && event.target === area) return;
    [last, way] = [event, 0];
  });
  area.addEventListener("pointermove", (event) => {
    if (!last || event.buttons === 0) return;
    const [across, down] = [event.clientX - last.clientX, event.clientY - last.clientY];
    way += Math.abs(across) + Math.abs(down);
    if (!isDrag && way < dragAtLeast) return;
    if (!isDrag) area.setPointerCapture(event.pointerId);
    isDrag = true;
    last = event;
    drags.shift(-across / area.clientWidth);
    area.scrollTop -= down;
  });
  const end = () => {
    if (last && isDrag) drags.settle();
    last = null;
  };
  area.addEventListener("pointerup", end);
  area.addEventListener("pointercancel", end);
  area.addEventListener("click", (event) => {
    if (!isDrag) drags.click(event);
    isDrag = false;
  });
}

interface Keys {
  /** An arrow key or Home. */
  moveTo(key: string): void;
  zoomIn(): void;
  zoomOut(): void;
  scale(factor: number): void;
}

/** The factor of one zoom by key. */
const zoomStep = 1.6;

export function listenToKeys(area: HTMLElement, keys: Keys): void {
  const acts: Readonly<Record<string, () => void>> = {
    Enter: () => keys.zoomIn(),
    " ": () => keys.zoomIn(),
    Escape: () => keys.zoomOut(),
    "+": () => keys.scale(1 / zoomStep),
    "-": () => keys.scale(zoomStep),
  };
  area.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== area) return;
    const { key } = event;
    const act = /^(Arrow|Home)/.test(key) ? () => keys.moveTo(key) : acts[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
