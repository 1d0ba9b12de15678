// The dialog that reverts a commit of a site: it first says what would change, and links to a preview.

import { useState } from 'preact/hooks'
import { api, type Commit, dataOf, type Site, type Undo } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { formatCount } from '../../format.js'
import { Dialog } from '../../parts/dialog.js'
import { Field } from '../../parts/field.js'
import { Form } from '../../parts/form.js'
import { notifyFailure } from '../../parts/notices.js'
import { Await } from '../../parts/state.js'

type DryRun = NonNullable<Undo['dryRun']>
type FileChange = DryRun['files'][number]

/** The service names so many files; there may be more. */
const MAX_FILES = 1_000

interface RevertCommitProps {
  site: Site
  commit: Commit
  onClose: () => void
  /** Gets the commit that the revert made. */
  onDone: (made: Commit) => void
}

export function RevertCommit({ site, commit, onClose, onDone }: RevertCommitProps) {
  const params = { path: { id: site.id } }
  const tried = useLoaded<Undo>(`revert of ${commit.id}`, async (signal) => {
    const body = { commits: [commit.id] }
    return dataOf(await api.POST('/sites/{id}/undo', { params: { ...params, query: { dryRun: true } }, body, signal }))
  })
  const [reason, setReason] = useState('')
  const revert = async () => {
    try {
      const body = { commit: commit.id, ...(reason !== '' && { reason }) }
      onDone(dataOf(await api.POST('/sites/{id}/revert', { params, body })))
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <Dialog title={`Revert “${commit.subject}”`} onClose={onClose}>
      <Await of={tried}>
        {({ changed, dryRun }) =>
          changed && dryRun ? (
            <Form onSubmit={revert}>
              <Outcome of={dryRun} />
              <Field
                label="Reason"
                hint="Optional; shown in the history."
                value={reason}
                onValue={setReason}
                autofocus
              />
              <button type="submit" class="main">
                Revert
              </button>
            </Form>
          ) : (
            <p>There is nothing left to revert.</p>
          )
        }
      </Await>
    </Dialog>
  )
}

/** Says what changes, and links to a preview. */
export function Outcome({ of: { files, previewUrl } }: { of: DryRun }) {
  return (
    <>
      <p>The whole site changes at once. All versions stay in the history.</p>
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
