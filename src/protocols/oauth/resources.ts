// The resources for which tokens are made (RFC 8707), and how a client may write their URLs.

/** The resources of a service, and what it says of others. */
export interface Resources {
  /** The one that a client means that names none. */
  first: string
  /** Returns the resource that a URL means; undefined for another one. */
  find(url: string): string | undefined
  /** Said to a client that names another one. */
  problem: string
}

/** `urls` have no slash at their ends. People also type one, and hosts in capitals. */
export function resourcesAt(urls: readonly string[]): Resources {
  const [first = ''] = urls
  return {
    first,
    find: (url) => {
      const plain = URL.canParse(url) ? new URL(url).href.replace(/\/$/, '') : undefined
      return urls.find((known) => known === plain)
    },
    problem: `resource must be ${urls.join(' or ')}, and only one of them`,
  }
}
