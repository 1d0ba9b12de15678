// The acts of the list: what a person chose to do, and to which pages.

import type { Page } from '../../../api/client.js'

export type Act =
  | { does: 'unpublish' | 'move' | 'rename' | 'duplicate'; pages: readonly Page[] }
  | { does: 'move folder'; folder: string }
