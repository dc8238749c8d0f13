import type { Block, LinkRow, ReferencePage } from '../blocks.ts'
import type { SearchEntry } from '../find.ts'
import { isGuide } from '../guides/guide-files.ts'
import type { ReferenceModel, Site } from '../model.ts'

const curlLine = ({ publicUrl }: Site): string =>
  `curl ${publicUrl}/v1/products \\\n  -H "x-api-key: $TRADEPOST_API_KEY" \\\n  -H "x-store-hash: $TRADEPOST_STORE"`

/** The page at the root of the installation. */
export const homePage = (site: Site): ReferencePage => ({
  href: '/',
  title: 'Tradepost',
  description:
    'A self-hosted store backend: products, stock, orders, payments and signed webhooks.',
  blocks: [
    {
      kind: 'text',
      text: 'This is a store backend: products, stock keys, orders, payments and signed webhooks behind one HTTP API.',
    },
    {
      kind: 'addresses',
      title: 'Addresses',
      rows: [
        { name: 'Dashboard', href: '/dashboard', value: `${site.publicUrl}/dashboard` },
        { name: 'Reference', href: '/docs', value: `${site.publicUrl}/docs` },
        { name: 'Store API', href: '/docs#store-api', value: `${site.publicUrl}/v1` },
        { name: 'Security API', href: '/docs/security', value: `${site.publicUrl}/security/v1` },
      ],
    },
    { kind: 'heading', text: 'First call', id: 'first-call' },
    { kind: 'samples', samples: [{ label: 'curl', language: 'sh', text: curlLine(site) }] },
    {
      kind: 'text',
      text: 'The first start wrote the keys and the store ids to `keys.txt` in `DATA_DIR`. See [Authentication](/docs/authentication) to create another key.',
    },
    { kind: 'heading', text: 'For programs', id: 'for-programs' },
    {
      kind: 'list',
      items: [
        '[openapi.json](/openapi.json): the Store API as OpenAPI 3.1, and [postman.json](/postman.json) for Postman',
        '[security/openapi.json](/security/openapi.json): the Client Security API as OpenAPI 3.1, and [security/postman.json](/security/postman.json) for Postman',
        '[llms.txt](/llms.txt): a list of the pages as Markdown, for language models, and [llms-full.txt](/llms-full.txt): all of them in one',
      ],
    },
  ],
})

/** Returns the URLs, for programs that request `/` as JSON. */
export const homeJson = ({ publicUrl, version }: Site) => ({
  name: 'Tradepost',
  version,
  store_api: `${publicUrl}/v1`,
  security_api: `${publicUrl}/security/v1`,
  dashboard: `${publicUrl}/dashboard`,
  reference: `${publicUrl}/docs`,
  openapi: `${publicUrl}/openapi.json`,
  security_openapi: `${publicUrl}/security/openapi.json`,
  llms: `${publicUrl}/llms.txt`,
})

/** The first page of the reference. */
export const indexPage = (
  model: ReferenceModel,
  guides: readonly ReferencePage[],
): ReferencePage => ({
  href: '/docs',
  title: 'API reference',
  description: 'Every operation, error code and webhook of this installation.',
  blocks: [
    {
      kind: 'text',
      text: `The reference of this installation: ${countOperations(model)} operations, generated from the same data as the API.`,
    },
    { kind: 'samples', samples: [{ label: 'curl', language: 'sh', text: curlLine(model) }] },
    {
      kind: 'links',
      title: 'Start here',
      id: 'start-here',
      rows: rowsOf(guides.filter((page) => !isGuide(page))),
    },
    { kind: 'links', title: 'Guides', id: 'guides', rows: rowsOf(guides.filter(isGuide)) },
    areaLinks('store', 'Store API', 'store-api', model),
    areaLinks('security', 'Client Security API', 'client-security-api', model),
    {
      kind: 'links',
      title: 'Event types',
      id: 'event-types',
      rows: model.events.map(({ type, summary }) => ({
        title: type,
        href: `/docs/events/${type}`,
        about: summary,
      })),
    },
  ],
})

const rowsOf = (pages: readonly ReferencePage[]): LinkRow[] =>
  pages.map(({ title, href, description }) => ({ title, href, about: description }))

const countOperations = ({ areas }: ReferenceModel): number =>
  areas.reduce((sum, { operations }) => sum + operations.length, 0)

const areaLinks = (
  api: 'store' | 'security',
  title: string,
  id: string,
  { areas }: ReferenceModel,
): Block => ({
  kind: 'links',
  title,
  id,
  rows: areas
    .filter((area) => area.api === api)
    .map(({ name, href, description }) => ({ title: name, href, about: description })),
})

/** Returns the page with the results of a search. Without a search text, the results are all entries. */
export function searchPage(results: readonly SearchEntry[], searchText: string): ReferencePage {
  const title = searchText
    ? `${results.length} ${results.length === 1 ? 'result' : 'results'} for “${searchText}”`
    : 'All entries of this reference'
  return {
    href: '/docs/search',
    title: 'Search',
    description: 'Search operations, error codes, events and guides.',
    blocks: [
      {
        kind: 'links',
        title,
        id: 'results',
        rows: results.map(({ title, href, about, kind }) => ({ title, href, about, mark: kind })),
      },
      ...(results.length === 0
        ? [
            {
              kind: 'text' as const,
              text: 'No entry has these words. Use others, or [list all entries](/docs/search).',
            },
          ]
        : []),
    ],
  }
}

export const missingPage = (path: string): ReferencePage => ({
  href: path,
  status: 404,
  title: 'No such page',
  description: 'This page does not exist.',
  blocks: [
    {
      kind: 'text',
      text: 'This page does not exist. Go to the [reference](/docs), or [list all its entries](/docs/search).',
    },
  ],
})
