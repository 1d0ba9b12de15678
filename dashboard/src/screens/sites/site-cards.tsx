// The sites as cards: a picture of the start page, the name, the address, and who changed what last.

import { useRef } from 'preact/hooks'
import type { Site } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { useWasVisible } from '../../browser/use-was-visible.js'
import { formatUrl, nameOfSite } from '../../format.js'
import { Badge } from '../../parts/states/badge.js'
import { type Glance, glanceAt } from './glance.js'
import { LastChange } from './last-change.js'
import { SitePicture } from './site-picture.js'

export function SiteCards({ sites }: { sites: readonly Site[] }) {
  return (
    <ul class="cards" aria-label="Sites">
      {sites.map((site) => (
        <LoadedCard key={site.id} site={site} />
      ))}
    </ul>
  )
}

/** Asks for the rest once the card is on the screen. */
function LoadedCard({ site }: { site: Site }) {
  const card = useRef<HTMLLIElement>(null)
  const wasVisible = useWasVisible(card)
  const glance = useLoaded<Glance | undefined>(`${wasVisible ? 'glance' : 'name'} ${site.id}`, async (signal) =>
    wasVisible ? await glanceAt(site, signal) : undefined,
  )
  return (
    <li class="panel card site-card" ref={card}>
      <SiteCard site={site} glance={glance.data} />
    </li>
  )
}

interface SiteCardProps {
  site: Site
  /** Undefined until it is loaded. */
  glance: Glance | undefined
}

export function SiteCard({ site, glance }: SiteCardProps) {
  return (
    <>
      <SitePicture url={glance?.start?.url} />
      <div class="site-words">
        <h2>
          <a href={`/sites/${site.slug}`} dir="auto">
            {nameOfSite(site)}
          </a>{' '}
          {site.isDefault && <Badge>default</Badge>}
        </h2>
        <p class="hint">
          <a href={site.url} target="_blank" rel="noopener noreferrer">
            {formatUrl(site.url)} ↗
          </a>
        </p>
        {/* The line keeps its height, so that nothing moves when the words arrive. */}
        <p class="hint facts">{glance && <LastChange of={glance} />}</p>
      </div>
    </>
  )
}
