// Says in a person's words what made a version: “went back to version 1”.

import { readChange } from '../../../../src/model/change-words.js'
import type { Version } from '../../api/client.js'

const WORDS: Readonly<Record<Version['action'], string>> = {
  publish: 'published the page',
  replace: 'changed the page',
  unpublish: 'took the page down',
  rollback: 'went back to an earlier version',
  revert: 'took a change back',
  move: 'moved the page',
}

/** `versions` are the loaded ones: they map a commit to its number. */
export function wordsOfVersion(version: Version, versions: readonly Version[]): string {
  const { action, message } = version
  if (action === 'rollback') {
    const [, oid] = /^Roll back .* to ([0-9a-f]+)$/m.exec(message) ?? []
    const target = oid === undefined ? undefined : versions.find(({ id }) => id.startsWith(oid))
    if (target !== undefined) return `went back to version ${target.number}`
  }
  const { done } = readChange(message)
  if (action === 'move' && done?.before === 'moved') return `moved the page from ${done.thing} ${done.after}`
  if (done?.after === 'another title') return 'gave the page another title'
  return WORDS[action]
}
