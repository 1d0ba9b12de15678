// The sites of a consent: some of those that there are, or all, also later ones. Nothing checked is never all.

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
  const toggle = (id: string) => onChoose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])
  if (from.length === 0) return <p class="hint">There are no sites yet.</p>
  return (
    <fieldset class="many">
      <legend>Only these</legend>
      {from.map(({ id, slug }) => (
        <label key={id}>
          <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} /> {slug}
        </label>
      ))}
    </fieldset>
  )
}
