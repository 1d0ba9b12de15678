// Finds files that look like content of a site and are at no URL, because of a name on their path.

import { LONG_DIR } from '../../model/paths/page-path.js'
import { isOwnPath } from '../../model/paths/tree-name.js'
import { COLLECTION_DIR, FORMER_DIR, parseMetadataPath, SIDECAR_DIR, TEMPLATE_DIR } from './site-format.js'

const OWN_FOLDERS: ReadonlySet<string> = new Set([LONG_DIR, SIDECAR_DIR, TEMPLATE_DIR, FORMER_DIR])

const OF_COLLECTIONS = 'Nothing in collections/ but pages is served. Move it to another folder.'
const DOT_FIRST = 'It is not served, since a name on its path begins with a dot. Give it another name.'

/**
 * Returns why a file is not served, with what to do. Undefined for a file that is served, for one of the service, and for hidden files that
 * are no pages, such as those of tools.
 */
export function whyHidden(treePath: string): string | undefined {
  if (!isOwnPath(treePath)) return undefined
  const isHtml = treePath.endsWith('.html')
  if (treePath.startsWith(`${COLLECTION_DIR}/`) && !isHtml)
    return parseMetadataPath(treePath) === undefined ? OF_COLLECTIONS : undefined
  const [top = ''] = treePath.split('/', 1)
  return isHtml && !OWN_FOLDERS.has(top) ? DOT_FIRST : undefined
}
