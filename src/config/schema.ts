// The names, defaults and bounds of the configuration. docs/configuration.md explains each; a test holds the two together.

import { type Static, Type } from 'typebox'
import { HIGHEST_HTML_BYTES } from '../model/limits.js'

const MIB = 1024 * 1024

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
  DATA_DIR: Type.String({ default: './repos' }),
  DATA_GROUP: Type.Optional(Type.String()),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { default: 'info' }),
  ALLOW_SHARED_DOMAIN: Type.Boolean({ default: false }),
  MAX_HTML_BYTES: Type.Integer({ minimum: 1, maximum: HIGHEST_HTML_BYTES, default: 10 * MIB }),
  MAX_BODY_BYTES: Type.Optional(Type.Integer({ minimum: 1 })),
  RECEIVE_BYTES: bytes(96 * MIB),
  MIN_BODY_BYTES_PER_SECOND: bytes(4096, 0),
  MAX_FILE_BYTES: bytes(64 * MIB),
  MAX_DEPLOY_BYTES: bytes(2048 * MIB),
  MAX_PUSH_BYTES: bytes(1024 * MIB),
  MAX_RECORD_BYTES: bytes(MIB),
  MAX_SEARCHED_CHARACTERS: Type.Integer({ minimum: 0, default: 1024 * MIB }),
  MAX_JSON_DEPTH: Type.Integer({ minimum: 1, maximum: 1000, default: 64 }),
  MAX_JSON_VALUES: Type.Integer({ minimum: 1, default: 200_000 }),
  CACHE_BYTES: Type.Optional(Type.Integer({ minimum: 0 })),
  QUEUE_WRITES: Type.Integer({ minimum: 1, default: 1024 }),
  QUEUE_BYTES: bytes(96 * MIB),
  PREVIEW_SECONDS: seconds(600),
  PREVIEW_BYTES: bytes(64 * MIB, 0),
  DISK_RESERVE_BYTES: bytes(64 * MIB, 0),
  HEADERS_TIMEOUT_SECONDS: seconds(10),
  REQUEST_TIMEOUT_SECONDS: seconds(120),
  KEEP_ALIVE_SECONDS: seconds(5),
  MAX_CONNECTIONS: Type.Integer({ minimum: 1, default: 10_000 }),
  MAX_CONNECTIONS_PER_ADDRESS: Type.Integer({ minimum: 1, default: 1000 }),
  MIN_BYTES_PER_SECOND: bytes(4096, 0),
  SLOW_SECONDS: seconds(30),
  MAX_STREAMS: Type.Integer({ minimum: 1, default: 64 }),
  MAX_STREAMS_PER_SITE: Type.Integer({ minimum: 1, default: 16 }),
  MAX_STREAMS_PER_ADDRESS: Type.Integer({ minimum: 1, default: 8 }),
  MAX_SEARCHES_PER_SITE: Type.Integer({ minimum: 1, default: 600 }),
  MAX_SEARCHES_PER_ADDRESS: Type.Integer({ minimum: 1, default: 60 }),
  MAX_REQUESTS_PER_CONNECTION: Type.Integer({ minimum: 1, default: 10_000 }),
  INTROSPECTION_URL: Type.Optional(Type.String()),
  INTROSPECTION_CLIENT_ID: Type.Optional(Type.String()),
  INTROSPECTION_CLIENT_SECRET: Type.Optional(Type.String()),
  INTROSPECTION_ISSUER: Type.Optional(Type.String()),
  INTROSPECTION_AUDIENCE: Type.Optional(Type.String()),
  INTROSPECTION_WORKSPACE_CLAIM: Type.String({ default: 'workspace' }),
  INTROSPECTION_SCOPE_CLAIM: Type.String({ default: 'scope' }),
  INTROSPECTION_SITES_CLAIM: Type.String({ default: 'sites' }),
  INTROSPECTION_CACHE_SECONDS: Type.Integer({ minimum: 0, maximum: 9, default: 5 }),
  SESSION_DAYS: Type.Integer({ minimum: 1, maximum: 400, default: 30 }),
  CHECK_BYTES_PER_SECOND: bytes(4 * MIB, 0),
  CHECK_INTERVAL_SECONDS: seconds(3600),
  TASK_PROCESSES: Type.Integer({ minimum: 2, maximum: 64, default: 2 }),
  REMOTE_ALLOW_PRIVATE: Type.Optional(Type.String()),
  SECRETS_KEY_FILE: Type.Optional(Type.String()),
  MAX_IMPORTS: Type.Integer({ minimum: 2, maximum: 64, default: 4 }),
  MAX_IMPORT_BYTES: bytes(1024 * MIB),
  IMPORT_SECONDS: seconds(3600),
  GIT_MAX_FETCHES: Type.Integer({ minimum: 2, maximum: 1024, default: 8 }),
  GIT_FETCH_SECONDS: seconds(3600),
  GIT_FETCH_BYTES: bytes(4096 * MIB),
  WRITER_THREADS: Type.Integer({ minimum: 1, maximum: 16, default: 2 }),
  WORKERS: Type.Integer({ minimum: 0, maximum: 64, default: 1 }),
})

export type Environment = Static<typeof environmentSchema>
