// The message of a version: the author's reason first, then the change.

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
      <span>{withVersionNumber(subject, versions)}</span>
      {note !== '' && <span class="hint">{withVersionNumber(note, versions)}</span>}
    </span>
  )
}

/** Replaces a commit by the number of its version, as in `Roll back /about to 8040d1bc07`: people know the number. */
function withVersionNumber(text: string, versions: readonly Version[]): string {
  return text.replace(/(?<= to )[0-9a-f]{10}$/, (oid) => {
    const target = versions.find(({ id }) => id.startsWith(oid))
    return target === undefined ? oid : `version ${target.number}`
  })
}
