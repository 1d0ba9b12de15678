// One comment, as a reviewer and a guest read it: who wrote it and when, the place that it is about, and its words.

import type { ComponentChildren } from 'preact'
import type { DataOf } from '../../../../src/protocols/client/client.js'
import { Age } from '../states/age.js'
import { Avatar } from '../states/avatar.js'
import { Badge } from '../states/badge.js'

/** A guest is not told whether a comment asks for changes. */
type SaidComment = DataOf<'/guest/review', 'post'>['comments'][number] & { asksForChanges?: boolean }

interface SaidProps {
  comment: SaidComment
  /** Its place. Left out: its path and its quoted words. */
  place?: ComponentChildren
  /** The acts on it. */
  children?: ComponentChildren
}

export function Said({ comment, place, children }: SaidProps) {
  const { author, createdAt, editedAt, outdated, text, inReplyTo, asksForChanges = false } = comment
  const isFirst = inReplyTo === null
  return (
    <div class={isFirst ? 'said' : 'said answer'}>
      <p class="bar">
        <Avatar name={author.label} isAgent={author.kind === 'agent'} isKey={author.kind === 'key'} />
        <b dir="auto">{author.label}</b>
        {author.kind === 'guest' && <Badge>guest</Badge>}
        <span class="hint">
          <Age of={createdAt} />
          {editedAt !== null && ', changed since'}
        </span>
        {asksForChanges && <Badge state="danger">asks for changes</Badge>}
        {outdated && <Badge title="The change was written to since.">on an older text</Badge>}
        {children}
      </p>
      {isFirst && (place ?? <PlaceOf comment={comment} />)}
      <p class="words" dir="auto">
        {text}
      </p>
    </div>
  )
}

function PlaceOf({ comment: { path, quote } }: { comment: SaidComment }) {
  if (path === null) return null
  return (
    <p class="hint" dir="auto">
      {path}
      {quote !== null && (
        <>
          : <q>{quote.exact}</q>
        </>
      )}
    </p>
  )
}
