// The details of a change, loaded when its row is opened: its files, small differences of its pages, and what git knows.

import { api, type Commit, dataOf } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { formatCount } from '../../format.js'
import { Await } from '../../parts/states/await.js'
import { ChangedFiles, pathOf } from './changed-files.js'
import { ForDevelopers } from './for-developers.js'
import { SmallDifference } from './small-difference.js'

/** Differences shown for one change. */
const MAX_DIFFERENCES = 3

/** The part of a site that its history needs. */
export interface OneSite {
  id: string
  slug: string
}

export function ChangeDetails({ site, id }: { site: OneSite; id: string }) {
  const loaded = useLoaded<Commit>(`commit ${id}`, async (signal) =>
    dataOf(await api.GET('/sites/{id}/commits/{oid}', { params: { path: { id: site.id, oid: id } }, signal })),
  )
  return (
    <div class="short">
      <Await of={loaded}>
        {(commit) => (
          <>
            <ChangedFiles site={site} commit={commit} />
            <Differences site={site} commit={commit} />
            <ForDevelopers commit={commit} />
          </>
        )}
      </Await>
    </div>
  )
}

function Differences({ site, commit: { files = [] } }: { site: OneSite; commit: Commit }) {
  const pages = files.flatMap(({ path, page, change }) =>
    page === null || change === 'removed' ? [] : [{ ...page, name: pathOf(path) }],
  )
  if (pages.length === 0) return null
  return (
    <>
      {pages.slice(0, MAX_DIFFERENCES).map(({ id, version, name }) => (
        <SmallDifference key={id} site={site} pageId={id} version={version} name={name} isNamed={pages.length > 1} />
      ))}
      {pages.length > MAX_DIFFERENCES && (
        <p class="hint">
          Open a page above to see what changed in it: these are the first {MAX_DIFFERENCES} of{' '}
          {formatCount(pages.length, 'page')}.
        </p>
      )}
    </>
  )
}
