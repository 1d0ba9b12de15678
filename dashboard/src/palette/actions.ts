// The actions that the role of the person allows: in the service, and in each site.

import type { Me, Site } from '../api/client.js'
import { leave } from '../api/session.js'
import { nameOfSite } from '../format.js'
import type { IconName } from '../parts/icons.js'
import { partsFor } from '../screens/settings/parts.js'
import type { Option } from './option.js'

/** Actions of the whole service. */
export function generalActions(me: Me, onHelp: () => void): readonly Option[] {
  const isAdmin = me.scopes.includes('admin')
  const isPerson = me.person !== null
  return [
    goTo('All sites', '/', 'home'),
    goTo('Reviews', '/reviews', 'check'),
    ...when(isAdmin, goTo('Invite a person', '/members?invite=1', 'add'), goTo('Members', '/members', 'people')),
    goTo('New API key', '/keys?new=1', 'add'),
    goTo('API keys', '/keys', 'key'),
    ...when(isPerson, goTo('Agents', '/agents', 'agent')),
    ...when(isAdmin && me.key.sites === null, goTo('Audit log', '/audit', 'history')),
    ...when(isPerson, goTo('My profile', '/profile', 'person')),
    act('Keyboard shortcuts', 'info', onHelp),
    act('API reference', 'open', () => open('/docs', '_blank', 'noopener')),
    act('Sign out', 'leave', () => leave(false)),
  ]
}

/** Actions in one site. Those of the shown site come first. */
export function siteActions(site: Site, me: Me): readonly Option[] {
  const { slug } = site
  const name = nameOfSite(site)
  const root = `/sites/${slug}`
  return [
    ...when(me.scopes.includes('write'), goTo(`New page in ${name}`, `${root}/new`, 'add')),
    goTo(`Files of ${name}`, `${root}/files`, 'file'),
    goTo(`Reviews of ${name}`, `${root}/reviews`, 'check'),
    goTo(`History of ${name}`, `${root}/history`, 'history'),
    goTo(`Collections of ${name}`, `${root}/collections`, 'data'),
    goTo(`Checks of ${name}`, `${root}/checks`, 'check'),
    ...partsFor(me).map(({ part, label }) => goTo(`Settings: ${label}`, `${root}/settings/${part}`, 'settings', name)),
    { ...act(`Visit ${name}`, 'open', () => open(site.url, '_blank', 'noopener')), key: `visit ${slug}` },
  ]
}

function goTo(label: string, to: string, icon: IconName, hint?: string): Option {
  return { key: to, group: 'Actions', label, icon, to, ...(hint !== undefined && { hint }) }
}

function act(label: string, icon: IconName, run: () => void): Option {
  return { key: label, group: 'Actions', label, icon, run }
}

function when(is: boolean, ...options: readonly Option[]): readonly Option[] {
  return is ? options : []
}
