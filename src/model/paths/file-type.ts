// The media type that a path promises. A page is sent as HTML whatever its path, so one at `/style.css` is a mistake more often
// than not.

import { mediaTypeOf } from '../media-type.js'
import { isRulesFile } from './tree-name.js'

/** Undefined for a path that promises HTML or nothing: `/about`, `/v1.2`, `/old.htm`. */
export function fileTypeOf(path: string): string | undefined {
  if (isRulesFile(path.replace(/^\//, ''))) return 'rules of the site'
  const type = mediaTypeOf(path)
  return type === 'application/octet-stream' || type.startsWith('text/html') ? undefined : type
}
