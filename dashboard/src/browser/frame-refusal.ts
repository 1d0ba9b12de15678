// Checks whether a site's header fields forbid the dashboard to show its pages in a frame, as browsers do (CSP §6.4.2, HTML §7.7).

interface Field {
  /** In lower case. */
  name: string
  value: string
}

/** Returns the text of the field that forbids it; undefined if none does. `embedder` is the origin of the page with the frame. */
export function frameRefusal(fields: readonly Field[], embedder: string): string | undefined {
  const valueOf = (wanted: string) => fields.find(({ name }) => name === wanted)?.value
  const lists = ancestorLists(valueOf('content-security-policy') ?? '')
  const refusing = lists.find((sources) => !sources.some((source) => isEmbedder(source, embedder)))
  if (refusing !== undefined) return `Content-Security-Policy: frame-ancestors ${refusing.join(' ')}`
  const options = valueOf('x-frame-options')
  // A policy replaces the older field. A site never has the origin of the dashboard.
  const isRefused = lists.length === 0 && /^\s*(?:deny|sameorigin)\s*$/i.test(options ?? '')
  return isRefused ? `X-Frame-Options: ${options}` : undefined
}

/** Returns the `frame-ancestors` of each policy that has them. Commas separate policies, semicolons directives. */
function ancestorLists(policies: string): string[][] {
  return policies.split(',').flatMap((policy) => {
    const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/))
    const [, ...sources] = directives.find(([name = '']) => /^frame-ancestors$/i.test(name)) ?? []
    return sources.length === 0 ? [] : [sources]
  })
}

/** Whether a source matches: `*`, a scheme, or a host with optional scheme, port and leading `*.`. */
function isEmbedder(source: string, embedder: string): boolean {
  const { protocol, hostname, port } = new URL(embedder)
  if (source === '*' || source.toLowerCase() === protocol) return true
  const [, scheme, host = '', itsPort = ''] =
    /^(?:([\w+.-]+:)\/\/)?([^/:]+)(?::(\d+|\*))?\/?$/.exec(source.toLowerCase()) ?? []
  const isHost = host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : host === hostname
  return isHost && (scheme === undefined || scheme === protocol) && (itsPort === '*' || itsPort === port)
}
