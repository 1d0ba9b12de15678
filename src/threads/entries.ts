// Entry files of all threads, processes and programs of the service, named only here. The code that starts them, the bundle and the
// dead-code check read this list.

/** Bundled or not, this module is one folder below the folder that all entries are named from. */
export const ENTRIES = {
  writerThread: new URL('../repository/writing/writer-thread.js', import.meta.url),
  loggedWriterThread: new URL('../nodes/log/node-writer-thread.js', import.meta.url),
  checkerThread: new URL('../repository/disk/checks/checker-thread.js', import.meta.url),
  indexerThread: new URL('../indexing/indexer-thread.js', import.meta.url),
  textIndexerThread: new URL('../indexing/text/text-indexer-thread.js', import.meta.url),
  taskWorker: new URL('../tasks/task-worker.js', import.meta.url),
  blobThread: new URL('../repository/uploads/blob-thread.js', import.meta.url),
  readerThread: new URL('../protocols/host/reading/reader-thread.js', import.meta.url),
  sitemapThread: new URL('../protocols/host/sitemap/sitemap-thread.js', import.meta.url),
  pushJudge: new URL('../repository/hooks/push-judge.js', import.meta.url),
} as const
