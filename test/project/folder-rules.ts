// The import rules: the allowed imports of each folder of `src`. docs/architecture.md shows them as a picture.

export interface FolderRule {
  /** Folders by name; `model/*` is `model` and all folders below it. */
  knows: readonly string[]
  packages: readonly string[]
}

/** Every folder has a row, and a row allows nothing that no file needs. Node's own modules are open to all. */
export const FOLDER_RULES: Readonly<Record<string, FolderRule>> = {
  main: row('model config cli/terminal cli/connection cli/authors cli/clone cli/remotes cli/operator cli', 'commander'),

  schemas: row('model', 'typebox'),

  model: row('', 'mime-types uuid'),
  'model/paths': row('model'),
  'model/hosts': row('model model/paths', 'proxy-addr'),
  'model/rules': row('model model/paths'),
  'model/commits': row('model/paths'),

  admission: row('model', 'rate-limiter-flexible'),

  threads: row('model', 'pino'),

  postgres: row('', 'pg'),

  http: row('model', 'proxy-addr'),
  'http/server': row('http model/hosts'),

  remotes: row('model model/hosts git/objects git/wire'),

  mirrors: row('model git/objects remotes store/format store catalog catalog/remotes'),

  config: row('admission model model/hosts http/server oauth postgres store/health', 'tldts typebox'),

  oauth: row('admission model catalog', 'lru-cache openid-client'),

  texts: row('model threads', 'ajv diff htmlparser2 liquidjs re2js'),

  analysis: row('model/* threads git/objects resolution schemas store/format store/reading texts', 'lru-cache'),

  resolution: row('model model/paths model/rules threads git/objects store/format store/reading', 'lru-cache'),

  documents: row('model texts', 'css-select htmlparser2'),

  tasks: row(
    `admission model threads git git/objects texts documents analysis resolution store/format store/protocol store/disk store/reading
     store/pushing store/reverting store/deploying catalog/queries record-schemas`,
  ),

  'record-schemas': row('model texts', 'ajv ajv-formats lru-cache re2js'),

  git: row('threads'),
  'git/disk': row(''),
  'git/wire': row('git/objects'),
  'git/objects': row(''),
  'git/storage': row('git git/disk git/objects', 'lru-cache'),
  'git/streams': row('git/objects git/storage'),
  'git/repository': row('git git/disk git/objects git/storage', 'lru-cache'),

  'store/format': row('model model/paths model/commits git/objects git/storage', 'htmlparser2'),
  'store/protocol': row(
    `admission model model/paths model/commits threads git/objects git/storage git/repository store/format
     catalog/index/tables`,
  ),
  'store/staging': row(
    'model model/paths model/commits git/objects git/storage git/streams git/repository store/format',
    'lru-cache',
  ),
  'store/operations': row(
    'admission model model/paths model/commits git/objects git/repository store/format store/protocol store/staging',
  ),
  'store/hooks': row('model threads git git/objects git/repository store/pushing/judge'),
  'store/disk/checks': row('threads git/* store/format store/protocol store/hooks', 'lru-cache'),
  'store/disk/fetching': row('model git/* store/format store/protocol', 'lru-cache'),
  'store/disk': row(
    'model git/* store/format store/protocol store/hooks store/pushing/judge store/disk/checks store/disk/fetching',
    'lru-cache',
  ),
  'store/log': row(
    'model git git/disk git/objects git/repository git/storage git/streams postgres store/format store/protocol store/disk store/writing',
  ),
  'store/health': row('model git/objects store/protocol store/disk/checks'),
  'store/reading': row(
    `admission model model/hosts model/commits threads git/objects git/storage git/streams git/repository store/format
     store/protocol store/health`,
    'lru-cache',
  ),
  'store/pushing/judge': row(
    'model model/rules git git/objects git/repository git/storage git/streams store/format',
    'lru-cache',
  ),
  'store/pushing': row(
    `git/streams model model/paths git git/disk git/objects git/storage store/format store/protocol
     store/pushing/judge`,
    'lru-cache',
  ),
  'store/uploads': row('model threads git/disk git/objects git/storage git/streams store/protocol'),
  'store/deploying': row(
    `model model/paths git/disk git/objects git/storage git/streams store/format store/staging store/operations store/protocol`,
  ),
  'store/writing': row(
    `admission model model/commits threads git/objects git/storage store/format store/protocol store/staging store/operations
     store/disk catalog/index/tables catalog/index/pages catalog/index`,
  ),
  'store/merging': row('model git git/disk git/objects git/storage store/format store/staging'),
  'store/reverting': row(
    'model git git/objects git/storage store/format store/protocol store/staging store/merging store/disk',
  ),
  store: row(
    `admission git/* store/protocol store/disk store/disk/fetching store/health store/reading store/reverting
     store/writing`,
  ),

  'second-reader': row('git/objects git/repository git/storage store/format', 'isomorphic-git'),

  nodes: row('threads git/objects postgres store/disk store/protocol'),

  'catalog/sqlite': row('model', 'libsql'),
  'catalog/database': row('catalog/sqlite', 'kysely'),
  catalog: row('admission model catalog/sqlite catalog/database catalog/pushes catalog/remotes', 'kysely lru-cache'),
  'catalog/pushes': row('model catalog/sqlite catalog/database'),
  'catalog/remotes': row('model catalog/sqlite catalog/database'),
  'catalog/nodes': row('model threads postgres catalog/sqlite catalog/database catalog', 'kysely'),
  'catalog/index/tables': row('model model/paths model/commits catalog/sqlite'),
  'catalog/index/pages': row('model model/paths model/commits catalog/index/tables'),
  'catalog/index/files': row('model model/commits catalog/index/tables'),
  'catalog/index/records': row('model model/commits catalog/index/tables'),
  'catalog/index': row(
    `model model/commits catalog/sqlite catalog/index/tables catalog/index/files catalog/index/pages
     catalog/index/records`,
  ),
  'catalog/text': row('texts catalog/sqlite catalog/index/tables'),
  'catalog/queries': row('catalog/sqlite catalog/index/tables catalog/index catalog/text'),

  'indexing/text': row(
    `model model/paths threads git/objects git/storage store/protocol store/disk catalog/index/tables
     catalog/index catalog/text texts`,
  ),
  indexing: row(
    `admission model model/paths model/commits threads git/objects git/storage store/format store/protocol store/disk store/health
     store/reading store catalog/index/tables catalog/index catalog/queries indexing/text`,
    'lru-cache',
  ),

  'usecases/quotas': row(
    `admission model model/commits tasks git/repository store/format store/protocol store/disk store/pushing store catalog indexing`,
    'lru-cache',
  ),
  'usecases/provisioning': row(
    `usecases/quotas admission model model/paths model/hosts threads remotes git git/repository store/format
     store/protocol store/disk store/pushing store/pushing/judge store catalog catalog/remotes`,
  ),
  'usecases/context': row(
    `usecases/quotas admission schemas model model/paths model/commits threads oauth record-schemas tasks
     git/objects store/format store/protocol store/reading store/pushing store/uploads store catalog
     catalog/index/tables indexing mirrors usecases/provisioning`,
    'lru-cache',
  ),
  'usecases/access': row('schemas model model/hosts model/paths catalog usecases/context'),
  'usecases/sites': row(
    `schemas model model/hosts model/paths model/commits remotes store/protocol store/reading catalog catalog/index catalog/pushes
     catalog/remotes usecases/provisioning usecases/context usecases/pages`,
  ),
  'usecases/checks': row(
    `schemas model model/paths tasks git/objects analysis store/format store/reading catalog catalog/queries usecases/context
     usecases/pages`,
  ),
  'usecases/templates': row('schemas model texts store/format store/reading catalog usecases/context'),
  'usecases/pages': row(
    `schemas model model/paths model/rules model/hosts texts documents analysis git/objects catalog/queries store/format store/protocol store/reading catalog
     catalog/index/tables catalog/index usecases/context usecases/templates`,
  ),
  'usecases/files': row(
    `schemas model model/paths model/hosts model/rules texts git/streams store/format store/protocol store/reading store/uploads
     catalog catalog/index/tables usecases/context usecases/pages`,
  ),
  'usecases/deploys': row(
    `schemas model model/paths model/hosts model/rules analysis git/objects git/streams store/format store/protocol
     store/reading store/uploads store/deploying catalog usecases/context`,
  ),
  'usecases/pushes': row(
    `usecases/quotas model model/paths model/hosts model/commits git git/objects git/wire catalog store/format
     store/hooks store/protocol store/pushing store/pushing/judge usecases/context`,
  ),
  'usecases/records': row('schemas model model/commits store/protocol catalog catalog/index/tables usecases/context'),
  'usecases/batch': row(
    `schemas model model/paths model/hosts model/commits git/streams store/protocol store/operations catalog catalog/index
     usecases/context usecases/templates usecases/pages usecases/files usecases/records`,
  ),

  backup: row(
    'model model/hosts git/disk git/repository store/format store/hooks store/disk store catalog/sqlite catalog',
  ),

  'api/request': row(
    'admission model http http/server texts tasks usecases/context',
    'ajv ajv-formats content-type koa typebox',
  ),
  'api/routes': row('schemas model usecases/*', 'typebox'),
  'api/sign-in': row('admission model http usecases/context usecases/access api/request'),
  'api/openapi': row('schemas model api/routes', 'typebox'),
  'api/reference': row('texts'),
  api: row(
    `threads admission model model/hosts model/paths http store/health usecases/context usecases/access
     api/request api/routes api/sign-in api/openapi api/reference`,
    '@koa/router koa pino',
  ),

  'host/reading': row(
    `model threads git/objects git/storage git/streams store/format store/protocol store/disk store/health store/reading
     catalog/index indexing resolution`,
    'lru-cache',
  ),
  'host/sitemap': row(
    `model model/paths threads git/objects git/storage store/format store/protocol store/disk store/reading catalog/index
     indexing`,
    'lru-cache',
  ),
  'host/views': row(
    'model/hosts http git/objects store/protocol store/reading indexing host/reading host/sitemap',
    'lru-cache',
  ),
  'host/answer': row('admission model model/paths http indexing resolution host/views', 'lru-cache'),
  'host/search': row('admission model model/paths http texts host/answer host/reading host/views'),
  host: row(
    `model model/hosts http store/reading indexing resolution host/reading host/sitemap host/views host/answer
     host/search`,
    'pino',
  ),

  'git-http': row(
    `admission model model/hosts http http/server git git/objects git/wire catalog store/format store/protocol
     store/disk/fetching store/pushing/judge usecases/access usecases/context usecases/pushes`,
  ),

  client: row('schemas model api/routes', 'openapi-fetch typebox'),
  'client/node': row('client', 'ignore'),

  mcp: row('model client mcp/text mcp/tools', '@modelcontextprotocol/server'),
  'mcp/text': row('model mcp/tools', '@modelcontextprotocol/server'),
  'mcp/tools': row('model texts', '@modelcontextprotocol/server ajv ajv-formats typebox'),

  dashboard: row('threads', 'sirv'),

  'app/nodes': row(
    'admission model threads config git/objects nodes postgres catalog catalog/nodes store store/log store/protocol',
  ),
  app: row(
    `usecases/quotas admission model model/hosts threads http config oauth git/disk remotes mirrors nodes tasks
     store store/* catalog/* indexing indexing/text usecases/provisioning usecases/context usecases/pages api
     api/* git-http app/nodes host host/reading host/search host/sitemap client mcp mcp/tools dashboard`,
    'lru-cache pino',
  ),

  'app/roles': row(
    `admission http model model/hosts threads http/server config tasks store/disk store/health store/reading
     catalog catalog/sqlite host host/reading app`,
    'pino',
  ),

  'cli/terminal': row('', '@clack/prompts'),
  'cli/connection': row('model client client/node cli/terminal', 'commander'),
  'cli/local': row('model/paths git/disk'),
  'cli/authors': row(
    'model model/paths model/hosts client client/node cli/terminal cli/connection cli/local',
    'commander',
  ),
  'cli/clone': row('model model/hosts client cli/terminal cli/connection', 'commander isomorphic-git'),
  'cli/remotes': row('client cli/terminal cli/connection', '@clack/prompts commander'),
  'cli/operator': row(
    `admission model model/hosts threads config git git/objects git/storage analysis postgres store/format
     store/protocol store/disk store catalog/sqlite catalog catalog/index catalog/text indexing indexing/text
     usecases/provisioning usecases/context usecases/access usecases/sites backup second-reader app app/nodes
     app/roles cli/terminal cli/connection cli/remotes`,
    'commander pino',
  ),
  cli: row('model api/routes client mcp cli/connection', '@clack/prompts commander'),
}

/** A row of the table: folders, then packages, each with a space between. */
function row(folders: string, packages = ''): FolderRule {
  const list = (text: string) => text.split(/\s+/).filter((name) => name !== '')
  return { knows: list(folders), packages: list(packages) }
}

/** The only file that may name entries of threads and processes by URL; it may name those of every folder. */
export const ENTRIES_FILE = 'src/threads/entries.ts'
