// Tells whether the window is narrow, as in `styles/narrow.css`: too narrow for two texts side by side.

export const NARROW = '(width < 48rem)'

export function isNarrow(): boolean {
  return matchMedia(NARROW).matches
}
