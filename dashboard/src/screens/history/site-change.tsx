// One change in the history of a site, with what can be done about it.

import { readChange } from '../../../../src/model/change-words.js'
import type { Commit } from '../../api/client.js'
import { navigate } from '../../browser/router.js'
import { formatCount } from '../../format.js'
import { openInTab } from '../../parts/controls/open-in-tab.js'
import { linkToPast } from '../../parts/controls/open-past.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import type { MenuItem } from '../../parts/overlays/menu.js'
import { Button } from '../../parts/controls/button.js'
import { Allowed, useMay } from '../../parts/rights/allowed.js'
import { Badge } from '../../parts/states/badge.js'
import { Verified } from '../../parts/states/verified.js'
import { ActWords } from './act-words.js'
import { ChangeDetails, type OneSite } from './change-details.js'
import { ChangeRow } from './change-row.js'
import { whoMade } from './who.js'

/** Tags shown for one commit. */
const MAX_TAGS = 5

interface SiteChangeProps {
  site: OneSite
  commit: Commit
  onTakeBack: () => void
  /** Shows a button for it beside the menu. */
  isUndoShown?: boolean
}

export function SiteChange({ site, commit, onTakeBack, isUndoShown = false }: SiteChangeProps) {
  const { done, said } = readChange(commit.message)
  const menu = useMenu(site, commit, onTakeBack)
  return (
    <ChangeRow
      who={whoMade(commit)}
      words={<ActWords act={done} page={commit.page} />}
      said={said}
      marks={
        <>
          <TagNames of={commit.tags} /> {/* The first commit of a site never has a signature. */}
          {commit.parent !== null && <Verified of={commit.verified} />}
        </>
      }
      time={commit.createdAt}
      menuLabel={`More about “${commit.subject}”`}
      menu={menu}
      action={
        isUndoShown &&
        commit.parent !== null && (
          <Allowed to="write">
            <Button isSmall icon="undo" aria-label={`Undo “${commit.subject}”`} onClick={onTakeBack}>
              Undo
            </Button>
          </Allowed>
        )
      }
    >
      {() => <ChangeDetails site={site} id={commit.id} />}
    </ChangeRow>
  )
}

function useMenu(site: OneSite, { id, page, parent }: Commit, onTakeBack: () => void): (MenuItem | null)[] {
  const may = useMay()
  const toPage: MenuItem[] =
    page === undefined
      ? []
      : [
          {
            label: 'History of the page',
            icon: 'history',
            run: () => navigate(`/sites/${site.slug}/pages/${page.id}/history`),
          },
        ]
  const toPast: MenuItem = {
    label: 'Go back in time to here',
    icon: 'history',
    run: () => navigate(`/sites/${site.slug}/history/past?at=${id.slice(0, 10)}`),
  }
  if (!may('write')) return [...toPage, toPast]
  return [
    toPast,
    { label: 'Open the site as it was', icon: 'open', run: () => void openInTab(() => linkToPast(site, id)) },
    { label: 'Copy a link to share it', icon: 'link', run: () => void share(site, id) },
    ...toPage,
    ...(parent === null ? [] : [null, { label: 'Take this back…', icon: 'undo' as const, run: onTakeBack }]),
  ]
}

/** Everyone who has the link can look for a day. */
async function share(site: OneSite, commit: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(await linkToPast(site, commit))
    notify('The link is copied. Everyone who has it can look, for a day. What the site has removed since is not shown.')
  } catch (error) {
    notifyFailure(error)
  }
}

function TagNames({ of }: { of: Commit['tags'] }) {
  return (
    <>
      {of.slice(0, MAX_TAGS).map((name) => (
        <Badge key={name} title={`Tag ${name}`}>
          {name}
        </Badge>
      ))}
      {of.length > MAX_TAGS && <span class="hint"> and {formatCount(of.length - MAX_TAGS, 'more tag')}</span>}
    </>
  )
}
