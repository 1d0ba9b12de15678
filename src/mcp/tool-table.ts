// The tools: each is an endpoint of the API under the name that agents know, with when to use it. Arguments, limits and
// answers are not written here: they come from the endpoint.

export interface ToolDefinition {
  name: string
  /** The endpoint that it calls. */
  operationId: string
  title: string
  /** For an agent: when to use it, when not, what comes back. */
  description: string
  effect: 'reads' | 'adds' | 'changes' | 'removes'
  /** Which of the target's header fields it takes as arguments. */
  target: 'none' | 'workspace' | 'site'
  /** The answer's own word for a short text; the rest of it is structured content. */
  shows: 'workspace' | 'site' | 'page' | 'version' | 'diff' | 'collection' | 'record' | 'deleted'
  /** Arguments of the endpoint that this tool does without. */
  without?: readonly string[]
  /** Arguments that this tool insists on where the endpoint does not. */
  insistsOn?: readonly string[]
  /** Fields of the endpoint's answer that this call never gets, or that say again what another field says. */
  leavesOut?: readonly string[]
}

/** What only other calls that answer with a page have in it. */
const OF_READS = ['html', 'lines']
const OF_WRITES = ['changed', 'dryRun']

export const TOOLS: readonly ToolDefinition[] = [
  {
    name: 'list_workspaces',
    operationId: 'listWorkspaces',
    title: 'List workspaces',
    description: 'Workspaces this key reaches, each with its default site. Only needed to work outside the default.',
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
      'Changes parts of a page without resending it: each find must occur exactly once, or lines are named. Needs the etag that get_page gave. All edits apply, or none.',
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
    description: 'Takes a page off the site at once. Its versions stay; rollback_page brings it back.',
    effect: 'removes',
    target: 'site',
    shows: 'page',
    leavesOut: OF_READS,
  },
  {
    name: 'list_versions',
    operationId: 'listVersions',
    title: 'List versions of a page',
    description: 'Who changed a page and when, newest first; of unpublished pages too.',
    effect: 'reads',
    target: 'site',
    shows: 'version',
    leavesOut: ['html'],
  },
  {
    name: 'diff_versions',
    operationId: 'diffVersions',
    title: 'Compare versions of a page',
    description: 'The unified diff of two versions; by default of the newest and the one before.',
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
      'Puts an earlier version back as a new one; revives an unpublished page. Find the version with list_versions.',
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
      'Records of a collection by exact conditions, sorted. For words anywhere in a record use search_records.',
    effect: 'reads',
    target: 'site',
    shows: 'record',
    without: ['q'],
  },
  {
    name: 'search_records',
    operationId: 'listRecords',
    title: 'Search records',
    description: 'Records of a collection that hold all words of q; filter and sort as in list_records.',
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
    description: 'Replaces all data of a record: send every field that shall stay. Send ifMatch from what you read.',
    effect: 'changes',
    target: 'site',
    shows: 'record',
  },
  {
    name: 'delete_record',
    operationId: 'deleteRecord',
    title: 'Delete a record',
    description: 'Takes a record out of its collection; only reverting the commit brings it back.',
    effect: 'removes',
    target: 'site',
    shows: 'deleted',
  },
]
