// Handles pages at a path that names a file: `/style.css` as a page is sent as HTML, which no browser accepts as a style sheet.

import type { ChangeWarning } from '../../../schemas/pages.js'
import { ServiceError } from '../../model/errors.js'
import { fileTypeOf } from '../../model/paths/file-type.js'
import { parsePagePath } from '../../model/paths/page-path.js'

/** Throws `invalid_path` if the path names a file and the client says that it means no page. */
export function refuseFileName(path: string, asPage: boolean | undefined): void {
  const type = asPage === false ? fileTypeOf(path) : undefined
  if (type === undefined) return
  throw new ServiceError(
    'invalid_path',
    `${path} is the path of a file (${type}), and a page is sent as HTML. Use PUT /files for a file, or asPage=true for a page.`,
  )
}

/** Makes the warning for a page that was made there, to be spread into the answer; nothing if the client said `asPage`. */
export function warnOfFileName(path: string, asPage: boolean | undefined): { warnings?: ChangeWarning[] } {
  const type = asPage === true ? undefined : fileTypeOf(path)
  if (type === undefined) return {}
  const page = parsePagePath(path)
  const message = `${page} is sent as HTML, although it is the path of a file (${type}). Use PUT /files for a file.`
  return { warnings: [{ code: 'named_as_file', path: page, message }] }
}
