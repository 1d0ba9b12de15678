// Moves pages, or a folder: asks where to, shows which pages link there, then moves with or without their links.

import { useState } from 'preact/hooks'
import type { Site } from '../../../api/client.js'
import { asError } from '../../../api/use-loaded.js'
import { Button } from '../../../parts/controls/button.js'
import { Field } from '../../../parts/controls/field.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { Refusal } from '../../../parts/states/refusal.js'
import { folderOf } from '../folders.js'
import { LinkingPages } from './linking-pages.js'
import { moveFolder, movePages, notifyDone, type Shown, tryFolderMove, tryMoves } from './page-changes.js'
import { type ActProps, nameOf } from './unpublish-dialog.js'

/** Asks for the whole new path of one page. */
export function RenameDialog({ site, pages, ...rest }: ActProps) {
  const [page] = pages
  if (page === undefined) return null
  return (
    <MoveForm
      {...rest}
      site={site}
      title={`Rename or move ${nameOf(pages)}`}
      label="New address"
      from={page.path}
      look={(to) => tryMoves(site, [{ page, to }])}
      move={(to, isRewritten) => movePages(site, [{ page, to }], isRewritten)}
    />
  )
}

/** Asks for a folder for pages, which keep their last segment. */
export function MoveToFolderDialog({ site, pages, ...rest }: ActProps) {
  const movesTo = (folder: string) =>
    pages.map((page) => ({ page, to: `${asFolder(folder)}${lastSegmentOf(page.path)}` }))
  return (
    <MoveForm
      {...rest}
      site={site}
      title={`Move ${nameOf(pages)} to a folder`}
      label="Folder"
      from={folderOf(pages[0]?.path ?? '/')}
      look={(to) => tryMoves(site, movesTo(to))}
      move={(to, isRewritten) => movePages(site, movesTo(to), isRewritten)}
    />
  )
}

/** Moves all that is in a folder, files too. */
export function MoveFolderDialog({ site, folder, ...rest }: Omit<ActProps, 'pages'> & { folder: string }) {
  return (
    <MoveForm
      {...rest}
      site={site}
      title={`Rename or move the folder ${folder}`}
      label="New address of the folder"
      from={folder}
      look={(to) => tryFolderMove(site, { from: folder, to: asFolder(to) })}
      move={(to, isRewritten) => moveFolder(site, { from: folder, to: asFolder(to) }, isRewritten)}
    />
  )
}

interface MoveFormProps {
  site: Site
  title: string
  label: string
  from: string
  look: (to: string) => Promise<Shown>
  move: (to: string, isRewritten: boolean) => Promise<string[]>
  onClose: () => void
  onChanged: () => void
}

/** The first step looks, the second one moves. Another address begins again. */
function MoveForm({ site, title, label, from, look, move, onClose, onChanged }: MoveFormProps) {
  const [to, setTo] = useState(from)
  const [shown, setShown] = useState<Shown>()
  const [isRewritten, setRewritten] = useState(true)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const submit = async () => {
    setRefusal(undefined)
    setBusy(true)
    try {
      if (shown === undefined) setShown(await look(to.trim()))
      else {
        const commits = await move(to.trim(), isRewritten && shown.linking.length > 0)
        notifyDone(site, `Moved to ${to.trim()}. The old address leads there.`, commits, onChanged)
        onChanged()
        onClose()
      }
    } catch (error) {
      setRefusal(asError(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" isBusy={isBusy} disabled={to.trim() === from || to.trim() === ''}>
            {shown === undefined ? 'Check the links' : 'Move'}
          </Button>
        </>
      }
    >
      <Field
        label={label}
        hint={`Now at ${from}`}
        value={to}
        onValue={(next) => {
          setTo(next)
          setShown(undefined)
        }}
        autofocus
        required
      />
      {shown && <LinkingPages shown={shown} isRewritten={isRewritten} onRewrite={setRewritten} />}
      <Refusal of={refusal} />
    </Dialog>
  )
}

function asFolder(text: string): string {
  const begun = text.startsWith('/') ? text : `/${text}`
  return begun.endsWith('/') ? begun : `${begun}/`
}

/** `/docs/install` gives `install`, `/docs/` gives `docs/`, `/` gives the empty text. */
function lastSegmentOf(path: string): string {
  return /[^/]*\/?$/.exec(path)?.[0].replace(/^\/$/, '') ?? ''
}
