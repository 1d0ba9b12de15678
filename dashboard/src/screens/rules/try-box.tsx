// Shows the answer of the site at a path, and the lines that decide it.

import type { Site, TriedRules } from '../../api/client.js'
import { formatUrl } from '../../format.js'
import { Facts } from '../../parts/lists/facts.js'
import { Field } from '../../parts/controls/field.js'

interface TryBoxProps {
  site: Site
  path: string
  onPath: (path: string) => void
  tried: TriedRules | undefined
  problem: string | undefined
}

export function TryBox({ site, path, onPath, tried, problem }: TryBoxProps) {
  return (
    <section class="panel" aria-label="What a path would answer">
      <Field
        label="What would this path answer?"
        hint={`A path of ${formatUrl(site.url)}, with its query`}
        problem={problem}
        value={path}
        onValue={(text) => onPath(pathIn(text, site.url))}
      />
      <div role="status">{tried && problem === undefined && <Answer tried={tried} onPath={onPath} />}</div>
    </section>
  )
}

/** Returns the path of a URL of the site; other text stays unchanged. */
function pathIn(text: string, url: string): string {
  return text.startsWith(`${url}/`) ? text.slice(url.length) : text
}

function Answer({ tried, onPath }: { tried: TriedRules; onPath: (path: string) => void }) {
  const { status, file, mediaType, fields, redirectLine, headerLines, isLoop } = tried
  return (
    <>
      <Facts
        facts={[
          ['Status', <strong>{`${status}, ${WORDS[tried.answer]}`}</strong>],
          ...(tried.location === null ? [] : [fact('To', <Location of={tried.location} onPath={onPath} />)]),
          ...(file === null ? [] : [fact('Sends', `${file} (${mediaType})`)]),
          fact('Decided by', redirectLine === null ? 'no redirect' : `_redirects, line ${redirectLine}`),
          ...(headerLines.length === 0 ? [] : [fact('Fields by', `_headers, ${formatLines(headerLines)}`)]),
          ...fields.map(({ name, value }) => fact(name, <code>{value}</code>)),
        ]}
      />
      {isLoop && <p class="hint wrong">The redirects form a loop: the site answers as without rules.</p>}
    </>
  )
}

const WORDS: Readonly<Record<TriedRules['answer'], string>> = {
  page: 'a page',
  file: 'a file',
  markdown: 'a page as Markdown',
  generated: 'a generated file',
  redirect: 'a redirect',
  missing: 'nothing is there',
}

function fact(name: string, value: preact.ComponentChildren): [string, preact.ComponentChildren] {
  return [name, value]
}

/** The destination of a redirect. A path of the site can be tried next. */
function Location({ of, onPath }: { of: string; onPath: (path: string) => void }) {
  if (!of.startsWith('/')) return <code>{of}</code>
  return (
    <button type="button" class="link" title="Try this path" onClick={() => onPath(of)}>
      {of}
    </button>
  )
}

function formatLines(lines: readonly number[]): string {
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`
}
