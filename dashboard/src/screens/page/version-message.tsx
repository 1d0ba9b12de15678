// The message of a version's author: the note first, then the change.

import type { Version } from '../../api/client.js'

interface VersionMessageProps {
  version: Version
  /** The loaded versions of the page. They map a commit to its number. */
  versions: readonly Version[]
}

export function VersionMessage({ version, versions }: VersionMessageProps) {
  const [subject = '', ...body] = version.message.split('\n')
  const note = body
    .filter((line) => !/^This reverts commit [0-9a-f]+\.$/.test(line))
    .join('\n')
    .trim()
  return (
    <span class="message">
      {note !== '' && <span>{note}</span>}
      <span class={note === '' ? '' : 'hint'}>{withVersionNumber(subject, versions)}</span>
    </span>
  )
}

/** Replaces a commit by the number of its version, as in `Roll back /about to 8040d1bc07`: people know the number. */
function withVersionNumber(subject: string, versions: readonly Version[]): string {
  return subject.replace(/(?<= to )[0-9a-f]{10}$/, (oid) => {
    const target = versions.find(({ id }) => id.startsWith(oid))
    return target === undefined ? oid : `version ${target.number}`
  })
}
