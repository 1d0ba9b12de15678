// Tells whether a redirect leads to the same site, and to which target. A path and the site's own URL name the same place, with any
// spelling of the host. So do http and https, as a proxy in front may serve the site by either.

/**
 * Returns the target in origin form, as a browser would request it; undefined if `location` leads out of the site. `origin` is the site's
 * own; `pathname` is the path of the redirected request.
 */
export function placeInSite(origin: string, location: string, pathname = '/'): string | undefined {
  const from = origin + pathname
  if (!URL.canParse(location, from)) return undefined
  const to = new URL(location, from)
  if (hostOf(to) !== hostOf(new URL(from))) return undefined
  return to.pathname + to.search
}

/** Returns name and port; a scheme's default port is omitted. A dot at the end of a name has no meaning (RFC 1034 §3.1). */
function hostOf({ hostname, port }: URL): string {
  return `${hostname.replace(/\.$/, '')}:${port}`
}
