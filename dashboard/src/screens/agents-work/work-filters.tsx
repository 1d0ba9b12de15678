// One line above the work: whose, and in which site.

import { type Agent, api, type Key, type Site, sliceOf } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { replaceQuery } from '../../browser/router.js'
import { Select } from '../../parts/controls/select.js'
import { FilterBar } from '../../parts/lists/filter-bar.js'

interface WorkFiltersProps {
  sites: readonly Site[]
  /** The slug; '' for all. */
  site: string
  /** The id of the agent or key; '' for all. */
  maker: string
}

export function WorkFilters({ sites, site, maker }: WorkFiltersProps) {
  const makers = useLoaded<Map<string, string>>('agents and keys', readMakers)
  const names = makers.data ?? new Map<string, string>()
  // An ended agent is in no list: the address may still name it.
  const ids = maker === '' || names.has(maker) ? [...names.keys()] : [maker, ...names.keys()]
  return (
    <FilterBar>
      <Select
        label="By"
        value={maker}
        from={['', ...ids]}
        labelOf={(id) => (id === '' ? 'all agents and keys' : (names.get(id) ?? 'one that has ended'))}
        onChoose={(id) => replaceQuery({ by: id })}
      />
      <Select
        label="In"
        value={site}
        from={['', ...sites.map(({ slug }) => slug)]}
        labelOf={(slug) => (slug === '' ? 'all sites' : (sites.find((each) => each.slug === slug)?.name ?? slug))}
        onChoose={(slug) => replaceQuery({ site: slug })}
      />
    </FilterBar>
  )
}

/** Returns the names by id, of those that the person may see. */
async function readMakers(signal: AbortSignal): Promise<Map<string, string>> {
  const [agents, keys] = await Promise.all([
    api.GET('/agents', { params: {}, signal }).then((answer) => sliceOf<Agent>(answer).entries),
    api.GET('/keys', { params: {}, signal }).then((answer) => sliceOf<Key>(answer).entries),
  ])
  return new Map([
    ...agents.map(({ id, client, person }) => [id, `${client} for ${person.name}`] as const),
    ...keys.map(({ id, label }) => [id, label] as const),
  ])
}
