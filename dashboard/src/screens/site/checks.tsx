// The problems of a site, with solutions.

import { api, type Checks, dataOf, type Site } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { useTitle } from '../../browser/title.js'
import { formatCount, nameOfSite } from '../../format.js'
import { Age } from '../../parts/states/age.js'
import { Await } from '../../parts/states/await.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { Button } from '../../parts/controls/button.js'

type Finding = Checks['findings'][number]

/** Headings for the codes of findings. All other codes are listed under "Other". */
const GROUPS: readonly [string, readonly string[]][] = [
  ['The repository', ['damaged_repository']],
  ['Broken links', ['broken_link']],
  ['Redirects and header fields', ['invalid_redirect', 'invalid_header']],
  [
    'Skipped files',
    [
      'stray_file',
      'no_start_page',
      'not_a_file',
      'not_a_page',
      'lfs_pointer',
      'too_large',
      'not_searched',
      'unreadable_name',
      'site_file',
      'hidden_page',
      'orphan_long_page',
      'names_differ_by_case',
    ],
  ],
  ['Pages at the paths of files', ['named_as_file']],
  [
    'Pages and records',
    [
      'invalid_sidecar',
      'duplicate_sidecar',
      'invalid_record',
      'invalid_collection',
      'duplicate_collection',
      'orphan_record',
    ],
  ],
]

export function ChecksScreen({ site }: { site: Site }) {
  const checks = useLoaded<Checks>(`checks ${site.id}`, async (signal) =>
    dataOf(await api.GET('/sites/{id}/checks', { params: { path: { id: site.id } }, signal })),
  )
  useTitle('Checks', nameOfSite(site))
  return (
    <>
      <div class="bar">
        <h2 class="unseen">Checks</h2>
        <p class="hint grow" role="status">
          {checks.data && <Summary checks={checks.data} />}
        </p>
        <Button onClick={checks.reload}>Check again</Button>
      </div>
      <Await of={checks}>{({ findings }) => <Findings site={site} findings={findings} />}</Await>
    </>
  )
}

function Summary({ checks: { findings, complete, checkedAt } }: { checks: Checks }) {
  return (
    <>
      {formatCount(findings.length, 'finding')}
      {complete ? '' : ' (there may be more)'}, <Age of={checkedAt} />
    </>
  )
}

function Findings({ site, findings }: { site: Site; findings: readonly Finding[] }) {
  return (
    <>
      {findings.length === 0 ? (
        <EmptyState title="No problems found">
          <p>Every link within the site has a target, and every pushed file is served.</p>
        </EmptyState>
      ) : (
        groupsOf(findings).map(([title, group]) => <Group key={title} site={site} title={title} findings={group} />)
      )}
    </>
  )
}

function Group({ site, title, findings }: { site: Site; title: string; findings: readonly Finding[] }) {
  return (
    <section class="panel">
      <h3>{title}</h3>
      <ul class="findings">
        {findings.map(({ path, message, pages = [], count = 0 }, at) => (
          <li key={at}>
            {pages.length === 0 && <code>{path}</code>}
            <p>
              {message}
              {pages.length > 0 && (
                <span class="hint">
                  {' '}
                  On {formatCount(count, 'page')}:{' '}
                  {pages.map((page, nth) => (
                    <PageLink key={page.id} site={site} page={page} isFirst={nth === 0} />
                  ))}
                  {count > pages.length && ' …'}
                </span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

type FoundPage = NonNullable<Finding['pages']>[number]

function PageLink({ site, page, isFirst }: { site: Site; page: FoundPage; isFirst: boolean }) {
  return (
    <>
      {isFirst ? '' : ', '}
      <a href={`/sites/${site.slug}/pages/${page.id}`}>{page.path}</a> (line {page.line})
    </>
  )
}

function groupsOf(findings: readonly Finding[]): [string, Finding[]][] {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const [title] = GROUPS.find(([, codes]) => codes.includes(finding.code)) ?? ['Other']
    const group = groups.get(title)
    if (group === undefined) groups.set(title, [finding])
    else group.push(finding)
  }
  return [...groups]
}
