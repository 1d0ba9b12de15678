// Decides what the palette shows for the typed words, in which order.

import type { Me, Member, Site } from '../api/client.js'
import { nameOfSite } from '../format.js'
import { generalActions, siteActions } from './actions.js'
import { means, type Option, wordsIn } from './option.js'
import type { Chosen } from './recent.js'

const MAX_SITES = 6
const MAX_PEOPLE = 5
const MAX_ACTIONS = 8
const MAX_RECENT = 5

interface Known {
  me: Me
  sites: readonly Site[]
  people: readonly Member[]
  pages: readonly Option[]
  recent: readonly Chosen[]
  /** The slug of the shown site. */
  shown: string | undefined
  onHelp: () => void
}

export function offer(text: string, known: Known): readonly Option[] {
  const { me, sites, shown, onHelp } = known
  const words = wordsIn(text)
  const here = sites.filter(({ slug }) => slug === shown)
  const elsewhere = sites.filter(({ slug }) => slug !== shown)
  const ofHere = here.flatMap((site) => siteActions(site, me))
  const general = generalActions(me, onHelp)
  const toSites = sites.map(toSiteOption)
  const toPeople = known.people.map((person) => toPersonOption(person, me))
  if (words.length === 0) {
    const recent = stillOffered(known, [...ofHere, ...general, ...toSites, ...toPeople])
    return [...recent, ...without(recent, [...toSites.slice(0, MAX_SITES), ...ofHere.slice(0, 5), ...general])]
  }
  const fits = (option: Option) => means(option, words)
  const first = new Set(known.recent.map(({ key }) => key))
  const recentFirst = (options: readonly Option[]) => [
    ...options.filter(({ key }) => first.has(key)),
    ...options.filter(({ key }) => !first.has(key)),
  ]
  const actions = [...ofHere, ...general, ...elsewhere.flatMap((site) => siteActions(site, me))]
  return [
    ...recentFirst(toSites.filter(fits)).slice(0, MAX_SITES),
    ...recentFirst(known.pages),
    ...recentFirst(toPeople.filter(fits)).slice(0, MAX_PEOPLE),
    ...recentFirst(actions.filter(fits)).slice(0, MAX_ACTIONS),
  ]
}

/** Recent ones that the person may still reach. Pages are kept while their site is there. */
function stillOffered({ recent, sites }: Known, offered: readonly Option[]): readonly Option[] {
  const found = recent.map((chosen) => {
    if (chosen.group === 'Pages')
      return sites.some(({ slug }) => chosen.to?.startsWith(`/sites/${slug}/`)) ? chosen : undefined
    return offered.find(({ key }) => key === chosen.key)
  })
  return found
    .filter((option) => option !== undefined)
    .slice(0, MAX_RECENT)
    .map((option) => ({ ...option, group: 'Recent' }))
}

function without(shown: readonly Option[], options: readonly Option[]): readonly Option[] {
  return options.filter(({ key }) => !shown.some((other) => other.key === key))
}

function toSiteOption(site: Site): Option {
  const { slug, name } = site
  const to = `/sites/${slug}`
  return { key: to, group: 'Sites', label: nameOfSite(site), icon: 'site', to, ...(name !== null && { hint: slug }) }
}

function toPersonOption({ id, name, role }: Member, me: Me): Option {
  const to = id === me.person?.id ? '/profile' : `/members?person=${id}`
  return { key: `person ${id}`, group: 'People', label: name, hint: role, icon: 'person', to }
}
