// What is wrong with a site, and what to do about it.

import { call, type Checks, type Site } from '../api.js'
import { formatAge, formatCount } from '../format.js'
import { useLoaded } from '../load.js'
import { Await, Command, Empty } from '../parts/state.js'

/** Headings for the codes of findings; any other code stands for itself. */
const GROUPS: readonly [string, readonly string[]][] = [
  ['The repository', ['damaged_repository']],
  ['Broken links', ['broken_link']],
  ['Redirects and header fields', ['invalid_redirect', 'invalid_header']],
  [
    'Skipped files',
    [
      'stray_file',
      'not_a_file',
      'not_a_page',
      'unreadable_name',
      'site_file',
      'hidden_page',
      'orphan_long_page',
      'names_differ_by_case',
    ],
  ],
  [
    'Pages and records',
    ['invalid_sidecar', 'duplicate_sidecar', 'invalid_record', 'invalid_collection', 'orphan_record'],
  ],
]

type Finding = Checks['findings'][number]

export function ChecksScreen({ site }: { site: Site }) {
  const checks = useLoaded<Checks>(`checks ${site.id}`, (signal) => call('GET', `/sites/${site.id}/checks`, { signal }))
  return (
    <>
      <div class="bar">
        <h2 class="grow">Checks</h2>
        <button type="button" onClick={checks.reload}>
          Check again
        </button>
      </div>
      <Await of={checks}>
        {({ findings, complete, checkedAt, commit }) => (
          <>
            <p class="hint" role="status">
              {formatCount(findings.length, 'finding')}
              {complete ? '' : ', the first ones'} at {commit.slice(0, 10)}, {formatAge(checkedAt)}
            </p>
            {findings.length === 0 ? (
              <Empty title="Everything is as it should be">
                <p>Every link within the site leads somewhere, and every pushed file is served as it was meant.</p>
              </Empty>
            ) : (
              groupsOf(findings).map(([title, group]) => <Group key={title} title={title} findings={group} />)
            )}
          </>
        )}
      </Await>
      <section class="panel">
        <h3>With git</h3>
        <p>
          The whole site, history included, is one repository. On the machine that runs the service, in its DATA_DIR:
        </p>
        <Command text={`git clone ${site.slug}.git`} />
      </section>
    </>
  )
}

function Group({ title, findings }: { title: string; findings: readonly Finding[] }) {
  return (
    <section class="panel">
      <h3>{title}</h3>
      <ul class="findings">
        {findings.map(({ path, message }, at) => (
          <li key={at}>
            <code>{path}</code>
            <p>{message}</p>
          </li>
        ))}
      </ul>
    </section>
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
