// The path of the tool protocol.

export const TOOLS_PATH = '/mcp'

/** Clients add a slash to the URL, or keep one that was typed. */
export function isOfTools(path: string): boolean {
  return path === TOOLS_PATH || path === `${TOOLS_PATH}/`
}
