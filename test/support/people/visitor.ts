// A browser without a screen: keeps cookies, and follows redirects from host to host.

export interface Landing {
  /** The address at which the browser stays. */
  url: string
  status: number
  text: string
  /** All addresses on the way. */
  trail: string[]
}

const MAX_REDIRECTS = 12

export class Visitor {
  /** Cookies by origin and name. */
  readonly #jars = new Map<string, Map<string, string>>()

  /** Opens an address as a person does who types it, or as a page of the same origin does. `until` stops before an address. */
  async go(
    start: string,
    { fields = {}, until = () => false }: { fields?: Record<string, string>; until?: (url: string) => boolean } = {},
  ): Promise<Landing> {
    const trail: string[] = []
    for (let url = start; trail.length < MAX_REDIRECTS; ) {
      trail.push(url)
      const answer = await this.send(url, fields)
      const next = answer.headers.get('location')
      const text = await answer.text()
      if (next === null) return { url, status: answer.status, text, trail }
      url = new URL(next, url).href
      if (until(url)) return { url, status: answer.status, text, trail: [...trail, url] }
    }
    throw new Error(`too many redirects: ${trail.join(' ')}`)
  }

  /** Sends a form. */
  async post(url: string, form: Record<string, string>): Promise<Response> {
    return await this.send(url, {}, 'POST', new URLSearchParams(form))
  }

  /** Sends one request, without following a redirect. */
  async send(
    url: string,
    fields: Record<string, string> = {},
    method = 'GET',
    body?: URLSearchParams,
  ): Promise<Response> {
    const { origin } = new URL(url)
    const jar = this.#jarOf(origin)
    const cookie = Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ')
    const headers = { Accept: 'text/html', ...fields, ...(cookie !== '' && { Cookie: cookie }) }
    const answer = await fetch(url, { method, headers, redirect: 'manual', ...(body && { body }) })
    for (const line of answer.headers.getSetCookie()) {
      const pair = line.split(';', 1)[0] ?? ''
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (/expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }

  cookie(origin: string, name: string): string | undefined {
    return this.#jarOf(origin).get(name)
  }

  setCookie(origin: string, name: string, value: string): void {
    this.#jarOf(origin).set(name, value)
  }

  /** Removes a cookie. */
  forget(origin: string, name: string): this {
    this.#jarOf(origin).delete(name)
    return this
  }

  /** Returns a browser with the same cookies. */
  copy(): Visitor {
    const other = new Visitor()
    for (const [origin, jar] of this.#jars) for (const [name, value] of jar) other.setCookie(origin, name, value)
    return other
  }

  #jarOf(origin: string): Map<string, string> {
    const jar = this.#jars.get(origin) ?? new Map<string, string>()
    this.#jars.set(origin, jar)
    return jar
  }
}
