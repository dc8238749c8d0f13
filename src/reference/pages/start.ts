import type { Block, Page } from '../blocks.ts'
import { type Found, searchIn } from '../find.ts'
import type { ReferenceModel, Site } from '../model.ts'

export const curlLine = ({ publicUrl }: Site): string =>
  `curl ${publicUrl}/v1/products \\\n  -H "x-api-key: $TRADEPOST_API_KEY" \\\n  -H "x-store-hash: $TRADEPOST_STORE"`

/** The page at the root of the installation. */
export const homePage = (site: Site): Page => ({
  href: '/',
  title: 'Tradepost',
  description:
    'A self-hosted store backend: products, stock, orders, payments and signed webhooks.',
  blocks: [
    {
      kind: 'text',
      text: 'This address is a store backend. Programs talk to it: products, stock keys, orders, payments and signed webhooks behind one HTTP API.',
    },
    {
      kind: 'receipt',
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
      text: 'The first start wrote the keys and the store ids to `keys.txt` in `DATA_DIR`. [Authentication](/docs/authentication) says how to create another key.',
    },
    { kind: 'heading', text: 'For programs', id: 'for-programs' },
    {
      kind: 'list',
      items: [
        '[openapi.json](/openapi.json): the Store API as OpenAPI 3.1',
        '[security/openapi.json](/security/openapi.json): the Client Security API as OpenAPI 3.1',
        '[llms.txt](/llms.txt): the reference as Markdown, for language models',
      ],
    },
  ],
})

/** The URLs, for programs that request `/` as JSON. */
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
export const indexPage = (model: ReferenceModel, guides: readonly Page[]): Page => ({
  href: '/docs',
  title: 'API reference',
  description: 'Every operation, error code and webhook of this installation.',
  blocks: [
    {
      kind: 'text',
      text: `Everything that this installation answers: ${count(model)} operations, written from the same data that answers them.`,
    },
    { kind: 'samples', samples: [{ label: 'curl', language: 'sh', text: curlLine(model) }] },
    {
      kind: 'links',
      title: 'Start here',
      id: 'start-here',
      rows: guides.map(({ title, href, description }) => ({ title, href, about: description })),
    },
    areaLinks('store', 'Store API', 'store-api', model),
    areaLinks('security', 'Client Security API', 'client-security-api', model),
    {
      kind: 'links',
      title: 'Event types',
      id: 'event-types',
      rows: model.events.map(({ type, when }) => ({
        title: type,
        href: `/docs/events/${type}`,
        about: when,
      })),
    },
  ],
})

const count = ({ areas }: ReferenceModel): number =>
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

/** Results of a search; without a search text, all entries. */
export function searchPage(entries: readonly Found[], question: string): Page {
  const found = question ? searchIn(entries, question) : [...entries]
  const said = question
    ? `${found.length} ${found.length === 1 ? 'result' : 'results'} for “${question}”`
    : 'Everything in this reference'
  return {
    href: '/docs/search',
    title: 'Search',
    description: 'Search operations, error codes, events and guides.',
    blocks: [
      {
        kind: 'links',
        title: said,
        id: 'results',
        rows: found.map(({ title, href, about, kind }) => ({ title, href, about, mark: kind })),
      },
      ...(found.length === 0
        ? [
            {
              kind: 'text' as const,
              text: 'Nothing matches all of these words. Try fewer words, or [see everything](/docs/search).',
            },
          ]
        : []),
    ],
  }
}

export const missingPage = (path: string): Page => ({
  href: path,
  status: 404,
  title: 'No such page',
  description: 'This page does not exist.',
  blocks: [
    {
      kind: 'text',
      text: 'This page does not exist. Go to the [reference](/docs), or [see everything in it](/docs/search).',
    },
  ],
})
