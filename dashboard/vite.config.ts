import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Addresses are relative, so that the server may put the app below any path. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2023',
    // Small files as data: addresses would break the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        index: `${import.meta.dirname}/index.html`,
        // The sign-in page is made by the server; this is its only script.
        'sign-in': `${import.meta.dirname}/src/sign-in.ts`,
      },
    },
  },
})
