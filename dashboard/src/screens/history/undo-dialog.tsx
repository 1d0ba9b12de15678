// The dialog that undoes commits of a site: it first says what would change, and links to a preview.

import { useState } from 'preact/hooks'
import { api, dataOf, type Undo } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { formatCount } from '../../format.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { Field } from '../../parts/controls/field.js'
import { Form } from '../../parts/controls/form.js'
import { notifyFailure } from '../../parts/overlays/notices.js'
import { Await } from '../../parts/states/await.js'
import { Button } from '../../parts/controls/button.js'

type DryRun = NonNullable<Undo['dryRun']>
type FileChange = DryRun['files'][number]

/** The service names so many files; there may be more. */
const MAX_FILES = 1_000

interface UndoDialogProps {
  site: { id: string }
  /** The ids of the commits. */
  commits: string[]
  title: string
  /** Says which change it is. */
  about?: string
  /** Label of the button. */
  label: string
  /** Shown if the commits change nothing any more. */
  nothing: string
  onUndo: (reason: { reason?: string }) => Promise<void>
  onClose: () => void
}

export function UndoDialog({ site, commits, title, about, label, nothing, onUndo, onClose }: UndoDialogProps) {
  const tried = useLoaded<Undo>(`undo of ${commits.join(' ')}`, async (signal) => {
    const params = { path: { id: site.id }, query: { dryRun: true } }
    return dataOf(await api.POST('/sites/{id}/undo', { params, body: { commits }, signal }))
  })
  const [reason, setReason] = useState('')
  const undo = async () => {
    await onUndo(reason === '' ? {} : { reason }).catch(notifyFailure)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {about !== undefined && <p dir="auto">{about}</p>}
      <Await of={tried}>
        {({ changed, dryRun }) =>
          changed && dryRun ? (
            <Form onSubmit={undo}>
              <Outcome of={dryRun} />
              <Field
                label="Why?"
                hint="Optional; others read it in the history."
                value={reason}
                onValue={setReason}
                autofocus
              />
              <Button type="submit" kind="main">
                {label}
              </Button>
            </Form>
          ) : (
            <p>{nothing}</p>
          )
        }
      </Await>
    </Dialog>
  )
}

/** Says what changes, and links to a preview. */
function Outcome({ of: { files, previewUrl } }: { of: DryRun }) {
  return (
    <>
      <p>All of it changes at once. Nothing is lost: every version stays in the history.</p>
      <ul aria-label="What changes">
        {outcomes(files).map((outcome) => (
          <li key={outcome}>{outcome}</li>
        ))}
      </ul>
      {previewUrl !== null && (
        <p>
          <a href={previewUrl} target="_blank" rel="noopener noreferrer">
            Look at a preview ↗
          </a>
        </p>
      )}
    </>
  )
}

/** Returns what happens to pages and to other files, such as “2 pages go offline”. */
function outcomes(files: readonly FileChange[]): string[] {
  // The files of `.pages/` belong to pages.
  const told = files.filter(({ path }) => !path.startsWith('.pages/'))
  const count = (isWanted: (path: string) => boolean, wanted: FileChange['change']) =>
    told.filter(({ path, change }) => change === wanted && isWanted(path)).length
  const isOther = (path: string) => !isPage(path)
  const counted: [count: number, noun: string, one: string, many: string][] = [
    [count(isPage, 'removed'), 'page', 'goes offline', 'go offline'],
    [count(isPage, 'modified'), 'page', 'changes', 'change'],
    [count(isPage, 'added'), 'page', 'comes back', 'come back'],
    [count(isOther, 'removed'), 'file', 'is removed', 'are removed'],
    [count(isOther, 'modified'), 'file', 'changes', 'change'],
    [count(isOther, 'added'), 'file', 'comes back', 'come back'],
  ]
  const texts = counted
    .filter(([number]) => number > 0)
    .map(([number, noun, one, many]) => `${formatCount(number, noun)} ${number === 1 ? one : many}`)
  if (texts.length === 0) return ['Only settings of pages change, such as their titles']
  return files.length < MAX_FILES ? texts : [...texts, 'These are the first files: there may be more']
}

/** Records in `collections/` are JSON, and names that begin with a dot are never served. */
function isPage(path: string): boolean {
  return path.endsWith('.html') && !path.split('/').some((name) => name.startsWith('.'))
}
