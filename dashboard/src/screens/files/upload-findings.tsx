// The files that an upload left out, with their reasons.

import { formatCount } from '../../format.js'
import { Dialog } from '../../parts/overlays/dialog.js'

export interface LeftOutFile {
  path: string
  message: string
}

/** The most files that are named. The next upload names the others. */
const MAX_SHOWN = 50

/** The dialog after an upload that left files out. It names them with their reasons, until a person closes it. */
export function LeftOut({ files, onClose }: { files: readonly LeftOutFile[]; onClose: () => void }) {
  if (files.length === 0) return null
  return (
    <Dialog title={`${formatCount(files.length, 'file')} left out`} onClose={onClose}>
      <p>The site cannot take these; all others are published. Put these right and upload them again:</p>
      <ul class="findings">
        {files.slice(0, MAX_SHOWN).map(({ path, message }) => (
          <li key={path}>
            <code>{path}</code>
            <p>{message}</p>
          </li>
        ))}
      </ul>
      {files.length > MAX_SHOWN && <p class="hint">and {formatCount(files.length - MAX_SHOWN, 'more file')}</p>}
    </Dialog>
  )
}
