import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { firstStartUrl } from '../../src/features/installation/index.ts'
import { ORIGIN, openBrowser, PASSWORD } from '../browser-session.ts'
import { type Answer, type Json, openTradepost, type Tradepost } from '../harness.ts'

// The page on which the first owner creates the first store.

const HTML = { accept: 'text/html' }
const FORM = { ...HTML, 'content-type': 'application/x-www-form-urlencoded' }

let tradepost: Tradepost
beforeAll(async () => {
  tradepost = await openTradepost()
})
beforeEach(async () => {
  await sql`truncate account, store, dashboard_user restart identity cascade`.execute(tradepost.db)
})
afterAll(() => tradepost.close())

const startPath = async () => ((await firstStartUrl(tradepost.app)) ?? '').replace(ORIGIN, '')
const FIELDS = {
  name: 'Mara',
  email: 'mara@example.com',
  password: PASSWORD,
  store_name: 'Corner Shop',
  currency: 'eur',
}
const titleOf = ({ text }: Answer) => /<h1>(.*?)<\/h1>/.exec(text)?.[1]

async function submit(fields: Record<string, string>, browser = openBrowser(tradepost)) {
  const token = (await startPath()).split('token=')[1] ?? ''
  const raw = new URLSearchParams({ token, ...fields }).toString()
  return browser.call('POST', '/dashboard/first-start', undefined, { headers: FORM, raw })
}

describe('the first start', () => {
  test('asks for the owner and the store on one page', async () => {
    const page = await openBrowser(tradepost).get(await startPath(), { headers: HTML })
    expect([page.status, titleOf(page)]).toEqual([200, 'Welcome to Tradepost'])
    const names = [...page.text.matchAll(/<input name="(\w+)"/g)].map(([, name]) => name)
    expect(names).toEqual(['name', 'email', 'password', 'store_name', 'currency', 'demo'])
  })

  test('creates the owner and both sides of the store, and opens the test side', async () => {
    const browser = openBrowser(tradepost)
    const answer = await submit(FIELDS, browser)
    expect(answer.status).toBe(303)
    const me: Json = (await browser.get('/me')).json
    expect(me.user).toMatchObject({ email: 'mara@example.com', name: 'Mara', has_password: true })
    expect(me.stores).toMatchObject([
      { name: 'Corner Shop', livemode: true, role: 'owner' },
      { name: 'Corner Shop', livemode: false, role: 'owner' },
    ])
    expect(answer.headers.location).toBe(`/dashboard/${me.stores[1].id}`)
    const account: Json = (await browser.get(`/stores/${me.stores[0].id}/v1/account`)).json
    expect(account.account.store.currency).toBe('EUR')
  })

  test('is recorded in the audit trail with the owner as the actor', async () => {
    const browser = openBrowser(tradepost)
    await submit(FIELDS, browser)
    const { stores }: Json = (await browser.get('/me')).json
    const trail: Json = (await browser.get(`/stores/${stores[0].id}/v1/account/audit-events`)).json
    expect(trail.audit_events[0]).toMatchObject({
      action: 'store.create',
      actor: { type: 'user', name: 'Mara' },
    })
  })

  test('keeps the typed values of a refused form, except the password', async () => {
    const page = await submit({ ...FIELDS, currency: 'XYZ' })
    expect([page.status, titleOf(page)]).toEqual([422, 'Welcome to Tradepost'])
    expect(page.text).toContain('currency: Write a code of ISO 4217, such as EUR.')
    expect(page.text).toContain('value="Corner Shop"')
    expect(page.text).not.toContain(PASSWORD)
    expect(await startPath()).not.toBe('')
  })

  test('ends when the first store exists', async () => {
    const path = await startPath()
    await submit(FIELDS)
    expect(await firstStartUrl(tradepost.app)).toBeUndefined()
    const page = await openBrowser(tradepost).get(path, { headers: HTML })
    expect([page.status, titleOf(page)]).toEqual([404, 'This link has ended'])
    const token = path.split('token=')[1]
    const repeated = await openBrowser(tradepost).post('/first-start', { ...FIELDS, token })
    expect([repeated.status, repeated.json.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('is refused with another token', async () => {
    const wrong = await openBrowser(tradepost).post('/first-start', { ...FIELDS, token: 'x' })
    expect([wrong.status, wrong.json.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('succeeds for one of two forms that are sent at the same moment', async () => {
    const token = (await startPath()).split('token=')[1]
    const answers = await Promise.all(
      ['mara@example.com', 'ada@example.com'].map((email) =>
        openBrowser(tradepost).post('/first-start', { ...FIELDS, email, token }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
  })
})
