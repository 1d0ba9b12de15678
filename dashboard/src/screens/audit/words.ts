// Says in a sentence what an entry of the audit log records: `Made Grace an editor`. The details of the entry keep the ids.

import type { AuditEntry } from '../../api/answers.js'

/** Names the site with this id. */
type SiteNames = (ids: readonly string[]) => string

interface Told {
  /** The name of the person or thing that it was done to. */
  about: string
  /** The site that it was done in. */
  site: string
  details: Readonly<Record<string, unknown>>
}

const SENTENCES: Readonly<Record<string, string | ((told: Told) => string)>> = {
  'session.begin': ({ details }) => `Signed in${MEANS[String(details['means'])] ?? ''}`,
  'session.end': 'Ended a session',
  'session.end_all': ({ about, details }) => {
    if (about !== '') return `Signed ${about} out everywhere`
    return details['others'] === true ? 'Ended all other sessions' : 'Ended all sessions'
  },
  'sign-in-link.create': 'Made a sign-in link on the server',
  'user.rename': 'Took another name',
  'passkey.add': 'Added a passkey',
  'passkey.remove': 'Removed a passkey',
  'passkey.refuse': 'Refused a passkey that looks copied',
  'identity.add': 'Added an account at a provider',
  'identity.remove': 'Removed an account at a provider',
  'member.add': ({ details }) => `Joined as ${aRole(details['role'])}`,
  'member.change': ({ about, details }) => {
    const role = (details['after'] as { role?: unknown } | null)?.role
    return role === undefined
      ? `Changed the role of ${about || 'somebody'}`
      : `Made ${about || 'somebody'} ${aRole(role)}`
  },
  'member.remove': ({ about }) => `Removed ${about || 'somebody'}`,
  'member.leave': 'Left the workspace',
  'member.sign_in_link': ({ about }) => `Made a sign-in link for ${about || 'somebody'}`,
  'invitation.create': ({ details }) => `Invited somebody as ${aRole(details['role'])}`,
  'invitation.revoke': 'Took an invitation back',
  'mail-domain.set': ({ about }) => `Let the people of ${about} join`,
  'mail-domain.remove': ({ about }) => `Stopped the people of ${about} from joining`,
  'key.create': ({ about }) => `Made the key ${about}`.trim(),
  'key.revoke': ({ about }) => `Revoked the key ${about}`.trim(),
  'key.rotate': ({ about }) => `Renewed the key ${about}`.trim(),
  'key.take': ({ about }) => `Took over the key ${about}`.trim(),
  'agent.connect': ({ about }) => `Connected ${about || 'an agent'}`,
  'agent.disconnect': ({ about }) => `Disconnected ${about || 'an agent'}`,
  'site.create': ({ site }) => `Made the site ${site}`,
  'site.change': ({ site }) => `Changed the settings of ${site}`,
  'site.delete': ({ site }) => `Deleted the site ${site}`,
  'site.import': ({ site }) => `Began to import the site ${site}`,
  'site.cancel-import': ({ site }) => `Stopped the import of the site ${site}`,
  'mirror.set': ({ site }) => `Set the mirror of ${site}`,
  'mirror.remove': ({ site }) => `Switched off the mirror of ${site}`,
  'link.create': 'Made a link to look at a site',
  'link.delete': 'Ended a link to look at a site',
  'change-request.approve': 'Approved a change request',
  'change-request.publish': 'Published a change request',
  'change-request.state': ({ details }) => STATES[String(details['state'])] ?? 'Changed the state of a change request',
  'change-request.schedule': 'Set the time at which a change request is published',
  'change-request.unschedule': 'Took back the time of a change request',
  'change-request.hold': 'Held a change request at its time',
  'comment.create': 'Commented',
  'comment.change': 'Changed a comment',
  'comment.delete': 'Deleted a comment',
  'version.withdraw': 'Withdrew a version of a page',
  'workspace.create': 'Made the workspace',
  'workspace.quota': 'Changed the limits of the workspace',
  'protection.set': ({ site }) => `Changed who publishes in ${site}`,
  'protection.emergency': ({ site }) => `Took the newest change of ${site} back without an approval`,
  'protection.push_by_path': ({ site }) => `Pushed to ${site} on the server, past its protection`,
  'audit.erase': 'Erased what this log said about a person',
  'service.restore': 'Restored the service from a backup',
  'service.recover': 'Repaired the lists of people, keys and sites',
  'signing.rotate': 'Took a new key to sign with',
  'signing.revoke': 'Revoked a key to sign with',
}

const STATES: Readonly<Record<string, string>> = {
  review: 'Asked for a review of a change request',
  draft: 'Took a change request back for more work',
  closed: 'Closed a change request',
}

const MEANS: Readonly<Record<string, string>> = {
  link: ' by a link',
  passkey: ' with a passkey',
  provider: ' at a provider',
}

export function sentenceOf(entry: AuditEntry, namesOf: SiteNames): string {
  const { action, details } = entry
  // Older entries have another sign between the words.
  const sentence = SENTENCES[action.replace('end-all', 'end_all')]
  if (typeof sentence === 'string') return sentence
  const told = toldBy(entry, namesOf)
  return sentence?.({ ...told, details: { ...details } }) ?? `${told.about} ${action.replaceAll(/[._-]/g, ' ')}`.trim()
}

function toldBy({ target, personal, details }: AuditEntry, namesOf: SiteNames): Omit<Told, 'details'> {
  const [kind = '', id = ''] = target.split(' ')
  const { slug } = details as { slug?: unknown }
  const site = typeof slug === 'string' ? slug : kind === 'site' ? namesOf([id]) : 'a site'
  return { about: personal?.about ?? (kind === 'mail-domain' ? id : ''), site }
}

function aRole(role: unknown): string {
  const word = String(role)
  return /^[aeo]/.test(word) ? `an ${word}` : `a ${word}`
}
