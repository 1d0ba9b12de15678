// The names, defaults and bounds of the configuration. docs/configuration.md explains each; a test keeps the two in step.

import { type Static, Type } from 'typebox'
import { DEFAULT_SIZES } from '../../admission/row.js'
import { HIGHEST_HTML_BYTES } from '../../model/limits.js'

const MIB = 1024 * 1024

export const DEFAULT_DATA_DIR = './repos'

const seconds = (fallback: number) => Type.Integer({ minimum: 1, maximum: 86_400, default: fallback })

const bytes = (fallback: number, minimum = 1) => Type.Integer({ minimum, default: fallback })

export const environmentSchema = Type.Object({
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080 }),
  HOST: Type.String({ default: '127.0.0.1' }),
  BASE_URL: Type.Optional(Type.String()),
  SITE_DOMAIN: Type.Optional(Type.String()),
  BASE_HOSTS: Type.Optional(Type.String()),
  ALLOWED_ORIGINS: Type.Optional(Type.String()),
  TRUSTED_PROXIES: Type.Optional(Type.String()),
  DATA_DIR: Type.String({ default: DEFAULT_DATA_DIR }),
  DATA_GROUP: Type.Optional(Type.String()),
  DATABASE_URL: Type.Optional(Type.String()),
  FENCED: Type.Boolean({ default: false }),
  NODE_NUMBER: Type.Optional(Type.Integer({ minimum: 1, maximum: 9999 })),
  SERVE_STALE_SECONDS: Type.Integer({ minimum: 0, maximum: 86_400, default: 0 }),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { default: 'info' }),
  ALLOW_SHARED_DOMAIN: Type.Boolean({ default: false }),
  MAX_HTML_BYTES: Type.Integer({ minimum: 1, maximum: HIGHEST_HTML_BYTES, default: 10 * MIB }),
  MAX_FILE_BYTES: bytes(64 * MIB),
  MAX_DEPLOY_BYTES: bytes(2048 * MIB),
  MAX_PUSH_BYTES: bytes(1024 * MIB),
  MEMORY_BYTES: Type.Optional(Type.Integer({ minimum: 1 })),
  CACHE_BYTES: Type.Optional(Type.Integer({ minimum: 0 })),
  PICTURE_CACHE_BYTES: bytes(1024 * MIB, 0),
  MAX_WORKSPACE_BYTES: Type.Optional(Type.Integer({ minimum: 1 })),
  MAX_WORKSPACE_PAGES: Type.Optional(Type.Integer({ minimum: 1 })),
  MAX_WORKSPACE_SITES: Type.Optional(Type.Integer({ minimum: 1 })),
  DISK_RESERVE_BYTES: bytes(64 * MIB, 0),
  KEEP_ALIVE_SECONDS: seconds(5),
  MAX_CONNECTIONS: Type.Integer({ minimum: 1, default: 10_000 }),
  MIN_BYTES_PER_SECOND: bytes(4096, 0),
  MAX_SEARCHES_PER_ADDRESS: Type.Integer({ minimum: 1, default: DEFAULT_SIZES.maxSearchesPerAddress }),
  MAX_REQUESTS_PER_MINUTE: Type.Integer({ minimum: 0, default: DEFAULT_SIZES.maxRequestsPerMinute }),
  INTROSPECTION_URL: Type.Optional(Type.String()),
  INTROSPECTION_CLIENT_ID: Type.Optional(Type.String()),
  INTROSPECTION_CLIENT_SECRET: Type.Optional(Type.String()),
  INTROSPECTION_ISSUER: Type.Optional(Type.String()),
  INTROSPECTION_AUDIENCE: Type.Optional(Type.String()),
  INTROSPECTION_WORKSPACE_CLAIM: Type.String({ default: 'workspace' }),
  INTROSPECTION_SITES_CLAIM: Type.String({ default: 'sites' }),
  SIGN_IN_PROVIDERS: Type.Optional(Type.String()),
  AUDIT_DAYS: Type.Integer({ minimum: 0, maximum: 36_500, default: 400 }),
  SESSION_DAYS: Type.Integer({ minimum: 1, maximum: 400, default: 30 }),
  CHECK_BYTES_PER_SECOND: bytes(4 * MIB, 0),
  CHECK_INTERVAL_SECONDS: seconds(3600),
  TASK_PROCESSES: Type.Integer({ minimum: 2, maximum: 64, default: DEFAULT_SIZES.taskProcesses }),
  REMOTE_ALLOW_PRIVATE: Type.Optional(Type.String()),
  SECRETS_KEY_FILE: Type.Optional(Type.String()),
  WRITER_THREADS: Type.Integer({ minimum: 1, maximum: 16, default: 2 }),
})

export type Environment = Static<typeof environmentSchema>
