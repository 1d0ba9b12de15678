// A list by its parts, as a client reads it: each with the cursor of the one before.

interface Slice<Row> {
  data: readonly Row[]
  nextCursor?: string | null
}

export async function readSlices<Row>(read: (cursor?: string) => Promise<Slice<Row>>): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: string | undefined, isAtEnd = false; !isAtEnd; isAtEnd = cursor === undefined) {
    const { data, nextCursor } = await read(cursor)
    rows.push(...data)
    cursor = nextCursor ?? undefined
  }
  return rows
}

/** Reads all slices over HTTP: `get` returns the body of the answer to a query. */
export async function readSlicesByQuery<Row>(limit: number, get: (query: string) => Promise<unknown>): Promise<Row[]> {
  return await readSlices(async (cursor) => {
    const body = await get(`limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`)
    const { data, paging } = body as { data: Row[]; paging: { nextCursor: string | null } }
    return { data, ...paging }
  })
}
