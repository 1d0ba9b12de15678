// The name of the shown site in the header, with a list that leads to another one.

import { useState } from 'preact/hooks'
import { api, dataOf, type Site } from '../api/client.js'
import { useLoaded } from '../api/use-loaded.js'
import { nameOfSite } from '../format.js'
import { Icon } from '../parts/icons.js'
import { SearchField } from '../parts/controls/search-field.js'
import { Popover } from '../parts/overlays/popover.js'
import { Await } from '../parts/states/await.js'
import { useShownSite } from './shown-site.js'

/** More sites than that are found on the screen of all sites. */
const MAX_LOADED = 100
const MAX_SHOWN = 8

/** `path` is that of the whole screen. Nothing is shown outside of a site. */
export function SiteSwitcher({ path }: { path: string }) {
  const [, sites, slug = ''] = path.split('/')
  const site = useShownSite(slug)
  if (sites !== 'sites' || slug === '') return null
  return (
    <Popover
      class="site-switcher"
      kind="quiet"
      label="Other sites"
      button={
        <>
          <bdi title={slug}>{site === undefined ? slug : nameOfSite(site)}</bdi>
          <Icon name="down" />
        </>
      }
    >
      {(close) => <SitePicker shown={slug} onChosen={close} />}
    </Popover>
  )
}

function SitePicker({ shown, onChosen }: { shown: string; onChosen: () => void }) {
  const [words, setWords] = useState('')
  const sites = useLoaded<readonly Site[]>('sites to switch to', async (signal) =>
    dataOf(await api.GET('/sites', { params: { query: { limit: MAX_LOADED } }, signal })),
  )
  return (
    <div class="site-picker">
      <SearchField label="Find a site" value={words} onValue={setWords} />
      <Await of={sites}>
        {(all) => (
          <ul>
            {all
              .filter((site) => isMeant(site, words.trim().toLowerCase()))
              .slice(0, MAX_SHOWN)
              .map(({ id, slug, name }) => (
                <li key={id}>
                  <a
                    class="menu-item"
                    href={`/sites/${slug}`}
                    aria-current={slug === shown ? 'true' : undefined}
                    onClick={onChosen}
                  >
                    <Icon name={slug === shown ? 'check' : 'site'} />
                    <bdi>{nameOfSite({ name, slug })}</bdi>
                    {name !== null && <span class="hint">{slug}</span>}
                  </a>
                </li>
              ))}
          </ul>
        )}
      </Await>
      <a class="menu-item" href="/" onClick={onChosen}>
        <Icon name="next" />
        All sites
      </a>
    </div>
  )
}

function isMeant({ name, slug }: Site, words: string): boolean {
  return slug.includes(words) || name?.toLowerCase().includes(words) === true
}
