import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTradepost, type Tradepost } from '../../../../test/harness.ts'

let tradepost: Tradepost

beforeAll(async () => {
  tradepost = await openTradepost()
})
afterAll(() => tradepost.close())

const createWith = (description_html: string) =>
  tradepost.post('/products', { name: 'Game', price_cents: 1_000, details: { description_html } })

test.each([
  '<textarea/><img src=x onerror=alert(1)></textarea>',
  '<xmp/><img src=x onerror=alert(1)></xmp>',
  '<svg><a><animate attributeName=href values=javascript:alert(1) /><text>x</text></a></svg>',
  '<svg><set attributeName=href to=javascript:alert(1) /></svg>',
])(
  'HTML that older versions of the sanitizer let through is removed: %s (decision 133)',
  async (html) => {
    const { json } = await createWith(`<p>Kept</p>${html}`)
    expect(json.details.description_html).toContain('<p>Kept</p>')
    expect(json.details.description_html).not.toMatch(
      /textarea|xmp|svg|animate|<set|onerror|javascript/,
    )
  },
)

test('HTML is cleaned when it is stored: scripts are removed, text stays', async () => {
  const description_html = [
    '<p onclick="steal()">Good <b>text</b></p>',
    '<script>steal()</script><style>p{}</style>',
    '<img src="x" onerror="steal()"><img src="https://example.com/a.png" alt="A">',
    '<a href="javascript:steal()">one</a><a href=" jAvA&#9;script:steal()">two</a>',
    '<a href="https://example.com" style="x">three</a><a href="data:text/html,x">four</a>',
    '<iframe src="https://evil.example"></iframe><svg onload="steal()"></svg>',
    '<form action="/x"><input></form><a href="//evil.example">five</a>',
  ].join('')
  const { json } = await createWith(description_html)
  const cleanedHtml: string = json.details.description_html
  expect(cleanedHtml).toContain('Good <b>text</b>')
  expect(cleanedHtml).toContain('href="https://example.com"')
  expect(cleanedHtml).toContain('src="https://example.com/a.png"')
  expect(cleanedHtml).not.toMatch(
    /steal|script|onclick|onerror|onload|style|iframe|svg|form|input|data:/i,
  )
  const update = await tradepost.patch(`/products/${json.product.id}`, {
    details: { description_html },
  })
  expect(update.json.details.description_html).toBe(cleanedHtml)
})

test.each([
  ['tags', '<b>'.repeat(33_000)],
  ['attributes', `<p ${'a '.repeat(49_000)}>`],
  ['entities', '&'.repeat(100_000)],
])('HTML of too many %s is refused before cleaning (decision 120)', async (kind, html) => {
  const refusal = await createWith(html)
  expect([refusal.status, refusal.json.details.field]).toEqual([422, 'details.description_html'])
  expect(refusal.json.error).toMatch(
    new RegExp(`^details.description_html: Use at most \\d+ ${kind}`),
  )
})

test('HTML that exceeds the limit of tags after cleaning is refused', async () => {
  const { status, json } = await createWith('<b>'.repeat(1_001))
  expect([status, json.error]).toEqual([
    422,
    'details.description_html: Use at most 2000 tags; this has 2002.',
  ])
})
