// The endpoints of the base host that are not JSON over schemas: protocols of others, redirects, documents and health. `app.ts` has what
// answers each.

import { TOOLS_PATH } from '../request/tools-path.js'
import { API_PREFIX, type Caller } from './route.js'

/** An endpoint whose handler reads and answers the request by itself. */
export interface OtherEndpoint {
  /** Names the handler. */
  handler: string
  methods: readonly string[]
  /** Whole paths, with parameters in braces. */
  paths: readonly string[]
  /** A regular expression for each parameter. */
  form?: string
  /** Callers with a key are known before the handler runs. It asks by itself who sends, where the caller is a browser. */
  caller: Caller
  /** Whether it answers also while this machine lacks what other machines have answered. */
  isAlwaysAnswered?: true
  /** The act needs a fresh proof (`refuseUnproven`); a text names the query parameter with which it does. The handler asks for it. */
  needsProof?: true | string
}

const READ = ['GET', 'HEAD']
const ANY = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Pages of other origins ask first whether they may. */
const POST_OR_ASK = ['POST', 'OPTIONS']

const CONSENT = '/oauth/consent/{uid}'
/** A request for consent, and a provider. */
const UID = String.raw`[\w-]{1,64}`
const PROVIDER = '[a-z0-9-]{1,32}'

/** RFC 8414 §3.1 has the path of a resource at the end, others have it at the start. Older programs ask as OpenID Connect has it. */
const SERVER_METADATA = ['', TOOLS_PATH, API_PREFIX].flatMap((start) =>
  ['oauth-authorization-server', 'openid-configuration'].flatMap((name) =>
    ['', TOOLS_PATH, API_PREFIX].flatMap((end) =>
      ['', '/'].map((slash) => `${start}/.well-known/${name}${end}${slash}`),
    ),
  ),
)

/** The path of the metadata of a resource (RFC 9728 §3.1) is this, and the path of the resource. */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

const open = { caller: 'nobody', isAlwaysAnswered: true } as const

export const OTHER_ENDPOINTS = [
  { handler: 'health', methods: READ, paths: ['/healthz'], ...open },
  { handler: 'readiness', methods: READ, paths: ['/readyz'], ...open },
  { handler: 'allowedSigners', methods: READ, paths: ['/allowed_signers'], ...open },
  { handler: 'openApi', methods: READ, paths: ['/openapi.json'], ...open },
  { handler: 'reference', methods: READ, paths: ['/docs'], ...open },
  { handler: 'styleSheet', methods: READ, paths: ['/docs/reference.css'], ...open },

  { handler: 'tools', methods: ['POST'], paths: [TOOLS_PATH, `${TOOLS_PATH}/`], caller: 'key' },

  {
    handler: 'resourceMetadata',
    methods: ['GET', 'HEAD', 'OPTIONS'],
    paths: [RESOURCE_METADATA, `${RESOURCE_METADATA}/{rest}`],
    form: '.*',
    caller: 'nobody',
  },
  { handler: 'serverMetadata', methods: ['GET', 'HEAD', 'OPTIONS'], paths: SERVER_METADATA, caller: 'nobody' },
  { handler: 'registration', methods: POST_OR_ASK, paths: ['/oauth/register'], caller: 'nobody' },
  { handler: 'oldRegistration', methods: ANY, paths: ['/register'], caller: 'nobody' },
  { handler: 'authorization', methods: ['GET', 'HEAD', 'POST'], paths: ['/oauth/authorize'], caller: 'nobody' },
  { handler: 'deviceAuthorization', methods: POST_OR_ASK, paths: ['/oauth/device-code'], caller: 'nobody' },
  { handler: 'device', methods: ['GET', 'HEAD', 'POST'], paths: ['/oauth/device'], caller: 'nobody' },
  {
    handler: 'resumed',
    methods: READ,
    paths: ['/oauth/authorize/{uid}', '/oauth/device/{uid}'],
    form: UID,
    caller: 'nobody',
  },
  { handler: 'token', methods: POST_OR_ASK, paths: ['/oauth/token', '/oauth/revoke'], caller: 'nobody' },
  { handler: 'consent', methods: ['GET'], paths: [CONSENT], form: UID, caller: 'browser' },
  {
    handler: 'consentAnswer',
    methods: ['POST'],
    paths: [`${CONSENT}/answer`],
    form: UID,
    caller: 'browser',
    needsProof: true,
  },

  {
    handler: 'beginAtProvider',
    methods: ['GET'],
    paths: ['/session/provider/{id}'],
    form: PROVIDER,
    caller: 'browser',
    needsProof: 'link',
  },
  {
    handler: 'finishAtProvider',
    methods: ['GET'],
    paths: ['/session/callback/{id}'],
    form: PROVIDER,
    caller: 'browser',
  },
  { handler: 'endByProvider', methods: ['POST'], paths: ['/session/backchannel-logout'], caller: 'nobody' },
] as const satisfies readonly OtherEndpoint[]

export type HandlerName = (typeof OTHER_ENDPOINTS)[number]['handler']
