import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditEventsSince, lastAuditId } from '../audited.ts'
import { PASSWORD, type SignedIn, signedIn } from '../browser-session.ts'
import type { Tradepost } from '../harness.ts'
import { openUnlimited } from './prepared-calls.ts'

// A page of the dashboard names its user, because another user may sign in in the same browser.

let tradepost: Tradepost
let owner: SignedIn

beforeAll(async () => {
  tradepost = await openUnlimited()
  owner = await signedIn(tradepost)
})
afterAll(() => tradepost.close())

/** The headers of a page of this user. */
const pageOf = (id: number | string) => ({ headers: { 'x-user-id': String(id) } })

test.each([
  [
    'of a store',
    () => ({ path: `/stores/${tradepost.live.id}/v1/categories`, body: { name: 'Games' } }),
  ],
  ['of a user', () => ({ path: '/step-up', body: { password: PASSWORD } })],
])(
  'a call %s that names another user than that of the session is refused, and changes nothing',
  async (_, callOf) => {
    const { path, body } = callOf()
    const before = await lastAuditId(tradepost)
    for (const id of [owner.id + 1, '', `${owner.id}x`]) {
      const { status, json } = await owner.post(path, body, pageOf(id))
      expect([status, json.code, json.details]).toEqual([
        401,
        'SIGN_IN_REQUIRED',
        { other_user: true },
      ])
    }
    expect(await auditEventsSince(tradepost, before)).toEqual([])
    expect((await owner.post(path, body, pageOf(owner.id))).status).toBeLessThan(300)
  },
)

test('a page of another user can sign in, and a call that names no user is accepted', async () => {
  const body = { email: owner.email, password: PASSWORD }
  expect((await owner.post('/sign-in', body, pageOf(owner.id + 1))).status).toBe(200)
  expect((await owner.get('/me')).status).toBe(200)
})
