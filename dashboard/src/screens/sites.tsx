// All sites of the workspace, and making another.

import { useState } from 'preact/hooks'
import { call, list, type Me, type Site } from '../api.js'
import { formatAge, formatBytes, formatCount, formatTime } from '../format.js'
import { asApiError, useLoaded } from '../load.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { notify } from '../parts/notices.js'
import { useShortcuts } from '../parts/shortcuts.js'
import { Await, Empty } from '../parts/state.js'
import { navigate } from '../router.js'

export function SitesScreen({ me }: { me: Me }) {
  const [isNewShown, setNewShown] = useState(false)
  const sites = useLoaded<Site[]>('sites', async (signal) => (await list<Site>('/sites', { signal })).entries)
  useShortcuts({ n: () => setNewShown(true) })
  document.title = 'Sites · Palimpsest'
  return (
    <>
      <div class="bar">
        <h1>Sites</h1>
        <button type="button" class="main" onClick={() => setNewShown(true)}>
          New site
        </button>
      </div>
      <Await of={sites}>
        {(data) =>
          data.length === 0 ? (
            <Empty title="No site yet">
              <p>The first one is two words away: “New site”, or the key n.</p>
            </Empty>
          ) : (
            <ul class="cards">
              {data.map((site) => (
                <SiteCard key={site.id} site={site} isDefault={site.id === me.workspace.defaultSiteId} />
              ))}
            </ul>
          )
        }
      </Await>
      {isNewShown && <NewSite onClose={() => setNewShown(false)} />}
    </>
  )
}

function SiteCard({ site, isDefault }: { site: Site; isDefault: boolean }) {
  const whole = useLoaded<Site>(`site card ${site.id}`, (signal) => call('GET', `/sites/${site.id}`, { signal }))
  const usage = whole.data?.usage
  return (
    <li class="panel card">
      <h2>
        <a href={`/sites/${site.slug}`}>{site.slug}</a> {isDefault && <span class="tag">default</span>}
      </h2>
      <p>
        <a href={site.url} target="_blank" rel="noopener noreferrer">
          {site.url.replace(/^https?:\/\//, '')} ↗
        </a>
      </p>
      {/* Its place is kept, so that nothing moves when the figures arrive. */}
      <p class="hint facts">
        {usage && (
          <>
            <span>{formatCount(usage.pages, 'page')}</span>
            <time dateTime={usage.lastChangeAt} title={formatTime(usage.lastChangeAt)}>
              {formatAge(usage.lastChangeAt)}
            </time>
            <span>{formatBytes(usage.storageBytes)}</span>
          </>
        )}
      </p>
    </li>
  )
}

/** What a slug must be, as it is typed; the service has the last word. */
function problemOf(slug: string): string | undefined {
  if (/[^a-z0-9-]/.test(slug)) return 'Lower-case letters, digits and hyphens only.'
  if (/^-|-$|--/.test(slug)) return 'No hyphen at an end, and no two in a row.'
  return slug.length > 40 ? 'At most 40 characters.' : undefined
}

function NewSite({ onClose }: { onClose: () => void }) {
  const [slug, setSlug] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const problem = problemOf(slug) ?? refusal
  const create = async () => {
    try {
      const site = await call<Site>('POST', '/sites', { body: { slug } })
      notify(`${site.url} is live.`)
      navigate(`/sites/${site.slug}`)
    } catch (error) {
      setRefusal(asApiError(error).message)
    }
  }
  return (
    <Dialog title="New site" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (slug !== '' && problem === undefined) void create()
        }}
      >
        <Field
          label="Slug"
          hint="The name in its address. It can never be changed or used again."
          problem={slug === '' ? undefined : problem}
          value={slug}
          onValue={(value) => {
            setSlug(value)
            setRefusal(undefined)
          }}
          autofocus
          required
        />
        <button type="submit" class="main" disabled={slug === '' || problem !== undefined}>
          Create the site
        </button>
      </form>
    </Dialog>
  )
}
