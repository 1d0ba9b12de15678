// The dialog for a page in which somebody else changed the same lines since the draft began. It shows both texts, and the choices.

import type { Page } from '../../../api/client.js'
import { Comparison } from '../../../editor/editor.js'
import { formatAge } from '../../../format.js'
import { Button } from '../../../parts/controls/button.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import type { Draft } from '../use-draft.js'
import { noteSeen } from './live-conflict.js'
import type { Act } from './use-draft-acts.js'

const GONE = 'Somebody else unpublished this page'

interface ConflictProps {
  draft: Draft
  /** Others only save. */
  mayPublish: boolean
  /** Publishes the draft. */
  onPublish: (act: Act) => Promise<void>
  /** Deletes the draft, and shows the live page. */
  onEnd: () => Promise<void>
}

export function Conflict({ draft, mayPublish, onPublish, onEnd }: ConflictProps) {
  const { conflict, html, request } = draft
  if (conflict === undefined) return null
  const { theirs, authors, both } = conflict
  // Without a draft the text began with a live version.
  const isGone = theirs.status !== 'published'
  const isWithLive = conflict.live !== undefined || request === undefined
  const publishWord = isGone ? 'Publish mine' : 'Publish mine over it'
  const close = () => draft.setConflict(undefined)
  const takeBoth = (text: string) => {
    if (request !== undefined) noteSeen(request.id, conflict)
    draft.replace(text, conflict.live === undefined ? theirs.etag : draft.baseEtag)
    close()
  }
  const takeMine = async () => {
    close()
    if (request !== undefined) noteSeen(request.id, conflict)
    if (conflict.live === undefined) await draft.save({ over: theirs.etag })
    if (isWithLive && mayPublish) await onPublish('Publish')
  }
  const takeTheirs = async () => {
    close()
    if (isWithLive) await onEnd()
    else showTheirs(draft, theirs)
  }
  return (
    <Dialog title={isGone ? GONE : 'The same lines were changed meanwhile'} onClose={close} wide>
      {isGone ? (
        <p>Your text is kept. Publishing it puts the page back at its address, with its history.</p>
      ) : (
        <p>
          Version {theirs.version.number} by {authors} was {isWithLive ? 'published' : 'saved'}{' '}
          {formatAge(theirs.updatedAt)}. {isWithLive ? 'The live text' : 'That text'} is on the left, yours on the
          right.{' '}
          {both !== undefined && 'Put both into the editor to choose at each such place: their other lines stay.'}
        </p>
      )}
      <Comparison before={theirs.html ?? ''} after={html} layout="side by side" />
      <div class="bar">
        {both !== undefined && (
          <Button kind="main" autofocus onClick={() => takeBoth(both)}>
            Put both into the editor
          </Button>
        )}
        <Button onClick={() => void takeMine()}>{isWithLive && mayPublish ? publishWord : 'Save mine over it'}</Button>
        <Button onClick={() => void takeTheirs()}>{isGone ? 'Delete mine' : 'Take theirs'}</Button>
      </div>
    </Dialog>
  )
}

function showTheirs(draft: Draft, theirs: Page): void {
  draft.replace(theirs.html ?? '', theirs.etag)
  draft.open({ page: theirs })
}
