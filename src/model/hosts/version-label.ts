// The DNS labels of a site's past: `<commit>--<slug>` for everybody, and `link-<id>` for people with the link.
// Each is one label of at most 63 characters, so that one wildcard certificate covers them.

/** 7 to 20 hexadecimal digits. A slug has no two hyphens in a row, so a label can be read in only one way. */
const VERSION = /^([0-9a-f]{7,20})--([a-z0-9-]{1,40})$/
const LINK = /^link-([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/
/** Digits of a commit's id in labels that the service writes: 20 + 2 + 40 are 62. */
const COMMIT_DIGITS = 20

export interface VersionLabel {
  /** The first digits of a commit. */
  commit: string
  slug: string
}

export function versionLabelOf({ commit, slug }: VersionLabel): string {
  return `${commit.slice(0, COMMIT_DIGITS)}--${slug}`
}

export function parseVersionLabel(label: string): VersionLabel | undefined {
  const [, commit, slug] = VERSION.exec(label) ?? []
  return commit === undefined || slug === undefined ? undefined : { commit, slug }
}

/** Returns the label of a link. It is not a secret: browsers and resolvers tell host names to others. */
export function linkLabelOf(linkId: string): string {
  return `link-${linkId.replaceAll('-', '')}`
}

/** Reads the link's id (a UUID); undefined for every other label. */
export function parseLinkLabel(label: string): string | undefined {
  return LINK.exec(label)?.slice(1).join('-')
}
