// What the documents of other hosts say of a site, as requests that can be made of one here.

/** A site, and what is documented of sites like it. */
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
  /** By the page, and the section of it, that documents them. */
  rows: Readonly<Record<string, readonly Row[]>>
}

/** A target, and what is answered here: `301 /location`, `200 file`, `404` where no file is shown. */
export type Row = [target: string, answer: string, more?: More]

export interface More {
  /** Fields of the request. */
  asked?: Readonly<Record<string, string>>
  /** Of the answer, by lower-case name; undefined for one that must not be there. */
  fields?: Readonly<Record<string, string | undefined>>
  /** What is answered there, where that is not the same. */
  there?: string
  /** Why it is not: the line of the table in docs/hosting.md that says so, by its first column. */
  because?: string
}

/** A row on whose answer the hosts differ. */
export function differs(target: string, answer: string, there: string, because: string, more: More = {}): Row {
  return [target, answer, { ...more, there, because }]
}

/** A row that is about a field or two of the answer. */
export function says(target: string, answer: string, fields: Readonly<Record<string, string | undefined>>): Row {
  return [target, answer, { fields }]
}
