// The DNS labels of previews: `preview--`, the prefix of a machine that shares its data, and 128 random bits. No other label looks like
// that: a slug has no two hyphens in a row, and the label of a version begins with hexadecimal digits.

import { randomBytes } from 'node:crypto'

const PREFIX = 'preview--'

/** Makes a label. `machinePrefix`: digits that tell which machine has the preview. */
export function makePreviewLabel(machinePrefix = ''): string {
  return `${PREFIX}${machinePrefix}${randomBytes(16).toString('hex')}`
}

export function isPreviewLabel(label: string): boolean {
  return label.startsWith(PREFIX)
}

/** Returns the part that begins with the prefix of the machine that has the preview. */
export function withoutPreview(label: string): string {
  return label.slice(PREFIX.length)
}
