// Asks for the new path of a file, and moves it. Nothing leads from the old address, so the dialog names those who use the file.

import { useState } from 'preact/hooks'
import { dataOf, type Site, siteApi, type StoredFile } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import { formatCount } from '../../format.js'
import { Button } from '../../parts/controls/button.js'
import { Field } from '../../parts/controls/field.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { notify } from '../../parts/overlays/notices.js'
import { Await } from '../../parts/states/await.js'
import { Refusal } from '../../parts/states/refusal.js'
import { useFileUsers } from './use-file-users.js'

interface MoveFileProps {
  site: Site
  file: StoredFile
  onClose: () => void
  onChanged: () => void
}

export function MoveFile({ site, file, onClose, onChanged }: MoveFileProps) {
  const [to, setTo] = useState(file.path)
  const [refusal, setRefusal] = useState<string>()
  const users = useFileUsers(site, file)
  const wanted = to.trim()
  const move = async () => {
    setRefusal(undefined)
    try {
      const header = { 'If-Match': `"${file.oid}"` }
      const body = { from: file.path, to: wanted }
      dataOf(await siteApi(site).POST('/files/move', { params: { header }, body }))
      notify(`${file.path} is now ${wanted}.`)
      onChanged()
      onClose()
    } catch (error) {
      setRefusal(asError(error).message)
    }
  }
  return (
    <Dialog
      title={`Rename or move ${file.path}`}
      onClose={onClose}
      onSubmit={move}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" disabled={wanted === file.path || wanted === ''}>
            Move
          </Button>
        </>
      }
    >
      <Field label="New path" hint={`Now at ${file.path}`} value={to} onValue={setTo} autofocus required />
      <Await of={users}>
        {({ paths, isWhole }) => (
          <p class={paths.length === 0 && isWhole ? 'hint' : 'hint wrong'} role="status">
            {paths.length === 0 ? 'No page that was looked at uses it.' : usedIn(paths)}
          </p>
        )}
      </Await>
      <Refusal of={refusal} />
    </Dialog>
  )
}

function usedIn(paths: readonly string[]): string {
  return `${formatCount(paths.length, 'page')} would look for it at the old path: ${paths.join(', ')}`
}
