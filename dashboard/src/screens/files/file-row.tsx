// One file as a row: its picture, path, size and age, and the menu of what can be done to it.

import type { Site, StoredFile } from '../../api/client.js'
import { formatBytes } from '../../format.js'
import { copyAddress } from '../../parts/controls/copy-address.js'
import { Menu, type MenuItem } from '../../parts/overlays/menu.js'
import { useMay } from '../../parts/rights/allowed.js'
import { PathInLine } from '../../parts/states/path-text.js'
import { Age } from '../../parts/states/age.js'
import { Thumbnail } from './thumbnail.js'

/** The choices of the menu. Deleting begins in the details, which tell who uses the file. */
export type FileAct = 'details' | 'move' | 'history'

interface FileRowProps {
  site: Site
  file: StoredFile
  onAct: (act: FileAct) => void
}

export function FileRow({ site, file, onAct }: FileRowProps) {
  const mayWrite = useMay()('write')
  return (
    <div class="row">
      <button type="button" class="row plain" onClick={() => onAct('details')}>
        <Thumbnail site={site} file={file} />
        <span class="row-main">
          <strong>
            <PathInLine of={file.path} />
          </strong>
          <span class="hint">{file.url === null ? 'rules of the site' : file.mediaType}</span>
        </span>
        <span class="hint">{formatBytes(file.size)}</span>
        <span class="hint wide-only">
          <Age of={file.updatedAt} />
        </span>
      </button>
      <Menu label={`What to do with ${file.path}`} items={itemsOf(file, mayWrite, onAct)} />
    </div>
  )
}

function itemsOf({ url }: StoredFile, mayWrite: boolean, onAct: FileRowProps['onAct']): (MenuItem | null)[] {
  const ofAddress: MenuItem[] =
    url === null
      ? []
      : [
          { label: 'Open', icon: 'open', href: url, isNewTab: true },
          { label: 'Copy address', icon: 'link', run: () => void copyAddress(url) },
        ]
  const changes: (MenuItem | null)[] = [
    null,
    // The service reads rules under their own names alone.
    ...(url === null ? [] : [{ label: 'Rename or move…', icon: 'folder' as const, run: () => onAct('move') }]),
    { label: 'Delete…', icon: 'delete', isRisky: true, run: () => onAct('details') },
  ]
  return [
    ...ofAddress,
    { label: 'Details', icon: 'info', run: () => onAct('details') },
    { label: 'History', icon: 'history', run: () => onAct('history') },
    ...(mayWrite ? changes : []),
  ]
}
