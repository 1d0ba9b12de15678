// One page as a row: its checkbox, title and path, state, age, and the menu of what can be done to it.

import type { Page, Site } from '../../api/client.js'
import { formatBytes } from '../../format.js'
import { copyAddress } from '../../parts/controls/copy-address.js'
import { SelectRow, type Selection } from '../../parts/lists/selection.js'
import { Menu, type MenuItem } from '../../parts/overlays/menu.js'
import { useMay } from '../../parts/rights/allowed.js'
import { Age } from '../../parts/states/age.js'
import { Badge } from '../../parts/states/badge.js'
import { PathInLine } from '../../parts/states/path-text.js'
import type { Act } from './acts/act.js'
import { readable } from './folders.js'

interface PageRowProps {
  site: Site
  page: Page
  /** Undefined for people who may not change pages. */
  selection: Selection | undefined
  onAct: (act: Act) => void
}

export function PageRow({ site, page, selection, onAct }: PageRowProps) {
  const mayWrite = useMay()('write')
  const { id, path, title, status } = page
  const address = `/sites/${site.slug}/pages/${id}`
  return (
    <div class="row page-row">
      {selection && <SelectRow selection={selection} of={id} name={title ?? path} />}
      <a class="row-main" href={address}>
        <strong dir="auto">{title ?? <PathInLine of={readable(path)} />}</strong>
        {title !== null && (
          <span class="hint">
            <PathInLine of={readable(path)} />
          </span>
        )}
      </a>
      {status === 'published' ? <span class="state-dot" title="Published" /> : <Badge isDotted>unpublished</Badge>}
      <span class="hint wide-only">{formatBytes(page.size)}</span>
      <span class="hint wide-only">
        <Age of={page.updatedAt} />
      </span>
      <Menu label={`What to do with ${title ?? path}`} items={itemsOf(page, address, mayWrite, onAct)} />
    </div>
  )
}

function itemsOf(page: Page, address: string, mayWrite: boolean, onAct: (act: Act) => void): (MenuItem | null)[] {
  const isLive = page.status === 'published'
  const act = (does: 'rename' | 'duplicate' | 'unpublish') => () => onAct({ does, pages: [page] })
  const changes: (MenuItem | null)[] = [
    null,
    { label: 'Rename or move…', icon: 'folder', run: act('rename') },
    { label: 'Duplicate…', icon: 'copy', run: act('duplicate') },
    { label: 'Unpublish…', icon: 'close', run: act('unpublish') },
  ]
  return [
    ...(isLive ? [{ label: 'Open', icon: 'open', href: page.url, isNewTab: true } as const] : []),
    { label: mayWrite ? 'Edit' : 'Show', icon: 'edit', href: address },
    { label: 'History', icon: 'history', href: `${address}/history` },
    { label: 'Copy address', icon: 'link', run: () => void copyAddress(page.url) },
    ...(mayWrite && isLive ? changes : []),
  ]
}
