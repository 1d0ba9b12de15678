// A change as git knows it: the commit, its signature, its message, and the command that shows it.

import type { ComponentChildren } from 'preact'
import type { Commit } from '../../api/client.js'
import { formatTime } from '../../format.js'
import { Facts } from '../../parts/lists/facts.js'
import { Command } from '../../parts/states/command.js'
import { Disclosure } from '../../parts/states/disclosure.js'

const SIGNATURES: Readonly<Record<Commit['verified'], string>> = {
  service: 'Made and signed by this service',
  other: 'Signed by a key that this service does not know',
  none: 'None',
}

interface ForDevelopersProps {
  commit: Pick<Commit, 'id' | 'message' | 'verified' | 'createdAt'> & Partial<Pick<Commit, 'parent' | 'tags' | 'push'>>
}

export function ForDevelopers({ commit }: ForDevelopersProps) {
  return (
    <Disclosure title="Details for developers" class="for-developers">
      <Facts facts={factsOf(commit)} />
      <Command text={`git show ${commit.id.slice(0, 10)}`} />
    </Disclosure>
  )
}

function factsOf({ id, message, verified, createdAt, parent, tags = [], push }: ForDevelopersProps['commit']) {
  const facts: [string, ComponentChildren][] = [['Commit', <code>{id}</code>]]
  if (parent != null) facts.push(['Parent', <code>{parent}</code>])
  facts.push(['Time', formatTime(createdAt)], ['Signature', SIGNATURES[verified]])
  if (tags.length > 0) facts.push(['Tags', tags.join(', ')])
  if (push != null) {
    const said = push.message === null ? '' : `: ${push.message}`
    facts.push(['Pushed by', `${push.author}, ${formatTime(push.createdAt)}${said}`])
  }
  facts.push(['Message', <span class="message">{message}</span>])
  return facts
}
