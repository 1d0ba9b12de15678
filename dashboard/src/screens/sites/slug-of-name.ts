// The address of a site, made from its name while somebody types: "Chess Club" gives chess-club. The service makes the final decision.

const MAX_CHARACTERS = 40

/** Returns '' for a name without a Latin letter or a digit. */
export function slugOfName(name: string): string {
  const letters = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = letters.split(/[^a-z0-9]+/).filter((word) => word !== '')
  return words.join('-').slice(0, MAX_CHARACTERS).replace(/-$/, '')
}

/** Returns the slug to try next where this one is taken: `demo-2`, then `demo-3`. */
export function nextSlug(slug: string): string {
  const [, stem = slug, number = '1'] = /^(.*?)(?:-(\d{1,4}))?$/.exec(slug) ?? []
  const end = `-${Number(number) + 1}`
  return `${stem.slice(0, MAX_CHARACTERS - end.length).replace(/-$/, '')}${end}`
}

/** Returns the problem with a slug while it is typed. */
export function problemOfSlug(slug: string): string | undefined {
  if (/[^a-z0-9-]/.test(slug)) return 'Use lower-case letters, digits and hyphens only.'
  if (/^-|-$|--/.test(slug)) return 'A hyphen can stand neither at an end nor beside another hyphen.'
  return slug.length > MAX_CHARACTERS ? `Use at most ${MAX_CHARACTERS} characters.` : undefined
}
