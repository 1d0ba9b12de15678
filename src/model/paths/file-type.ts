// The media type that a path promises. A page is always sent as HTML, so one at `/style.css` is usually a mistake.

import { mediaTypeOf } from '../media-type.js'
import { isRulesFile } from './tree-name.js'

/** Returns the promised type; undefined for a path that promises HTML or nothing: `/about`, `/v1.2`, `/old.htm`. */
export function fileTypeOf(path: string): string | undefined {
  if (isRulesFile(path.replace(/^\//, ''))) return 'rules of the site'
  const type = mediaTypeOf(path)
  return type === 'application/octet-stream' || type.startsWith('text/html') ? undefined : type
}
