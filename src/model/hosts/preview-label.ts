// The DNS labels of previews: `preview--` and 128 random bits. A slug has no two hyphens in a row, and the label of a
// version begins with hexadecimal digits, so it is neither.

import { randomBytes } from 'node:crypto'

export function makePreviewLabel(): string {
  return `preview--${randomBytes(16).toString('hex')}`
}

export function isPreviewLabel(label: string): boolean {
  return label.startsWith('preview--')
}
