// Check boxes for the sites of the workspace that a key may see.

import { api, type Site } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { nameOfSite } from '../../format.js'
import { type Box, Checklist } from '../../parts/controls/checklist.js'
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
  return (
    <AwaitList of={sites} moreLabel="More sites" empty={null}>
      {(entries) => (
        <Checklist
          legend="Sites (none checked: all)"
          find="Find a site"
          boxes={entries.map(toBox)}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
    </AwaitList>
  )
}

function toBox({ id, name, slug }: Site): Box {
  return { id, label: nameOfSite({ name, slug }), hint: name === null ? undefined : slug }
}
