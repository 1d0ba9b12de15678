// Settings of earlier versions. One that is still set stops the start with a message about its replacement.

/** Replacement of each setting by name, as the end of a sentence. */
const GONE: Readonly<Record<string, string>> = {
  WORKERS: '"serve" is one process; for more load run "serve --role api" beside "serve --role sites" (docs/upgrade.md)',
  NODE_ADDRESS: 'nodes send nothing to one another; set NODE_NUMBER, and let the proxy route by it (docs/upgrade.md)',
  NODE_SECRET_FILE: 'nodes send nothing to one another; the file can be removed (docs/upgrade.md)',
}

/** Returns one line for each such setting that is set; empty values count as absent. */
export function checkGoneSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(GONE).flatMap(([name, instead]) => (env[name] ? [`${name} is gone: ${instead}`] : []))
}
