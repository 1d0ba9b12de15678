// The words of a thread of comments: folded under its first words once it is resolved.

import type { ComponentChildren } from 'preact'
import { formatCount } from '../../format.js'
import { Badge } from '../states/badge.js'
import { Disclosure } from '../states/disclosure.js'

interface FoldResolvedProps {
  first: { resolvedAt: string | null; text: string; author: { label: string } }
  answers: number
  children: ComponentChildren
}

const MAX_SHOWN = 80

export function FoldResolved({ first: { resolvedAt, text, author }, answers, children }: FoldResolvedProps) {
  if (resolvedAt === null) return <>{children}</>
  const title = (
    <>
      <Badge state="ok">resolved</Badge> <bdi>{author.label}</bdi>: <q dir="auto">{shorten(text)}</q>{' '}
      {answers > 0 && <span class="hint">{formatCount(answers, 'answer')}</span>}
    </>
  )
  return <Disclosure title={title}>{children}</Disclosure>
}

function shorten(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`
}
