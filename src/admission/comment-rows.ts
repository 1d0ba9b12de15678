// The bounds of comments on change requests and on versions of pages.

/** Comments that there may be. Guests have a share of them, so that no stranger keeps people from answering. */
export const COMMENTS = {
  subject: {
    name: 'quota-of-comments',
    quota: 500,
    value: 'comments',
    counts: 'change request or page',
  },
  guests: {
    name: 'quota-of-comments-by-guests',
    quota: 200,
    value: 'comments by guests',
    counts: 'change request',
  },
  link: {
    name: 'quota-of-comments-by-a-link',
    quota: 50,
    value: 'comments in 24 hours',
    counts: 'review link',
  },
  site: {
    name: 'quota-of-comments-of-a-site',
    quota: 20_000,
    value: 'comments',
    counts: 'site',
  },
} as const
