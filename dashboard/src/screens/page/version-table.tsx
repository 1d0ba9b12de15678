// The table of a page's versions.

import type { Page, Site, Version } from '../../api/client.js'
import { replaceQuery } from '../../browser/router.js'
import { formatBytes } from '../../format.js'
import { Age } from '../../parts/age.js'
import { Allowed } from '../../parts/allowed.js'
import { DataTable } from '../../parts/data-table.js'
import { OpenInTab } from '../../parts/open-in-tab.js'
import { Verified } from '../../parts/verified.js'
import { previewOfVersion } from './preview-of-version.js'
import { VersionMessage } from './version-message.js'

interface VersionTableProps {
  site: Site
  page: Page
  versions: readonly Version[]
  /** Numbers of the compared versions; 0 for none. */
  from: number
  to: number
  onRollBack: (version: Version) => void
}

export function VersionTable({ site, page, versions, from, to, onRollBack }: VersionTableProps) {
  const rows = versions.map((version) => ({
    key: version.id,
    cells: [
      <PickVersion side="from" version={version} picked={from} />,
      <PickVersion side="to" version={version} picked={to} />,
      version.number,
      <>
        {version.author} <Verified of={version.verified} />
      </>,
      <Age of={version.createdAt} />,
      <VersionMessage version={version} versions={versions} />,
      version.action === 'unpublish' ? '–' : formatBytes(version.size),
    ],
    actions: version.action !== 'unpublish' && (
      <>
        <Allowed to="try">
          <OpenInTab
            find={() => previewOfVersion(site, page, version.number)}
            label={`Open version ${version.number}`}
            title="A preview that ends after minutes"
          />
        </Allowed>
        {!isCurrent(page, version) && (
          <Allowed to="write">
            <button
              type="button"
              aria-label={`Roll back to version ${version.number}`}
              onClick={() => onRollBack(version)}
            >
              Roll back
            </button>
          </Allowed>
        )}
      </>
    ),
  }))
  return (
    <DataTable
      label="Versions"
      columns={['Compare from', 'to', 'Version', 'Author', 'Time', 'Message', 'Size']}
      headingAt={2}
      rows={rows}
    />
  )
}

function isCurrent(page: Page, version: Version): boolean {
  return page.status === 'published' && version.number === page.version.number
}

interface PickVersionProps {
  side: 'from' | 'to'
  version: Version
  /** The number of the version picked on this side. */
  picked: number
}

function PickVersion({ side, version, picked }: PickVersionProps) {
  return (
    <input
      type="radio"
      name={side}
      aria-label={`Compare ${side} version ${version.number}`}
      checked={picked === version.number}
      disabled={version.action === 'unpublish'}
      onChange={() => replaceQuery({ [side]: String(version.number) })}
    />
  )
}
