// The versions of a page: who, when, why, how large; two of them to compare, any of them to open or to roll back to.

import { useState } from 'preact/hooks'
import { call, list, type Page, type Site, type Version, withQuery } from '../api.js'
import { formatAge, formatBytes, formatTime } from '../format.js'
import { useLoaded } from '../load.js'
import { DataTable } from '../parts/data-table.js'
import { notifyFailure } from '../parts/notices.js'
import { Await } from '../parts/state.js'
import { navigate, useAddress } from '../router.js'
import { CompareVersions } from './compare-versions.js'
import { OpenVersion } from './open-version.js'
import { RollBack } from './roll-back.js'

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
      <DataTable label="Versions" columns={['Compare', 'Version', 'Who', 'When', 'What', 'Size']}>
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
      </DataTable>
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
