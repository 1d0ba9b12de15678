// The dashboard's build: static files into dist/dashboard-ui, from where the service serves them at its base URL.

import { preact } from '@preact/preset-vite'
import { defineConfig } from 'vite'

// A configuration is a default export: Vite asks for it.
// oxlint-disable-next-line import/no-default-export
export default defineConfig({
  root: import.meta.dirname,
  plugins: [preact()],
  build: {
    outDir: '../dist/dashboard-ui',
    emptyOutDir: true,
    target: 'es2022',
    // The Content-Security-Policy allows no inline script and no data: URL but of images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The editor, which is loaded when a screen first needs it.
    chunkSizeWarningLimit: 600,
  },
  // For work on the dashboard: `npm run dev:dashboard` beside a running service.
  server: { proxy: { '/api': 'http://localhost:8080', '/session': 'http://localhost:8080' } },
})
