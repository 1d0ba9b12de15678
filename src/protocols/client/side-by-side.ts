// Does the same work for many items, a few at a time.

const MAX_AT_ONCE = 4

/** Starts in the order of `items`. After a failure it starts nothing more, waits for what is running, and throws the failure. */
export async function doSideBySide<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const workThrough = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) {
      try {
        await work(item)
      } catch (error) {
        next = items.length
        throw error
      }
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: MAX_AT_ONCE }, workThrough))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
