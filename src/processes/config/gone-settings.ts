// Settings of earlier versions. One that is still set stops the start with a message about its replacement.

const OF_MEMORY = 'MEMORY_BYTES is for all of them (docs/configuration.md#limits)'

function always(value: string): string {
  return `it is always ${value}; leave it out`
}

/** Replacement of each setting by name, as the end of a sentence. */
const GONE: Readonly<Record<string, string>> = {
  WORKERS: '"serve" is one process; for more load run "serve --role api" beside "serve --role sites" (docs/upgrade.md)',
  NODE_ADDRESS: 'nodes send nothing to one another; set NODE_NUMBER, and let the proxy route by it (docs/upgrade.md)',
  NODE_SECRET_FILE: 'nodes send nothing to one another; the file can be removed (docs/upgrade.md)',
  RECEIVE_BYTES: OF_MEMORY,
  QUEUE_BYTES: OF_MEMORY,
  PREVIEW_BYTES: OF_MEMORY,
  GIT_MAX_FETCHES: 'MEMORY_BYTES decides how many clones are served at once (docs/configuration.md#limits)',
  MAX_BODY_BYTES: 'a body has room for three times MAX_HTML_BYTES',
  MIN_BODY_BYTES_PER_SECOND: 'MIN_BYTES_PER_SECOND is for bodies too',
  MAX_IMPORT_BYTES: 'MAX_PUSH_BYTES is for imports too',
  MAX_CONNECTIONS_PER_ADDRESS: 'one address may have a tenth of MAX_CONNECTIONS',
  MAX_SEARCHES_PER_SITE: 'one site gets ten times MAX_SEARCHES_PER_ADDRESS',
  INTROSPECTION_SCOPE_CLAIM: 'the scopes are in the claim "scope" (RFC 7662)',
  INTROSPECTION_CACHE_SECONDS: always('5 seconds'),
  MAX_RECORD_BYTES: always('1 MiB'),
  MAX_SEARCHED_CHARACTERS: always('1,073,741,824 characters'),
  MAX_JSON_DEPTH: always('64 levels'),
  MAX_JSON_VALUES: always('200,000 values'),
  QUEUE_WRITES: always('1,024 writes'),
  PREVIEW_SECONDS: always('10 minutes'),
  HEADERS_TIMEOUT_SECONDS: always('10 seconds'),
  REQUEST_TIMEOUT_SECONDS: always('120 seconds'),
  SLOW_SECONDS: always('30 seconds'),
  MAX_REQUESTS_PER_CONNECTION: always('10,000 requests'),
  MAX_STREAMS: always('64 files at once'),
  MAX_STREAMS_PER_SITE: always('16 files at once'),
  MAX_STREAMS_PER_ADDRESS: always('8 files at once'),
  MAX_IMPORTS: always('4 imports at once'),
  IMPORT_SECONDS: always('an hour'),
  GIT_FETCH_SECONDS: always('an hour'),
  GIT_FETCH_BYTES: 'a clone may send any number of bytes, within an hour',
}

/** Returns one line for each such setting that is set; empty values count as absent. */
export function checkGoneSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(GONE).flatMap(([name, instead]) => (env[name] ? [`${name} is gone: ${instead}`] : []))
}
