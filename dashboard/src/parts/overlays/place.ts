// The place of a box beside the control that it belongs to, inside the window.

/** Pixels between the control and the box, and between the box and the edge of the window. */
const GAP = 4

/** Puts a shown box below the control, or above it where there is more room. It begins where the control does if it fits. */
export function placeBeside(box: HTMLElement, control: Element, wanted: 'below' | 'above' = 'below'): void {
  const at = control.getBoundingClientRect()
  const { width, height } = box.getBoundingClientRect()
  const below = at.bottom + GAP
  const above = at.top - GAP - height
  const isBelow = wanted === 'below' ? below + height <= innerHeight || above < 0 : above < 0
  const isRightToLeft = getComputedStyle(control).direction === 'rtl'
  const start = isRightToLeft ? at.right - width : at.left
  const isInside = start >= 0 && start + width <= innerWidth
  const other = isRightToLeft ? at.left : at.right - width
  box.style.top = `${clamp(isBelow ? below : above, innerHeight - height)}px`
  box.style.left = `${clamp(isInside ? start : other, innerWidth - width)}px`
}

function clamp(value: number, end: number): number {
  return Math.max(GAP, Math.min(value, end - GAP))
}
