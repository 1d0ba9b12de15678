// The sites of a consent: some of those that there are, or all, also later ones. Nothing checked is never all.

import { Checklist } from '../../parts/controls/checklist.js'
import { RadioList } from '../../parts/controls/radio-list.js'

interface Site {
  id: string
  slug: string
}

/** The ids of the chosen sites; null is all, also later ones. */
export type ChosenSites = readonly string[] | null

interface SiteChoiceProps {
  from: readonly Site[]
  chosen: ChosenSites
  onChoose: (sites: ChosenSites) => void
}

const LABELS = { some: 'only some of them', all: 'all of yours, also later ones' } as const

/** Returns the choice to begin with: the only site, where there is no more. */
export function firstSites(sites: readonly Site[]): ChosenSites {
  return sites.length === 1 ? sites.map(({ id }) => id) : []
}

export function SiteChoice({ from, chosen, onChoose }: SiteChoiceProps) {
  return (
    <>
      <RadioList
        label="Sites"
        value={chosen === null ? 'all' : 'some'}
        from={['some', 'all']}
        labelOf={(one) => LABELS[one]}
        onChoose={(one) => onChoose(one === 'all' ? null : firstSites(from))}
      />
      {chosen !== null && <SiteList from={from} chosen={chosen} onChoose={onChoose} />}
    </>
  )
}

function SiteList({ from, chosen, onChoose }: Omit<SiteChoiceProps, 'chosen'> & { chosen: readonly string[] }) {
  if (from.length === 0) return <p class="hint">There are no sites yet.</p>
  const boxes = from.map(({ id, slug }) => ({ id, label: slug }))
  return <Checklist legend="Only these" find="Find a site" boxes={boxes} chosen={chosen} onChoose={onChoose} />
}
