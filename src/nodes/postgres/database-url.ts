// Reads DATABASE_URL: `postgres://user:password@host:5432,host:5432/database?sslmode=verify-full&sslrootcert=/path`, as libpq
// writes it. A setting that would have no effect is refused, so that TLS is never only believed to be on.

import { readFileSync } from 'node:fs'

export interface DatabaseServer {
  host: string
  port: number
}

export interface DatabaseSettings {
  /** At least one. Asking them finds the one that takes writes. */
  servers: readonly DatabaseServer[]
  user: string
  password: string | undefined
  database: string
  tls: 'disable' | 'require' | 'verify-ca' | 'verify-full'
  /** Whether the operator fences: a replaced primary is always cut off, whichever standby was promoted (FENCED). */
  isFenced: boolean
  /** PEM file of the authority for the servers' certificates; undefined for the authorities that Node.js trusts. */
  rootCertificateFile: string | undefined
}

/** Thrown with what is wrong with the URL; the message never contains its password. */
export class InvalidDatabaseUrl extends Error {
  override name = 'InvalidDatabaseUrl'
}

const TLS_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
const DEFAULT_PORT = 5432
const URL_FORM =
  /^postgres(?:ql)?:\/\/(?<user>[^@/?:]*)(?::(?<password>[^@/?]*))?@(?<servers>[^@/?]+)\/(?<database>[^/?]+)(?:\?(?<parameters>.*))?$/
const SERVER_FORM = /^(?<host>\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(?<port>\d{1,5}))?$/
/** Hosts on this machine. A Unix socket's folder begins with a slash. */
const ON_THIS_MACHINE = /^(?:\/|localhost$|127(?:\.\d{1,3}){3}$|::1$)/

/** Parses the URL. Throws InvalidDatabaseUrl. */
export function parseDatabaseUrl(text: string, isFenced = false): DatabaseSettings {
  const parts = URL_FORM.exec(text)?.groups
  if (parts === undefined)
    throw new InvalidDatabaseUrl('must have the form postgres://user:password@host:5432/database?sslmode=verify-full')
  const user = decode(parts['user'] ?? '')
  const password = parts['password'] === undefined ? undefined : decode(parts['password'])
  const servers = (parts['servers'] ?? '').split(',').map(readServer)
  const { tls, rootCertificateFile } = readParameters(parts['parameters'] ?? '')
  if (user === '') throw new InvalidDatabaseUrl('must name a user: postgres://user:password@host/database')
  if (tls === undefined && !servers.every(({ host }) => ON_THIS_MACHINE.test(host)))
    throw new InvalidDatabaseUrl(
      'names a server on another machine: add ?sslmode=verify-full, or "require" or "disable" where the network is trusted',
    )
  const database = decode(parts['database'] ?? '')
  return { servers, user, password, database, tls: tls ?? 'disable', isFenced, rootCertificateFile }
}

function readServer(text: string): DatabaseServer {
  const { host = '', port } = SERVER_FORM.exec(text)?.groups ?? {}
  const number = port === undefined ? DEFAULT_PORT : Number(port)
  if (host === '' || number < 1 || number > 65_535)
    throw new InvalidDatabaseUrl(`has the server "${text}", which is not of the form host or host:port`)
  return { host: decode(host.replaceAll(/[[\]]/g, '')), port: number }
}

function readParameters(text: string): { tls?: DatabaseSettings['tls']; rootCertificateFile: string | undefined } {
  const { sslmode, sslrootcert, ...others } = Object.fromEntries(new URLSearchParams(text))
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new InvalidDatabaseUrl(`has the parameter "${unknown}": only sslmode and sslrootcert are known`)
  const tls = TLS_MODES.find((mode) => mode === sslmode)
  if (sslmode !== undefined && tls === undefined)
    throw new InvalidDatabaseUrl(`has the sslmode "${sslmode}": use ${TLS_MODES.join(', ')}`)
  return { ...(tls && { tls }), rootCertificateFile: sslrootcert }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new InvalidDatabaseUrl('has a percent sign that encodes nothing: write it as %25')
  }
}

/** Returns the options of Node's TLS for these settings; false for no TLS. Throws if the authority's file cannot be read. */
export function tlsOptionsOf({ tls, rootCertificateFile }: DatabaseSettings): false | TlsOptions {
  if (tls === 'disable') return false
  const ca = rootCertificateFile === undefined ? {} : { ca: readFileSync(rootCertificateFile, 'utf8') }
  if (tls === 'require') return { ...ca, rejectUnauthorized: false }
  // With verify-ca any name is accepted.
  return { ...ca, rejectUnauthorized: true, ...(tls === 'verify-ca' && { checkServerIdentity: () => undefined }) }
}

interface TlsOptions {
  ca?: string
  rejectUnauthorized: boolean
  checkServerIdentity?: () => undefined
}
