// Check boxes for the sites of the workspace that a key may see.

import { api, type Site } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { nameOfSite } from '../../format.js'
import { AwaitList } from '../../parts/states/await.js'

interface SiteChoiceProps {
  /** Ids of the checked sites. */
  chosen: readonly string[]
  onChoose: (siteIds: string[]) => void
}

export function SiteChoice({ chosen, onChoose }: SiteChoiceProps) {
  const sites = useList<Site>('sites of a key', (cursor, signal) =>
    api.GET('/sites', { params: { query: { limit: 1000, ...cursor } }, signal }),
  )
  const toggle = (id: string) => onChoose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])
  return (
    <fieldset class="many">
      <legend>Sites (none checked: all)</legend>
      <AwaitList of={sites} moreLabel="More sites" empty={null}>
        {(entries) =>
          entries.map((site) => (
            <label key={site.id}>
              <input type="checkbox" checked={chosen.includes(site.id)} onChange={() => toggle(site.id)} />{' '}
              <bdi>{nameOfSite(site)}</bdi>
              {site.name !== null && <span class="hint"> {site.slug}</span>}
            </label>
          ))
        }
      </AwaitList>
    </fieldset>
  )
}
