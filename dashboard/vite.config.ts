// The build of the dashboard: static files in dist/dashboard-ui, which the service serves at its base URL. With the mode `parts` it makes
// the page of all parts in dist/parts-ui, which only tests and those who draw look at.

import { preact } from '@preact/preset-vite'
import { defineConfig } from 'vite'

// Vite expects the configuration as a default export.
// oxlint-disable-next-line import/no-default-export
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [preact()],
  build: {
    outDir: mode === 'parts' ? '../dist/parts-ui' : '../dist/dashboard-ui',
    rolldownOptions: { input: `${import.meta.dirname}/${mode === 'parts' ? 'parts' : 'index'}.html` },
    emptyOutDir: true,
    target: 'es2022',
    // The Content-Security-Policy forbids inline scripts, and allows data: URLs only for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Allows for CodeMirror, which is loaded when a screen first needs it.
    chunkSizeWarningLimit: 600,
  },
  // Used by `npm run dev:dashboard` next to a running service. The page of all parts is at /parts.html there.
  server: {
    proxy: { '/api': 'http://localhost:8080', '/session': 'http://localhost:8080', '/guest': 'http://localhost:8080' },
  },
}))
