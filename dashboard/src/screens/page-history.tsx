// The versions of a page: who, when, why, how large; two of them compared as text and as visitors saw them; rolling back.

import { useState } from 'preact/hooks'
import { call, list, type Page, type Site, type Version, withQuery } from '../api.js'
import { Comparison } from '../editor/editor.js'
import { formatAge, formatBytes, formatTime } from '../format.js'
import { useLoaded } from '../load.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { notify, notifyFailure } from '../parts/notices.js'
import { PageFrame } from '../parts/preview.js'
import { Await } from '../parts/state.js'
import { navigate, useAddress } from '../router.js'

interface History {
  page: Page
  versions: Version[]
  nextCursor: string | null
}

interface HistoryProps {
  site: Site
  pageId: string
}

export function PageHistoryScreen({ site, pageId }: HistoryProps) {
  const history = useLoaded<History>(`history ${pageId}`, async (signal) => {
    const [page, slice] = await Promise.all([
      call<Page>('GET', `/pages/${pageId}`, { site: site.id, signal }),
      list<Version>(`/pages/${pageId}/versions?limit=100`, { site: site.id, signal }),
    ])
    return { page, versions: slice.entries, nextCursor: slice.nextCursor }
  })
  const query = new URLSearchParams(useAddress().replace(/^[^?]*/, ''))
  return (
    <Await of={history}>
      {(data) => (
        <Versions
          site={site}
          history={data}
          from={Number(query.get('from'))}
          to={Number(query.get('to'))}
          onChanged={history.reload}
          onMore={history.put}
        />
      )}
    </Await>
  )
}

interface VersionsProps {
  site: Site
  history: History
  /** Numbers of the versions that are compared; 0: none. */
  from: number
  to: number
  onChanged: () => void
  onMore: (history: History) => void
}

