import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type Plugin, type Rolldown } from 'vite'

type Chunks = Record<string, Rolldown.OutputAsset | Rolldown.OutputChunk>

/** The scripts of these files, and what they import. */
function withImports(chunks: Chunks, names: readonly string[], found = new Set<string>()) {
  for (const name of names) {
    const chunk = chunks[name]
    if (chunk?.type !== 'chunk' || found.has(name)) continue
    found.add(name)
    withImports(chunks, chunk.imports, found)
  }
  return found
}

/** The fonts of texts and numbers. A font that arrives after the records would move them. */
const FIRST_FONTS = /(hanken-grotesk|ibm-plex-mono)-[\w-]{8}\.woff2$/

/**
 * Lets the browser fetch fonts, and the scripts of the home page, while it reads the first one. The server leaves the
 * lines of the home page out of other pages.
 */
const preloadFirst: Plugin = {
  name: 'preload-first',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle = {} }): HtmlTagDescriptor[] {
      const chunks = Object.values(bundle).filter((item) => item.type === 'chunk')
      const nameOf = (test: (chunk: Rolldown.OutputChunk) => boolean) =>
        chunks.filter(test).map(({ fileName }) => fileName)
      const known = withImports(
        bundle,
        nameOf(({ isEntry, name }) => isEntry && name === 'index'),
      )
      const isHome = (id: string) => /pages[\\/]home[\\/]home\.tsx$/.test(id)
      const home = nameOf(({ moduleIds }) => moduleIds.some(isHome))
      if (home.length === 0) throw new Error('The build has no home page.')
      const link = (attrs: HtmlTagDescriptor['attrs']): HtmlTagDescriptor => ({
        tag: 'link',
        attrs: { ...attrs, crossorigin: true },
        injectTo: 'head',
      })
      const fonts = Object.keys(bundle).filter((name) => FIRST_FONTS.test(name))
      return [
        ...fonts.map((name) =>
          link({ rel: 'preload', as: 'font', type: 'font/woff2', href: `./${name}` }),
        ),
        ...[...withImports(bundle, home)]
          .filter((name) => !known.has(name))
          .map((name) => link({ rel: 'modulepreload', 'data-page': 'home', href: `./${name}` })),
      ]
    },
  },
}

/** Addresses are relative, so that the server may put the app below any path. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), preloadFirst],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2023',
    // Small files as data: addresses would break the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Each file costs time on a slow machine, so what every page needs is one.
            {
              name: 'app',
              tags: ['$initial'],
              test: (id) => !/simplewebauthn|src.(sign-in|worker)/.test(id),
            },
            { name: 'home', test: /pages[\\/]home[\\/](?!setup-list)/ },
            {
              name: 'forms',
              test: /kit[\\/](form|action|slow-answer|fields|days|zone-days|typed-number|currency-digits|debounced)\.tsx?$|text[\\/]forms\.ts$/,
            },
            // The home page loads forms, for a sign-in that has ended, and no list.
            { name: 'lists', test: /kit[\\/]list\.tsx$|text[\\/]lists\.ts$/ },
          ],
        },
      },
      input: {
        index: `${import.meta.dirname}/index.html`,
        // The sign-in page is made by the server; this is its only script.
        'sign-in': `${import.meta.dirname}/src/sign-in.ts`,
        // The service worker, which the server sends at an address without a hash.
        worker: `${import.meta.dirname}/src/worker.ts`,
      },
    },
  },
})
