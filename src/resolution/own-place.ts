// Tells where in its own site a redirect leads. A path and the site's own URL name one place, whatever the spelling of the host, and
// with http as with https: a proxy in front may serve the site by either.

/**
 * The target in origin form, as a browser would ask for it; undefined where `location` leads out of the site. `origin` is the site's own,
 * `pathname` that of the request which is redirected.
 */
export function placeInSite(origin: string, location: string, pathname = '/'): string | undefined {
  const from = origin + pathname
  if (!URL.canParse(location, from)) return undefined
  const to = new URL(location, from)
  if (hostOf(to) !== hostOf(new URL(from))) return undefined
  return to.pathname + to.search
}

/** With the port, unless that is the scheme's own. A dot at the end of a name says nothing (RFC 1034 §3.1). */
function hostOf({ hostname, port }: URL): string {
  return `${hostname.replace(/\.$/, '')}:${port}`
}
