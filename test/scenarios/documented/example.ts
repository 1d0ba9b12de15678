// Examples from the documents of other hosts, as requests that a test can send to a site.

/** A site, and the documented answers of sites like it. */
export interface Example {
  /** Each holds its own name, unless there is other text for it. */
  files?: readonly string[]
  texts?: Readonly<Record<string, string>>
  /** `_redirects`. */
  redirects?: string
  /** `_headers`. */
  headers?: string
  /** Lines that are skipped here, and named by the checks of the site: `_redirects:3`. */
  wrong?: readonly string[]
  /** Rows by the page, and its section, that documents them. */
  rows: Readonly<Record<string, readonly Row[]>>
}

/** A target, and the answer here: `301 /location`, `200 file`, `404` if no file is shown. */
export type Row = [target: string, answer: string, more?: More]

export interface More {
  /** Fields of the request. */
  asked?: Readonly<Record<string, string>>
  /** Fields of the answer by lower-case name; undefined for a field that must be absent. */
  fields?: Readonly<Record<string, string | undefined>>
  /** The documented answer, where ours differs. */
  there?: string
  /** Why it is not: the line of the table in docs/hosting.md that says so, by its first column. */
  because?: string
}

/** A row that the hosts answer differently. */
export function differs(target: string, answer: string, there: string, because: string, more: More = {}): Row {
  return [target, answer, { ...more, there, because }]
}

/** A row that is about a field or two of the answer. */
export function says(target: string, answer: string, fields: Readonly<Record<string, string | undefined>>): Row {
  return [target, answer, { fields }]
}
