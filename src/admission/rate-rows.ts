// The rate limits: requests in a minute, and for whom.

import type { Row, Sizes } from './row.js'

export interface RateRow extends Row {
  /** 0 for no limit. */
  perMinute: (sizes: Sizes) => number
  message: string
}

const TOO_MANY = 'Too many requests. Wait for as many seconds as Retry-After says.'

export const RATES = {
  workspace: {
    what: 'requests of the API, the tools and git',
    setting: 'MAX_REQUESTS_PER_MINUTE',
    owner: 'workspace',
    perMinute: ({ maxRequestsPerMinute }) => maxRequestsPerMinute,
    message: TOO_MANY,
  },
  key: {
    what: 'the same requests',
    setting: 'MAX_REQUESTS_PER_MINUTE',
    owner: 'key, session or token',
    perMinute: ({ maxRequestsPerMinute }) => Math.ceil(maxRequestsPerMinute / 2),
    message: TOO_MANY,
  },
  'searches-of-address': {
    what: 'searches by visitors, over all sites',
    setting: 'MAX_SEARCHES_PER_ADDRESS',
    owner: 'client address',
    perMinute: ({ maxSearchesPerAddress }) => maxSearchesPerAddress,
    message: 'Too many searches. Try again shortly.',
  },
  'searches-of-site': {
    what: 'searches by visitors',
    setting: 'MAX_SEARCHES_PER_ADDRESS',
    owner: 'site',
    perMinute: ({ maxSearchesPerAddress }) => 10 * maxSearchesPerAddress,
    message: 'Too many searches. Try again shortly.',
  },
  'failed-sign-ins': {
    what: 'sign-ins at the dashboard that fail',
    owner: 'client address',
    perMinute: () => 60,
    message: 'Too many sign-ins failed. Wait for as many seconds as Retry-After says.',
  },
  registrations: {
    what: 'programs that register to be connected as agents',
    owner: 'client address (IPv6: /48)',
    perMinute: () => 30,
    message: 'Too many programs register from this address. Wait for as many seconds as Retry-After says.',
  },
  authorizations: {
    what: 'requests to connect an agent, and codes typed for one',
    owner: 'client address (IPv6: /48)',
    perMinute: () => 120,
    message: 'Too many requests to connect an agent. Wait for as many seconds as Retry-After says.',
  },
  'client-documents': {
    what: 'fetches of the document at the URL by which a program names itself',
    owner: 'client address (IPv6: /48)',
    perMinute: () => 60,
    message: 'Too many programs were looked up for this address. Wait for as many seconds as Retry-After says.',
  },
  'begun-sign-ins': {
    what: 'sign-ins that begin at an identity provider or with a passkey',
    owner: 'client address',
    perMinute: () => 240,
    message: 'Too many sign-ins were begun. Wait for as many seconds as Retry-After says.',
  },
  'guests-of-address': {
    what: 'requests of guests with a review link',
    owner: 'client address',
    perMinute: () => 60,
    message: TOO_MANY,
  },
  guests: {
    what: 'the same requests',
    owner: 'everybody',
    perMinute: () => 600,
    message: TOO_MANY,
  },
} as const satisfies Readonly<Record<string, RateRow>>

export type RateName = keyof typeof RATES
