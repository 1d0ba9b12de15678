// Two versions of a page: both as visitors see them, with marks where they differ, or the difference of their HTML.

import { useState } from 'preact/hooks'
import type { Page, Site } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { isNarrow } from '../../browser/narrow.js'
import { replaceQuery } from '../../browser/router.js'
import { Comparison } from '../../editor/editor.js'
import { IconButton } from '../../parts/controls/icon-button.js'
import { Segmented } from '../../parts/controls/segmented.js'
import { useMay } from '../../parts/rights/allowed.js'
import { Await } from '../../parts/states/await.js'
import { askForMarks } from '../../parts/seen/load-marks.js'
import { SeenTexts } from '../../parts/seen/seen-texts.js'
import { type Compared, openPair, type Pair } from './read-versions.js'

const LAYOUTS = ['seen', 'side by side', 'inline'] as const
type Layout = (typeof LAYOUTS)[number]
const LABELS: Readonly<Record<Layout, string>> = {
  seen: 'As visitors see it',
  'side by side': 'HTML side by side',
  inline: 'HTML in one',
}

interface CompareVersionsProps extends Compared {
  site: Site
  page: Page
}

export function CompareVersions({ site, page, from, to }: CompareVersionsProps) {
  const mayPreview = useMay()('try')
  const [layout, setLayout] = useState<Layout>(mayPreview ? 'seen' : isNarrow() ? 'inline' : 'side by side')
  const pair = useLoaded<Pair>(`compare ${page.id} ${from} ${to}`, async (signal) => {
    if (mayPreview) askForMarks()
    return await openPair(site, page, { from, to }, signal)
  })
  return (
    <section aria-label={from === 0 ? `Version ${to}` : `Versions ${from} and ${to}`} class="panel comparing">
      <div class="bar">
        <h3 class="grow">{titleOf(page, from, to)}</h3>
        <Segmented
          isLabelUnseen
          label="View"
          value={layout}
          from={mayPreview ? LAYOUTS : LAYOUTS.slice(1)}
          labelOf={(each) => LABELS[each]}
          onChoose={setLayout}
        />
        <IconButton icon="close" label="Close the comparison" onClick={() => replaceQuery({ from: '', to: '' })} />
      </div>
      <Await of={pair}>
        {([before, after]) => (
          <>
            {after.action === 'unpublish' && <p class="hint">Version {to} unpublished the page.</p>}
            {layout === 'seen' ? (
              <SeenTexts
                site={site}
                path={page.path}
                of={`${page.id} ${from} ${to}`}
                before={{ name: from === 0 ? 'Before' : `Version ${from}`, html: before?.html }}
                after={{ name: `Version ${to}`, html: after.html }}
              />
            ) : (
              <Comparison before={before?.html ?? ''} after={after.html ?? ''} layout={layout} />
            )}
          </>
        )}
      </Await>
    </section>
  )
}

function titleOf(page: Page, from: number, to: number): string {
  if (from === 0) return `Version ${to}, the first`
  if (to === page.version.number && to > from + 1) return `Changed since version ${from}`
  return `Version ${from} and version ${to}`
}