function Versions({ site, history, from, to, onChanged, onMore }: VersionsProps) {
  const { page, versions, nextCursor } = history
  const [target, setTarget] = useState<Version>()
  const base = `/sites/${site.slug}/pages/${page.id}`
  const pick = (side: 'from' | 'to', number: number) => {
    const picked = { from: String(from), to: String(to), [side]: String(number) }
    navigate(withQuery(`${base}/history`, picked), { replace: true })
  }
  const more = async () => {
    try {
      const slice = await list<Version>(
        withQuery(`/pages/${page.id}/versions`, { limit: '100', cursor: nextCursor ?? '' }),
        { site: site.id },
      )
      onMore({ page, versions: [...versions, ...slice.entries], nextCursor: slice.nextCursor })
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <>
      <div class="bar">
        <h2 class="grow">History of {page.path}</h2>
        {page.status === 'published' && (
          <a class="button" href={base}>
            Edit
          </a>
        )}
      </div>
      {from > 0 && to > 0 && from !== to && (
        <CompareVersions site={site} page={page} from={Math.min(from, to)} to={Math.max(from, to)} />
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label="Versions">
        <table>
          <thead>
            <tr>
              <th scope="col">Compare</th>
              <th scope="col">Version</th>
              <th scope="col">Who</th>
              <th scope="col">When</th>
              <th scope="col">What</th>
              <th scope="col">Size</th>
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {versions.map((version) => (
              <tr key={version.id}>
                <td class="pick">
                  {(['from', 'to'] as const).map((side) => (
                    <input
                      key={side}
                      type="radio"
                      name={side}
                      aria-label={`Compare ${side} version ${version.number}`}
                      checked={(side === 'from' ? from : to) === version.number}
                      disabled={version.action === 'unpublish'}
                      onChange={() => pick(side, version.number)}
                    />
                  ))}
                </td>
                <th scope="row">{version.number}</th>
                <td>{version.author}</td>
                <td>
                  <time dateTime={version.createdAt} title={formatTime(version.createdAt)}>
                    {formatAge(version.createdAt)}
                  </time>
                </td>
                <td class="message">{version.message}</td>
                <td>{version.action === 'unpublish' ? '–' : formatBytes(version.size)}</td>
                <td class="actions">
                  <OpenVersion site={site} page={page} version={version} />
                  {version.action !== 'unpublish' &&
                    (version.number !== page.version.number || page.status === 'unpublished') && (
                      <button
                        type="button"
                        aria-label={`Roll back to version ${version.number}`}
                        onClick={() => setTarget(version)}
                      >
                        Roll back
                      </button>
                    )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {nextCursor !== null && (
        <button type="button" onClick={() => void more()}>
          Older versions
        </button>
      )}
      {target && (
        <RollBack
          site={site}
          page={page}
          version={target}
          onClose={() => setTarget(undefined)}
          onDone={() => {
            setTarget(undefined)
            onChanged()
          }}
        />
      )}
    </>
  )
}

/** At the version's own host: open to all with public history, otherwise by a link that is made for it. */
function OpenVersion({ site, page, version }: { site: Site; page: Page; version: Version }) {
  const open = async () => {
    // The tab has to be opened by the click itself; where it leads is known a moment later.
    const tab = globalThis.open('about:blank', '_blank')
    try {
      const url = await versionUrl(site, page, version)
      if (tab === null) throw new Error('The browser does not let this page open another one.')
      tab.opener = null
      tab.location.replace(url)
    } catch (error) {
      tab?.close()
      notifyFailure(error)
    }
  }
  if (version.action === 'unpublish') return null
  return (
    <button type="button" aria-label={`Open version ${version.number}`} onClick={() => void open()}>
      Open ↗
    </button>
  )
}

async function versionUrl(site: Site, page: Page, version: Version): Promise<string> {
  const link = await call<{ url: string }>('POST', `/sites/${site.id}/links`, { body: { commit: version.id } })
  return new URL(new URL(page.url).pathname, link.url).href
}

type Layout = 'side by side' | 'inline' | 'rendered'
const LAYOUTS: readonly Layout[] = ['side by side', 'inline', 'rendered']

interface CompareProps {
  site: Site
  page: Page
  from: number
  to: number
}

function CompareVersions({ site, page, from, to }: CompareProps) {
  const [layout, setLayout] = useState<Layout>('side by side')
  const pair = useLoaded<{ versions: Version[]; urls: string[] }>(`${page.id} ${from} ${to}`, async (signal) => {
    const versions = await Promise.all(
      [from, to].map((number) =>
        call<Version>('GET', `/pages/${page.id}/versions/${number}`, { site: site.id, signal }),
      ),
    )
    return { versions, urls: await Promise.all(versions.map((version) => versionUrl(site, page, version))) }
  })
  return (
    <section aria-label={`Versions ${from} and ${to}`} class="panel">
      <div class="bar">
        <h3 class="grow">
          Version {from} and version {to}
        </h3>
        <div role="radiogroup" aria-label="Show as" class="choices">
          {LAYOUTS.map((each) => (
            <label key={each}>
              <input type="radio" name="layout" checked={layout === each} onChange={() => setLayout(each)} /> {each}
            </label>
          ))}
        </div>
      </div>
      <Await of={pair}>
        {({ versions: [before, after], urls }) =>
          layout === 'rendered' ? (
            <div class="split">
              <PageFrame title={`Version ${from}`} url={urls[0]} />
              <PageFrame title={`Version ${to}`} url={urls[1]} />
            </div>
          ) : (
            <Comparison before={before?.html ?? ''} after={after?.html ?? ''} layout={layout} />
          )
        }
      </Await>
    </section>
  )
}

interface RollBackProps {
  site: Site
  page: Page
  version: Version
  onClose: () => void
  onDone: () => void
}

function RollBack({ site, page, version, onClose, onDone }: RollBackProps) {
  const [reason, setReason] = useState('')
  const roll = async (to: number, why: string) =>
    await call<Page>('POST', `/pages/${page.id}/rollback`, {
      site: site.id,
      body: { version: to, ...(why !== '' && { reason: why }) },
    })
  const undo = async () => {
    try {
      if (page.status === 'unpublished') await call('DELETE', `/pages/${page.id}`, { site: site.id })
      else await roll(page.version.number, 'The roll-back was undone')
      notify('The roll-back is undone.')
      onDone()
    } catch (error) {
      notifyFailure(error)
    }
  }
  const submit = async () => {
    try {
      await roll(version.number, reason)
      notify(`${page.path} is as it was in version ${version.number}.`, { label: 'Undo', run: () => void undo() })
      onDone()
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <Dialog title={`Roll back to version ${version.number}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <p>Its content becomes the newest version. Nothing is lost: the versions in between stay.</p>
        <Field label="Reason" hint="Optional; it stands in the history." value={reason} onValue={setReason} autofocus />
        <button type="submit" class="main">
          Roll back
        </button>
      </form>
    </Dialog>
  )
}
