// Makes requests for which the rules of a file matter, and the files that such a site has.

const FILES = ['index.html', 'about.html', 'blog/one.html', 'docs/v3/one.html', 'img/logo.png', 'assets/app.js']
/** Values for placeholders and splats, in turn. */
const VALUES = ['one', '2026', 'a-b.html', 'caf%C3%A9', 'two%20words', 'x+y', 'a%2Fb', 'Upper', '12']
/** Ways to ask for the path of a rule. */
const VARIANTS: readonly ((path: string, query: string) => string)[] = [
  (path, query) => path + query,
  (path, query) => `${withoutSlash(path)}/${query}`,
  (path, query) => `${path}${query === '' ? '?' : `${query}&`}utm_source=card&n=%C3%A9`,
  (path) => path,
  (path) => `${withoutSlash(path)}/deeper/still.html`,
  (path) => path.replace(/[^/]+\/?$/, ''),
  (path, query) => `${withoutSlash(path)}.html${query}`,
  (path, query) => path.toUpperCase() + query,
  (path) => `${withoutSlash(path)}/caf%C3%A9%20%26%20more`,
  (path) => `${withoutSlash(path)}x`,
  (path, query) => (query === '' ? `${path}?` : `${path}?${query.slice(1).split('&').toReversed().join('&')}`),
]
const MAX_TRIES = 500

interface Rule {
  from: string
  query: string
  to: string
  status: number
}

/** Start page, some others, and what the rules show in place. */
export function filesOf(text: string): string[] {
  const shown = rulesIn(text).flatMap(({ to, status }) => {
    const name = to.slice(1)
    if (!to.startsWith('/') || (status >= 300 && status < 400) || /[:?#]|^\./.test(name)) return []
    if (name === '' || name.endsWith('/')) return [`${name}index.html`]
    return [name.includes('.') ? name : `${name}.html`]
  })
  return [...new Set([...FILES, ...shown])]
}

/** Always the same ones. */
export function targetsOf(text: string, count: number): string[] {
  const rules = rulesIn(text).filter(({ from }) => from.startsWith('/'))
  const targets = new Set<string>()
  for (let at = 0; targets.size < count && at < MAX_TRIES; at++) {
    const round = Math.floor(at / rules.length)
    targets.add(targetOf(rules[at % rules.length]!, VARIANTS[(at + round) % VARIANTS.length]!, at + round))
  }
  return [...targets]
}

/** As a browser sends it. `first` chooses the values. */
function targetOf({ from, query }: Rule, variant: (typeof VARIANTS)[number], first: number): string {
  let value = first
  const next = () => VALUES[value++ % VALUES.length] ?? ''
  const [path = ''] = from.replaceAll(/:[A-Za-z]\w*|\*/g, next).split('#')
  const given = query === '' ? '' : `?${query.replaceAll(/:[A-Za-z]\w*/g, next)}`
  const { pathname, search } = new URL(variant(path, given), 'https://demo.example.org')
  return pathname + search
}

function rulesIn(text: string): Rule[] {
  return text.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/)
    const [from = ''] = words
    const at = words.findIndex((word, index) => index > 0 && /^(?:\/|https?:)/.test(word))
    const status = Number.parseInt(words[at + 1] ?? '', 10) || 301
    return at < 0 || from.startsWith('#') ? [] : [{ from, query: words.slice(1, at).join('&'), to: words[at]!, status }]
  })
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '')
}
