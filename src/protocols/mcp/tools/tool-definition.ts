// Defines a tool: the facts that its endpoint does not have.

import type { JSONObject, JSONValue } from '@modelcontextprotocol/server'

export interface ToolDefinition {
  name: string
  /** The endpoint that it calls. */
  operationId: string
  title: string
  /** Tells an agent when to use the tool, when not, and what it answers. */
  description: string
  effect: 'reads' | 'adds' | 'changes' | 'removes'
  /** The arguments that name a target: none, accountId, or accountId and siteId. */
  target: 'none' | 'workspace' | 'site'
  /** Kind of the answer, for its short text. */
  shows:
    | 'workspace'
    | 'site'
    | 'page'
    | 'file'
    | 'hit'
    | 'backlink'
    | 'version'
    | 'diff'
    | 'collection'
    | 'record'
    | 'deleted'
    | 'commit'
    | 'undo'
    | 'request'
    | 'comment'
    | 'updatedRequest'
    | 'publishedRequest'
    | 'batch'
    | 'edits'
    | 'checks'
    | 'template'
    | 'me'
    | 'usage'
  /** The default `limit`, if it is not that of all tools. */
  entries?: number
  /** Arguments of the endpoint that this tool does not have. */
  without?: readonly string[]
  /** Arguments without a description: their names say enough, or the tool that the description names describes them. */
  undescribed?: readonly string[]
  /** Arguments that are required here and optional at the endpoint. */
  insistsOn?: readonly string[]
  /** Fields of the body that it sends if the agent gives none. */
  sends?: Readonly<Record<string, JSONValue>>
  /** Schemas that calls are checked against instead of the endpoint's: the API checks what they leave open. A model sees the endpoint's. */
  schemas?: Readonly<Record<string, JSONObject>>
  /** Fields of the endpoint's answer that this tool never has, or that repeat another field. */
  leavesOut?: readonly string[]
}

/** Fields of a page that only some of the calls have. */
export const OF_READS = ['html', 'as', 'content', 'found', 'matches', 'lines', 'characters']
export const OF_WRITES = ['changed', 'dryRun']
