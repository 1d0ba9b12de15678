// The same work for many things, some of them at once.

const AT_ONCE = 4

/** Begins in the order of `items`. After a failure nothing more is begun; what runs ends, and then the failure is thrown. */
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
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, workThrough))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
