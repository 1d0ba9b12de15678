// The tools: each is an endpoint of the API under a name for agents, with advice on when to use it. Arguments, limits and answers
// come from the endpoint.

export interface ToolDefinition {
  name: string
  /** The endpoint that it calls. */
  operationId: string
  title: string
  /** For an agent: when to use the tool, when not, and what it answers. */
  description: string
  effect: 'reads' | 'adds' | 'changes' | 'removes'
  /** The arguments that name a target: none, accountId, or accountId and siteId. */
  target: 'none' | 'workspace' | 'site'
  /** What the answer is, for its short text. */
  shows: 'workspace' | 'site' | 'page' | 'version' | 'diff' | 'collection' | 'record' | 'deleted'
  /** Arguments of the endpoint that this tool does not have. */
  without?: readonly string[]
  /** Arguments that are required here and optional at the endpoint. */
  insistsOn?: readonly string[]
  /** Fields of the endpoint's answer that this tool never has, or that repeat another field. */
  leavesOut?: readonly string[]
}

/** Fields of a page that only some of the calls have. */
const OF_READS = ['html', 'lines']
const OF_WRITES = ['changed', 'dryRun']

export const TOOLS: readonly ToolDefinition[] = [
  {
    name: 'list_workspaces',
    operationId: 'listWorkspaces',
    title: 'List workspaces',
    description: 'Workspaces this key can reach, each with its default site. Needed only to work outside the default.',
    effect: 'reads',
    target: 'none',
    shows: 'workspace',
  },
  {
    name: 'list_sites',
    operationId: 'listSites',
    title: 'List sites',
    description:
      'Sites of a workspace with id, slug and URL. Use it to get a siteId; without one, tools act on the default site.',
    effect: 'reads',
    target: 'workspace',
    shows: 'site',
    leavesOut: ['usage'],
  },
  {
    name: 'list_pages',
    operationId: 'listPages',
    title: 'List or find pages',
    description:
      'Finds pages by path, prefix or text in path or title, ordered by path, without html. Read one with get_page.',
    effect: 'reads',
    target: 'site',
    shows: 'page',
    leavesOut: [...OF_READS, ...OF_WRITES],
  },
  {
    name: 'get_page',
    operationId: 'getPage',
    title: 'Read a page',
    description: 'A page with its html and the etag that edits send as ifMatch. Ask for a range of a long page.',
    effect: 'reads',
    target: 'site',
    shows: 'page',
    leavesOut: OF_WRITES,
  },
  {
    name: 'create_page',
    operationId: 'createPage',
    title: 'Publish a page',
    description:
      'Publishes a new page, live at once, from html or a template. A taken path is refused: use edit_page or update_page there.',
    effect: 'adds',
    target: 'site',
    shows: 'page',
    leavesOut: OF_READS,
  },
  {
    name: 'update_page',
    operationId: 'replacePage',
    title: 'Replace a page',
    description:
      'Replaces all html of a page, live at once, as a new version. For small changes use edit_page. Send ifMatch from get_page.',
    effect: 'changes',
    target: 'site',
    shows: 'page',
    leavesOut: OF_READS,
  },
  {
    name: 'edit_page',
    operationId: 'editContent',
    title: 'Edit part of a page',
    description:
      'Changes parts of a page without resending it: each find must occur exactly once, or name lines. Needs the etag from get_page. All edits apply, or none.',
    effect: 'changes',
    target: 'site',
    shows: 'page',
    leavesOut: OF_READS,
    insistsOn: ['ifMatch'],
  },
  {
    name: 'delete_page',
    operationId: 'unpublishPage',
    title: 'Unpublish a page',
    description: 'Takes a page off the site at once. Needs its etag. Its versions stay; rollback_page restores it.',
    effect: 'removes',
    target: 'site',
    shows: 'page',
    leavesOut: OF_READS,
    insistsOn: ['ifMatch'],
  },
  {
    name: 'list_versions',
    operationId: 'listVersions',
    title: 'List versions of a page',
    description: 'Who changed a page and when, newest first; works for unpublished pages too.',
    effect: 'reads',
    target: 'site',
    shows: 'version',
    leavesOut: ['html'],
  },
  {
    name: 'diff_versions',
    operationId: 'diffVersions',
    title: 'Compare versions of a page',
    description: 'The unified diff of two versions; by default the newest and the one before.',
    effect: 'reads',
    target: 'site',
    shows: 'diff',
    leavesOut: ['hunks'],
  },
  {
    name: 'rollback_page',
    operationId: 'rollbackPage',
    title: 'Roll a page back',
    description:
      'Publishes an earlier version as a new one; also restores an unpublished page. Find the version with list_versions.',
    effect: 'changes',
    target: 'site',
    shows: 'page',
    leavesOut: OF_READS,
  },
  {
    name: 'list_collections',
    operationId: 'listCollections',
    title: 'List collections',
    description: 'Collections of records, each with the JSON Schema of its records.',
    effect: 'reads',
    target: 'site',
    shows: 'collection',
  },
  {
    name: 'create_collection',
    operationId: 'createCollection',
    title: 'Create a collection',
    description: 'Makes a collection of records; with a schema, each record is checked against it.',
    effect: 'adds',
    target: 'site',
    shows: 'collection',
  },
  {
    name: 'list_records',
    operationId: 'listRecords',
    title: 'List records',
    description:
      'Records of a collection by exact conditions, sorted. To find words anywhere in a record use search_records.',
    effect: 'reads',
    target: 'site',
    shows: 'record',
    without: ['q'],
  },
  {
    name: 'search_records',
    operationId: 'listRecords',
    title: 'Search records',
    description: 'Records of a collection that contain all words of q; filter and sort as in list_records.',
    effect: 'reads',
    target: 'site',
    shows: 'record',
    insistsOn: ['q'],
  },
  {
    name: 'create_record',
    operationId: 'createRecord',
    title: 'Create a record',
    description: "Adds a record. Its data must fit the collection's schema (list_collections).",
    effect: 'adds',
    target: 'site',
    shows: 'record',
  },
  {
    name: 'update_record',
    operationId: 'putRecord',
    title: 'Replace a record',
    description: 'Replaces all data of a record: send every field you want to keep. Send ifMatch from what you read.',
    effect: 'changes',
    target: 'site',
    shows: 'record',
  },
  {
    name: 'delete_record',
    operationId: 'deleteRecord',
    title: 'Delete a record',
    description: 'Deletes a record. Only a revert of the commit, through the API, restores it.',
    effect: 'removes',
    target: 'site',
    shows: 'deleted',
  },
]
