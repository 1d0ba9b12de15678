// The import rules: the allowed imports of each folder of `src`. docs/architecture.md shows them as a picture.

export interface FolderRule {
  /** Folders by name; `model/*` is `model` and all folders below it. */
  knows: readonly string[]
  packages: readonly string[]
}

/** Every folder has a row, and a row allows nothing that no file needs. Node's own modules are open to all. */
export const FOLDER_RULES: Readonly<Record<string, FolderRule>> = {
  main: row('catalog/sqlite cli/site cli/clone cli/operator cli'),

  schemas: row('model model/paths model/rights', 'typebox'),

  model: row('model/rights', 'mime-types uuid'),
  'model/rights': row(''),
  'model/paths': row('model'),
  'model/hosts': row('model model/paths', 'proxy-addr'),
  'model/rules': row('model model/paths'),
  'model/commits': row('model model/paths'),

  admission: row('model', 'rate-limiter-flexible'),

  threads: row('model'),

  'nodes/postgres': row('', 'pg'),

  'protocols/http': row('model', 'proxy-addr'),
  'protocols/http/server': row('protocols/http model/hosts'),

  'git/remotes': row('model model/hosts git/objects git/wire'),

  'repository/mirrors': row(
    'admission model threads git/objects git/remotes git/repository repository/format repository catalog catalog/database catalog/remotes',
  ),

  'processes/config': row(
    'admission model model/hosts model/rights threads protocols/http/server catalog/identity nodes/postgres repository/health',
    'tldts typebox',
  ),

  'catalog/identity': row('model/rights admission model catalog', 'jose lru-cache openid-client'),

  texts: row('model model/paths threads', 'ajv diff htmlparser2 liquidjs re2js'),

  'tasks/analysis': row(
    'model/* threads git/objects repository/resolution schemas repository/format repository/reading texts texts/documents',
    'lru-cache',
  ),

  'repository/resolution': row(
    'model model/paths model/rules threads git/objects repository/format repository/reading',
    'lru-cache',
  ),

  'texts/documents': row('model texts', 'css-select htmlparser2'),

  tasks: row(
    `admission model model/paths threads git git/objects texts texts/documents tasks/analysis repository/resolution repository/format repository/protocol repository/disk repository/reading
     repository/pushing repository/merging repository/requests repository/reverting repository/deploying index/queries tasks/record-schemas`,
    'sharp',
  ),

  'tasks/record-schemas': row('model texts', 'ajv ajv-formats lru-cache re2js'),

  git: row('threads'),
  'git/disk': row(''),
  'git/wire': row('git/objects'),
  'git/objects': row(''),
  'git/storage': row('threads git git/disk git/objects', 'lru-cache'),
  'git/streams': row('git/disk git/objects git/storage'),
  'git/repository': row('git git/disk git/objects git/storage', 'lru-cache'),

  'repository/format': row('model model/paths model/commits git/objects git/storage', 'htmlparser2'),
  'repository/protocol':
    row(`admission model model/paths model/commits threads git git/objects git/storage git/repository repository/format
     index/tables`),
  'repository/staging': row(
    'model model/paths model/commits git/objects git/storage git/streams git/repository repository/format',
    'lru-cache',
  ),
  'repository/operations': row(
    'admission model model/paths model/commits git/objects git/repository repository/format repository/protocol repository/staging',
  ),
  'repository/hooks': row('model threads git git/objects git/repository repository/pushing/judge'),
  'repository/disk/checks': row('threads git/* repository/format repository/protocol repository/hooks', 'lru-cache'),
  'repository/disk/fetching': row('model git/* repository/format repository/protocol', 'lru-cache'),
  'repository/disk': row(
    `model git/* repository/format repository/protocol repository/hooks repository/pushing repository/pushing/judge repository/disk/checks index/tables`,
    'lru-cache',
  ),
  'nodes/log': row(
    'model git git/disk git/objects git/repository git/storage git/streams nodes/postgres repository/format repository/protocol repository/disk repository/writing',
  ),
  'repository/health': row('admission model repository/protocol repository/disk/checks'),
  'repository/reading': row(
    `admission model model/hosts model/commits git/objects git/storage git/streams git/repository repository/format
     repository/protocol repository/health`,
    'lru-cache',
  ),
  'repository/pushing/judge': row(
    'model model/paths model/rules git git/objects git/repository git/storage git/streams repository/format repository/protocol',
    'lru-cache',
  ),
  'repository/pushing': row(
    `git/streams model model/paths model/rules model/commits git git/disk git/objects git/repository git/storage repository/format repository/protocol
     repository/resolution repository/pushing/judge`,
    'lru-cache',
  ),
  'repository/uploads': row('admission model threads git/disk git/objects git/storage git/streams repository/protocol'),
  'repository/deploying': row(
    `model model/paths git/disk git/objects git/storage git/streams repository/format repository/staging repository/operations repository/protocol`,
  ),
  'repository/writing':
    row(`admission model model/commits threads git/objects git/storage repository/format repository/protocol repository/staging repository/operations
     repository/disk index/tables index/pages index`),
  'repository/merging': row(
    'model model/paths git git/disk git/objects git/storage repository/format repository/protocol repository/reading repository/staging',
    'htmlparser2',
  ),
  'repository/requests': row(
    'model model/paths git git/disk git/objects git/storage repository/format repository/protocol repository/staging repository/merging repository/operations',
  ),
  'repository/reverting': row(
    'model model/paths git git/objects git/repository git/storage repository/format repository/protocol repository/staging repository/merging repository/disk',
  ),
  repository:
    row(`admission git/* repository/protocol repository/disk repository/disk/fetching repository/health repository/reading repository/reverting
     repository/writing`),

  'repository/second-reader': row('git/objects git/repository git/storage repository/format', 'isomorphic-git'),

  nodes: row('threads git/objects nodes/postgres repository/disk repository/protocol'),

  'catalog/sqlite': row('model', '@photostructure/sqlite'),
  'catalog/database': row('admission model model/rights catalog/sqlite', 'kysely'),
  'catalog/people': row('model model/rights catalog/sqlite catalog/database', 'kysely'),
  'catalog/agents': row('model/rights catalog/sqlite catalog/database', 'kysely'),
  'catalog/audit': row('model catalog/sqlite catalog/database', 'kysely'),
  catalog: row(
    'model/rights admission model catalog/sqlite catalog/database catalog/pushes catalog/remotes catalog/people catalog/audit catalog/agents catalog/requests',
    'kysely lru-cache',
  ),
  'catalog/pushes': row('catalog/sqlite catalog/database'),
  'catalog/remotes': row('catalog/sqlite catalog/database'),
  'catalog/requests': row('admission catalog/sqlite catalog/database', 'kysely'),
  'nodes/catalog': row('model threads nodes/postgres catalog/sqlite catalog/database catalog', 'kysely'),
  'index/tables': row('model model/paths model/commits threads catalog/sqlite'),
  'index/pages': row('model model/paths model/commits index/tables'),
  'index/files': row('model model/commits index/tables'),
  'index/records': row('model model/commits texts index/tables'),
  index: row(`model model/commits catalog/sqlite index/tables index/files index/pages
     index/records`),
  'index/text': row('texts catalog/sqlite index/tables'),
  'index/queries': row('catalog/sqlite index/tables index index/text'),

  'indexing/text':
    row(`admission model model/paths threads git/objects git/storage repository/protocol repository/disk index/tables
     index index/text texts`),
  indexing: row(
    `admission model model/paths model/commits threads git/objects git/storage repository/format repository/protocol repository/disk repository/health
     repository/reading repository index/tables index index/queries indexing/text`,
    'lru-cache',
  ),

  'usecases/quotas': row(
    `admission model model/commits tasks git/repository repository/format repository/protocol repository/disk repository/pushing repository catalog indexing`,
    'lru-cache',
  ),
  'usecases/provisioning':
    row(`usecases/quotas admission model model/paths model/hosts threads git/remotes git git/repository repository/format
     repository/protocol repository/disk repository/pushing repository/pushing/judge repository catalog catalog/remotes`),
  'usecases/context': row(
    `catalog/requests model/rights usecases/quotas admission schemas model model/paths model/commits threads catalog/identity tasks
     git/remotes git/objects repository/format repository/protocol repository/reading repository/pushing repository/uploads repository catalog catalog/audit
     index/tables indexing repository/mirrors usecases/provisioning usecases/protection`,
    'lru-cache',
  ),
  'usecases/protection': row('model model/rights catalog catalog/requests'),
  'usecases/requests': row(
    `schemas model model/commits model/paths model/rights admission index repository repository/format repository/merging repository/protocol
     repository/reading repository/requests catalog catalog/requests usecases/context usecases/pages usecases/protection`,
  ),
  'usecases/requests/schedule': row(
    `schemas model model/rights admission repository/protocol catalog/audit catalog/requests usecases/access usecases/context usecases/protection
     usecases/requests`,
  ),
  'usecases/comments': row(
    `admission schemas model model/paths model/rights repository/protocol catalog catalog/requests usecases/context usecases/pages usecases/protection
     usecases/requests`,
  ),
  'usecases/reviews': row(
    `schemas model model/hosts model/paths model/rights repository catalog catalog/requests usecases/access usecases/comments usecases/context
     usecases/protection usecases/requests`,
  ),
  'usecases/access': row(
    'model/rights schemas model model/hosts model/paths catalog catalog/people usecases/context usecases/protection',
  ),
  'usecases/agents': row('model model/rights schemas catalog catalog/agents usecases/access usecases/context'),
  'usecases/people': row(
    'model/rights schemas model model/hosts catalog catalog/audit catalog/people usecases/access usecases/context',
  ),
  'usecases/sign-in': row(
    'model/rights schemas model catalog catalog/database catalog/identity catalog/people usecases/context usecases/access usecases/people',
    '@passwordless-id/webauthn',
  ),
  'usecases/sites':
    row(`schemas model model/hosts model/paths model/commits git/remotes repository/protocol repository/disk repository/reading catalog index catalog/pushes
     catalog/remotes usecases/provisioning usecases/access usecases/context usecases/pages usecases/people usecases/protection usecases/requests`),
  'usecases/checks':
    row(`schemas model model/paths tasks git/objects tasks/analysis repository/format repository/reading repository/resolution index/queries usecases/context
     usecases/pages usecases/records`),
  'usecases/templates': row('schemas model texts repository/format repository/reading usecases/context'),
  'usecases/pages':
    row(`schemas model model/commits model/paths model/rules model/hosts texts texts/documents tasks/analysis git/objects index/queries repository/format repository/protocol repository/reading catalog
     index/tables index usecases/context usecases/templates`),
  'usecases/merging': row(
    'schemas model model/paths repository/protocol usecases/context usecases/templates usecases/pages',
  ),
  'usecases/moves':
    row(`schemas model model/commits model/hosts model/paths repository/format repository/protocol repository/resolution index index/queries index/tables
     usecases/context usecases/pages usecases/merging usecases/templates`),
  'usecases/files':
    row(`schemas model model/paths model/hosts model/rules texts git/remotes git/streams repository/format repository/protocol repository/reading repository/uploads
     catalog index/tables usecases/context usecases/pages usecases/merging`),
  'usecases/deploys':
    row(`schemas model model/paths model/hosts model/rights model/rules tasks/analysis git/objects git/streams repository/format repository/protocol
     repository/reading repository/resolution repository/uploads repository/deploying catalog usecases/context usecases/protection`),
  'usecases/pushes':
    row(`admission usecases/quotas schemas model model/paths model/hosts model/commits git git/objects git/wire repository repository/format repository/hooks
     repository/protocol repository/pushing repository/pushing/judge catalog catalog/requests usecases/access usecases/context usecases/protection
     usecases/requests`),
  'usecases/records': row(
    'schemas model model/commits repository/format repository/protocol catalog index/tables tasks tasks/record-schemas usecases/context usecases/merging',
  ),
  'usecases/batch':
    row(`schemas model model/paths model/hosts model/commits git/streams repository/protocol repository/operations catalog index
     usecases/context usecases/templates usecases/pages usecases/moves usecases/merging usecases/files usecases/records`),

  'repository/backup': row(
    'model model/hosts git/disk git/repository repository/format repository/hooks repository/protocol repository/disk repository catalog/audit catalog/sqlite catalog',
  ),

  'protocols/api/request': row(
    'admission model model/paths protocols/http texts tasks usecases/context',
    'ajv ajv-formats content-type koa typebox',
  ),
  'protocols/api/routes': row(
    'model/rights schemas model usecases/* protocols/api/request protocols/api/sign-in',
    'typebox',
  ),
  'protocols/api/sign-in': row(
    'admission schemas model protocols/http usecases/context usecases/access usecases/sign-in protocols/api/request',
    'pino',
  ),
  // The authorization server answers at the API's host, with its errors, limits and sessions: it is no protocol beside the API.
  'protocols/api/oauth': row(
    `admission model model/rights schemas git/remotes catalog catalog/agents protocols/http usecases/access usecases/agents usecases/context
     protocols/api/request protocols/api/routes protocols/api/sign-in`,
    'koa oidc-provider',
  ),
  'protocols/api/openapi': row('schemas model threads protocols/api/routes', 'typebox'),
  'protocols/api/reference': row('texts'),
  'protocols/api': row(
    `model/rights threads admission model model/hosts catalog/sqlite protocols/http protocols/http/server repository/health usecases/context usecases/people usecases/requests
     usecases/access protocols/api/request protocols/api/routes protocols/api/sign-in protocols/api/oauth protocols/api/openapi protocols/api/reference`,
    'koa pino',
  ),

  'protocols/host/reading': row(
    `admission model threads git/objects git/storage git/streams repository/format repository/protocol repository/disk repository/health
     repository/reading index indexing repository/resolution`,
    'lru-cache',
  ),
  'protocols/host/sitemap': row(
    `model model/paths threads git/objects git/storage repository/format repository/protocol repository/disk repository/reading index
     indexing repository/resolution protocols/host/reading`,
    'lru-cache',
  ),
  'protocols/host/views': row(
    'model/hosts protocols/http git/objects repository/protocol repository/reading indexing protocols/host/reading protocols/host/sitemap',
    'lru-cache',
  ),
  'protocols/host/answer': row(
    'admission model model/paths protocols/http indexing repository/resolution protocols/host/views',
    'lru-cache',
  ),
  'protocols/host/search': row(
    'admission model model/paths protocols/http texts protocols/host/answer protocols/host/reading protocols/host/views',
  ),
  'protocols/host/pictures': row('model model/paths protocols/host/answer protocols/host/views', 'lru-cache'),
  'protocols/host': row(
    `model model/hosts model/paths protocols/http repository/reading indexing repository/resolution protocols/host/reading protocols/host/sitemap protocols/host/views protocols/host/answer
     protocols/host/pictures protocols/host/search`,
    'pino',
  ),

  'protocols/git-http':
    row(`admission model model/hosts protocols/http protocols/http/server git git/objects git/wire catalog repository/format repository/protocol
     repository/disk/fetching repository/pushing/judge usecases/access usecases/context usecases/pushes`),

  'protocols/client': row('schemas model protocols/api/routes', 'openapi-fetch typebox'),
  'protocols/client/node': row('protocols/client', 'ignore'),

  'protocols/mcp': row(
    'model model/rights threads protocols/client protocols/mcp/text protocols/mcp/arguments protocols/mcp/tools',
    '@modelcontextprotocol/server',
  ),
  'protocols/mcp/text': row('model model/paths protocols/mcp/tools', '@modelcontextprotocol/server'),
  'protocols/mcp/arguments': row('model texts protocols/mcp/tools', 'ajv ajv-formats'),
  'protocols/mcp/tools': row('model model/rights', '@modelcontextprotocol/server typebox'),

  'protocols/dashboard': row('threads', 'sirv'),

  'nodes/opening': row(
    'admission model threads git/objects nodes nodes/postgres catalog nodes/catalog repository nodes/log repository/protocol',
  ),
  processes: row(
    `index usecases/quotas admission model model/hosts threads protocols/http processes/config catalog/identity
     git/disk git/remotes repository/mirrors nodes tasks repository repository/* catalog/* indexing indexing/text
     usecases/access usecases/provisioning usecases/context usecases/pages usecases/pushes usecases/requests
     usecases/requests/schedule protocols/api protocols/api/* protocols/git-http
     nodes/opening protocols/host protocols/host/pictures protocols/host/reading protocols/host/search protocols/host/sitemap
     protocols/client protocols/mcp protocols/mcp/tools protocols/dashboard`,
    'lru-cache pino',
  ),

  'processes/roles': row(
    `admission protocols/http model model/hosts threads protocols/http/server processes/config tasks repository/disk repository/health repository/reading
     catalog catalog/sqlite usecases/access protocols/host protocols/host/reading processes`,
    'pino',
  ),

  'cli/terminal': row('', '@clack/prompts'),
  'cli/connection': row(
    'model protocols/client protocols/client/node cli/terminal cli/local',
    'commander openid-client undici',
  ),
  'cli/local': row('model/paths git/disk protocols/client/node'),
  'cli/dev': row(
    'model model/rules git/objects protocols/http protocols/client/node repository/resolution cli/terminal cli/connection',
    'commander',
  ),
  'cli/authors': row(
    'model model/paths model/hosts model/rights model/rules repository/resolution protocols/client protocols/client/node cli/terminal cli/connection cli/local',
    'commander',
  ),
  'cli/clone': row('model model/hosts protocols/client cli/terminal cli/connection', 'commander isomorphic-git'),
  'cli/site': row('admission model protocols/client cli/terminal cli/connection cli/authors cli/remotes', 'commander'),
  'cli/remotes': row('protocols/client cli/terminal cli/connection', '@clack/prompts commander'),
  'cli/operator': row(
    `model/rights admission model model/hosts threads processes/config git git/objects git/storage tasks/analysis nodes/postgres repository/format
     repository/protocol repository/disk repository/disk/checks repository catalog/audit catalog/people catalog/requests catalog/sqlite catalog index index/tables index/text indexing indexing/text
     usecases/provisioning usecases/context usecases/access usecases/sign-in usecases/sites repository/backup repository/second-reader processes nodes/opening
     processes/roles cli/terminal cli/connection cli/remotes cli/site`,
    'commander pino',
  ),
  cli: row(
    `model/rights model threads protocols/api/routes protocols/client protocols/mcp cli/terminal cli/connection cli/local cli/authors cli/dev cli/remotes cli/site`,
    '@clack/prompts commander openid-client',
  ),
}

/** A row of the table: folders, then packages, each with a space between. */
function row(folders: string, packages = ''): FolderRule {
  const list = (text: string) => text.split(/\s+/).filter((name) => name !== '')
  return { knows: list(folders), packages: list(packages) }
}

/** The only file that may name entries of threads and processes by URL; it may name those of every folder. */
export const ENTRIES_FILE = 'src/threads/entries.ts'
