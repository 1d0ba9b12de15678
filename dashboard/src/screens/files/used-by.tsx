// Says who uses a file: links to the pages, and to the files that name it.

import type { Site } from '../../api/client.js'
import { formatCount } from '../../format.js'
import { Disclosure } from '../../parts/states/disclosure.js'
import type { FileUsers } from './use-file-users.js'

/** More are folded away. */
const FEW = 5

export function UsedBy({ site, users: { paths, isWhole } }: { site: Site; users: FileUsers }) {
  if (paths.length === 0) return <>{isWhole ? 'no page' : 'no page that was checked (not all were)'}</>
  const kind = paths.some((path) => /\.(?:css|svg)$/i.test(path)) ? 'place' : 'page'
  const count = `${formatCount(paths.length, kind)}${isWhole ? '' : ' (and perhaps others)'}`
  const links = paths.map((path, at) => (
    <li key={path}>
      <a href={new URL(path, site.url).href} target="_blank" rel="noopener noreferrer">
        {path}
      </a>
      {paths.length <= FEW && at < paths.length - 1 && ', '}
    </li>
  ))
  if (paths.length <= FEW)
    return (
      <>
        {count}: <ul class="inline">{links}</ul>
      </>
    )
  return (
    <Disclosure title={count}>
      <ul class="files scrolled">{links}</ul>
    </Disclosure>
  )
}
