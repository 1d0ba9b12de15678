// Two versions of a page: what differs in their text, or both as visitors saw them.

import { useState } from 'preact/hooks'
import { call, type Page, type Site, type Version } from '../api.js'
import { Comparison } from '../editor/editor.js'
import { useLoaded } from '../load.js'
import { PageFrame } from '../parts/preview.js'
import { Await } from '../parts/state.js'
import { versionUrl } from './open-version.js'

type Layout = 'side by side' | 'inline' | 'rendered'
const LAYOUTS: readonly Layout[] = ['side by side', 'inline', 'rendered']

interface CompareProps {
  site: Site
  page: Page
  from: number
  to: number
}

export function CompareVersions({ site, page, from, to }: CompareProps) {
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
