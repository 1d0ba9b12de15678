// The versions of a page, by day. A version is compared with the newest one, or with the one before it.

import { readChange } from '../../../../src/model/change-words.js'
import type { Page, Site, Version } from '../../api/client.js'
import { navigate, replaceQuery } from '../../browser/router.js'
import { formatBytes } from '../../format.js'
import { openInTab } from '../../parts/controls/open-in-tab.js'
import type { MenuItem } from '../../parts/overlays/menu.js'
import { useMay } from '../../parts/rights/allowed.js'
import { Badge } from '../../parts/states/badge.js'
import { Verified } from '../../parts/states/verified.js'
import { ByDay } from '../history/by-day.js'
import { ChangeRow } from '../history/change-row.js'
import { ForDevelopers } from '../history/for-developers.js'
import { SmallDifference } from '../history/small-difference.js'
import { whoMade } from '../history/who.js'
import { previewOfVersion } from './preview-of-version.js'
import { wordsOfVersion } from './version-words.js'

interface VersionListProps {
  site: Site
  page: Page
  versions: readonly Version[]
  onGoBack: (version: Version) => void
}

export function VersionList({ site, page, versions, onGoBack }: VersionListProps) {
  const newest = versions[0]?.number ?? page.version.number
  const menuOf = useMenu(site, page, newest, onGoBack)
  return (
    <ByDay entries={versions} timeOf={({ createdAt }) => createdAt}>
      {(version) => (
        <ChangeRow
          key={version.id}
          who={whoMade(version)}
          words={wordsOfVersion(version, versions)}
          said={readChange(version.message).said}
          marks={
            <>
              <span class="hint">version {version.number}</span>{' '}
              {isLive(page, version) && (
                <Badge state="ok" isDotted>
                  live
                </Badge>
              )}{' '}
              <Verified of={version.verified} />
            </>
          }
          time={version.createdAt}
          menuLabel={`More about version ${version.number}`}
          menu={menuOf(version)}
        >
          {() => (
            <>
              {version.action === 'unpublish' ? (
                <p class="hint">From then on visitors did not see the page.</p>
              ) : (
                <SmallDifference
                  site={site}
                  pageId={page.id}
                  version={version.number}
                  name={`version ${version.number}`}
                />
              )}
              <p class="hint">{version.action !== 'unpublish' && formatBytes(version.size)}</p>
              <ForDevelopers commit={version} />
            </>
          )}
        </ChangeRow>
      )}
    </ByDay>
  )
}

function isLive(page: Page, version: Version): boolean {
  return page.status === 'published' && version.number === page.version.number
}

function useMenu(site: Site, page: Page, newest: number, onGoBack: (version: Version) => void) {
  const may = useMay()
  return (version: Version): (MenuItem | null)[] => {
    const { number } = version
    const hasText = version.action !== 'unpublish'
    const compare = (from: number, to: number) => () => replaceQuery({ from: String(from), to: String(to) })
    return [
      ...(hasText && may('try')
        ? [
            {
              label: 'Open this version',
              icon: 'open' as const,
              run: () => void openInTab(() => previewOfVersion(site, page, number)),
            },
          ]
        : []),
      ...(number < newest && hasText
        ? [{ label: 'What changed since then', icon: 'view' as const, run: compare(number, newest) }]
        : []),
      { label: 'What changed with it', icon: 'history', run: compare(number - 1, number) },
      { label: 'History of the site', icon: 'site', run: () => navigate(`/sites/${site.slug}/history`) },
      ...(hasText && !isLive(page, version) && may('write')
        ? [null, { label: `Go back to version ${number}…`, icon: 'restore' as const, run: () => onGoBack(version) }]
        : []),
    ]
  }
}
