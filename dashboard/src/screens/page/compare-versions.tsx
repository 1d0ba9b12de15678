// Two versions of a page: the difference of their texts, or both as visitors see them.

import { useState } from 'preact/hooks'
import { dataOf, type Page, type Site, siteApi, type Version } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { Comparison } from '../../editor/editor.js'
import { RadioGroup } from '../../parts/choice.js'
import { Await } from '../../parts/state.js'
import { RenderedVersion } from './rendered-version.js'

const LAYOUTS = ['side by side', 'inline', 'rendered'] as const
type Layout = (typeof LAYOUTS)[number]

interface CompareVersionsProps {
  site: Site
  page: Page
  /** 0 stands for the time before the first version, when there was no page. */
  from: number
  to: number
}

export function CompareVersions({ site, page, from, to }: CompareVersionsProps) {
  const [layout, setLayout] = useState<Layout>(isNarrow() ? 'inline' : 'side by side')
  const pair = useLoaded<[Version | undefined, Version]>(`compare ${page.id} ${from} ${to}`, (signal) =>
    Promise.all([from === 0 ? undefined : readVersion(site, page, from, signal), readVersion(site, page, to, signal)]),
  )
  return (
    <section aria-label={from === 0 ? `Version ${to}` : `Versions ${from} and ${to}`} class="panel">
      <div class="bar">
        <h3 class="grow">{from === 0 ? `Version ${to}, the first` : `Version ${from} and version ${to}`}</h3>
        <RadioGroup label="View" value={layout} from={LAYOUTS} onChoose={setLayout} />
      </div>
      <Await of={pair}>
        {([before, after]) => (
          <>
            {after.action === 'unpublish' && <p class="hint">Version {to} unpublished the page.</p>}
            {layout === 'rendered' ? (
              <div class="split">
                <Rendered site={site} page={page} version={before} />
                <Rendered site={site} page={page} version={after} />
              </div>
            ) : (
              <Comparison before={before?.html ?? ''} after={after.html ?? ''} layout={layout} />
            )}
          </>
        )}
      </Await>
    </section>
  )
}

function Rendered({ site, page, version }: { site: Site; page: Page; version: Version | undefined }) {
  if (version?.html == null) return <p class="hint">There was no page.</p>
  return <RenderedVersion site={site} page={page} number={version.number} />
}

/** Whether the window is too narrow for two texts side by side, as in `styles/narrow.css`. */
function isNarrow(): boolean {
  return matchMedia('(width < 48rem)').matches
}

async function readVersion(site: Site, page: Page, number: number, signal: AbortSignal): Promise<Version> {
  const params = { path: { id: page.id, version: String(number) } }
  return dataOf(await siteApi(site).GET('/pages/{id}/versions/{version}', { params, signal }))
}
