// The acts on pages of the list, each in its dialog. The code is loaded when a person first does one of them.

import type { Site } from '../../../api/client.js'
import type { Act } from './act.js'
import { DuplicateDialog } from './duplicate-dialog.js'
import { MoveFolderDialog, MoveToFolderDialog, RenameDialog } from './move-dialog.js'
import { UnpublishDialog } from './unpublish-dialog.js'

interface PageActProps {
  site: Site
  act: Act
  onClose: () => void
  onChanged: () => void
}

export function PageAct({ act, ...rest }: PageActProps) {
  if (act.does === 'move folder') return <MoveFolderDialog {...rest} folder={act.folder} />
  const props = { ...rest, pages: act.pages }
  if (act.does === 'unpublish') return <UnpublishDialog {...props} />
  if (act.does === 'move') return <MoveToFolderDialog {...props} />
  return act.does === 'rename' ? <RenameDialog {...props} /> : <DuplicateDialog {...props} />
}
