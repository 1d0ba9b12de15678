// Whether a primary's setting `synchronous_standby_names` lets two servers take writes at once. It does if some standby need not
// confirm: that standby can be promoted, while the replaced primary goes on with the others.

/** The setting, and the standbys that follow the primary now. */
export interface Standbys {
  standbyNames: string
  /** The `application_name` of each. */
  connected: readonly string[]
}

/** Columns with both, for a server that is not a standby itself. */
export const STANDBYS = `current_setting('synchronous_standby_names') AS "standbyNames",
    ARRAY(SELECT application_name::text FROM pg_stat_replication) AS connected`

interface Required {
  /** Number of standbys that confirm each write. */
  count: number
  /** In lower case: PostgreSQL compares names without regard to case. */
  names: ReadonlySet<string>
}

/** A quoted name, a word, or a sign. */
const TOKEN = /\s*(?:"((?:[^"]|"")*)"|([A-Za-z_\u0080-\u{10ffff}][\w$\u0080-\u{10ffff}]*|\d+)|([*(),]))\s*/uy
/** Means any standby. PostgreSQL takes it so even between quotes. */
const ANY_NAME = '*'

/** Whether more standbys could confirm a write than have to. True for a setting that cannot be read. */
export function isSplittable({ standbyNames, connected }: Standbys): boolean {
  if (standbyNames.trim() === '') return false
  const required = parseStandbyNames(standbyNames)
  if (required === undefined || required.names.has(ANY_NAME)) return true
  const following = connected.map((name) => name.toLowerCase())
  // Several standbys may have one name, and each of them confirms.
  const candidates = [...required.names].map((name) => Math.max(1, following.filter((each) => each === name).length))
  return candidates.reduce((sum, each) => sum + each, 0) > required.count
}

/** Parses PostgreSQL's grammar: `a, b`, `2 (a, b)`, `FIRST 2 (a, b)` and `ANY 2 (a, b)`. Undefined for any other text. */
export function parseStandbyNames(text: string): Required | undefined {
  const tokens = readTokens(text)
  if (tokens === undefined) return undefined
  const hasMethod = tokens[0]?.kind === 'word' && /^(?:first|any)$/i.test(tokens[0].text)
  const [count, opening, ...rest] = hasMethod ? tokens.slice(1) : tokens
  if (opening?.text !== '(' || opening.kind !== 'sign') return hasMethod ? undefined : withNames(1, tokens)
  const closing = rest.pop()
  if (count?.kind !== 'word' || !/^\d+$/.test(count.text) || closing?.kind !== 'sign' || closing.text !== ')')
    return undefined
  return withNames(Number(count.text), rest)
}

interface Token {
  kind: 'quoted' | 'word' | 'sign'
  text: string
}

function readTokens(text: string): Token[] | undefined {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at
    const [, quoted, word, sign] = TOKEN.exec(text) ?? []
    if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted.replaceAll('""', '"') })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    else return undefined
  }
  return tokens
}

/** Reads names separated by commas. */
function withNames(count: number, tokens: readonly Token[]): Required | undefined {
  if (tokens.length % 2 === 0) return undefined
  const names = new Set<string>()
  for (const [at, { kind, text }] of tokens.entries()) {
    const isSign = kind === 'sign' && text !== ANY_NAME
    if (at % 2 === 0 ? isSign : kind !== 'sign' || text !== ',') return undefined
    if (at % 2 === 0) names.add(text.toLowerCase())
  }
  return { count, names }
}
