// Words change requests, and answers of writes that went to one.

import { dryRunLines } from './change-text.js'
import { json, quoted, word } from './untrusted-text.js'

type Fields = Record<string, unknown>

/** The change request that a write went to. */
export interface WrittenRequest {
  id: string
  number?: number
}

interface Approval {
  commit: string
  label: string
}

interface Change {
  path: string
  change: string
  page: { path: string } | null
}

interface Author {
  label: string
  kind: string
}

interface Conflict {
  path: string
  reason: string
}

/** The changes, conflicts and comments are there only for one that is read by itself. */
export function requestText(request: Fields): string {
  const { id, number, title, state, author, head, approvals, published, updatedAt, publishAt, heldReason } = request
  const asked = request['changesAsked'] === true ? ', changes asked' : ''
  const valid = (approvals as Approval[]).filter(({ commit }) => commit === head).map(({ label }) => quoted(label))
  const approved = valid.length === 0 ? '' : `, approved by ${valid.join(' ')}`
  const commit = typeof published === 'string' ? ` as the commit ${published}` : ''
  const later =
    typeof publishAt === 'string' && typeof heldReason !== 'string' ? `, to be published at ${publishAt}` : ''
  const line = `number=${String(number)} ${String(state)}${commit} id=${String(id)} head=${String(head)} changed at ${String(updatedAt)} by ${quoted(String(author))}${approved}${asked}${later} ${quoted(String(title))}`
  const held = typeof heldReason === 'string' ? [`  Not published at its time: ${quoted(heldReason)}`] : []
  return [line, ...held, ...changeLines(request)].join('\n')
}

function changeLines({ changes, hasMore, conflicts = [], ...others }: Fields): string[] {
  const comments = (others['comments'] ?? []) as Fields[]
  const named = ((changes ?? []) as Change[]).map(
    ({ path, change, page }) => `  ${change} ${page === null ? word(`/${path}`) : word(page.path)}`,
  )
  const lines = [...new Set(named)]
  if (changes !== undefined) lines.unshift(lines.length === 0 ? 'It changes nothing yet.' : 'It changes:')
  return [
    ...lines,
    ...(hasMore === true ? ['  … and more'] : []),
    ...conflictLines(conflicts as Conflict[]),
    ...comments.map(commentText),
  ]
}

/** The text is somebody else's: it stands between quotes, in its own line. */
export function commentText({ id, text, author, path, quote, inReplyTo, asksForChanges, outdated }: Fields): string {
  const { label, kind } = author as Author
  const facts = [
    typeof inReplyTo === 'string' ? `  Answer to ${inReplyTo}` : `Comment id=${String(id)}`,
    ...(typeof path === 'string' ? [`on ${word(path)}`] : []),
    ...(quote === null ? [] : [`about ${quoted((quote as { exact: string }).exact)}`]),
    ...(outdated === true ? ['on an older commit'] : []),
    ...(asksForChanges === true ? ['asks for changes'] : []),
    `by ${kind === 'person' ? '' : `${kind} `}${quoted(label)}:`,
  ]
  return `${facts.join(' ')} ${json(text)}`
}

function conflictLines(conflicts: readonly Conflict[]): string[] {
  return conflicts.map(({ path, reason }) => `Conflict with what is live: ${word(path)} ${reason}`)
}

export function updatedRequestText({ changed, commit, conflicts }: Fields): string {
  const lines = conflictLines(conflicts as Conflict[])
  if (lines.length > 0)
    return [
      ...lines,
      'Nothing was changed. Send each path in ours or in theirs; a path that you wrote anew goes in ours.',
    ].join('\n')
  return changed === true ? `It is up to date, in the commit ${String(commit)}.` : 'It was up to date already.'
}

export function publishedRequestText({ number, commit, dryRun, publishAt }: Fields): string {
  const name = `change request ${String(number)}`
  if (dryRun !== undefined) return [`Dry run: would publish ${name}.`, ...dryRunLines(dryRun)].join('\n')
  if (typeof publishAt === 'string')
    return `Not live yet: ${name} is published at ${publishAt}. Another commit in it before then holds it.`
  return `Published ${name}, live as the commit ${String(commit)}. revert_commits takes all of it back.`
}

/** Says that a write is not live, where it went, and what to do next. */
export function writtenRequestLines({ changeRequest }: Fields): string[] {
  if (changeRequest === undefined) return []
  const { id, number } = changeRequest as WrittenRequest
  const name = number === undefined ? 'a change request' : `change request ${number}`
  return [
    `Not live yet: it is in ${name}. Read and go on there with changeRequest="${id}". When it is complete, set its title and state="review" with edit_change_request, and tell the user, who publishes it.`,
  ]
}
