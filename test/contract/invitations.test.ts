import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { selectStore } from '../../src/features/installation/stores/index.ts'
import { addUser, type Role } from '../../src/features/installation/users/index.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/time.ts'
import { openBrowser, PASSWORD, type SignedIn, signedIn } from '../browser-session.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'

// An invitation is worth what its author may do (decision 172).

let tradepost: Tradepost
let owner: SignedIn
let admin: SignedIn
let team: string
let invitations: string

beforeAll(async () => {
  tradepost = await openTradepost()
  team = `/stores/${tradepost.live.id}/team`
  invitations = `/stores/${tradepost.live.id}/invitations`
})
beforeEach(async () => {
  owner = await signedIn(tradepost)
  admin = await signedIn(tradepost, 'admin')
})
afterAll(() => tradepost.close())

const codeOf = ({ status, json }: { status: number; json: Json }) => json?.code ?? status

async function invite(author: SignedIn, email: string, role: Role = 'staff'): Promise<string> {
  const { json, text } = await author.post(invitations, { email, role })
  if (!json.url) throw new Error(text)
  return new URL(json.url).searchParams.get('token') ?? ''
}

const find = async (token: string) =>
  codeOf(await openBrowser(tradepost).post('/invitations/find', { token }))

const accept = async (token: string) => {
  const body = { token, name: 'Eve', password: PASSWORD }
  return codeOf(await openBrowser(tradepost).post('/invitations/accept', body))
}

async function changeByCommand({ email }: SignedIn, role: Role): Promise<void> {
  const store = await selectStore(tradepost.db, tradepost.live.id)
  if (!store) throw new Error('No such store.')
  await addUser(tradepost.app, store, { email, name: 'Sam', role })
}

describe('an invitation', () => {
  test.each([
    ['is removed', () => owner.delete(`${team}/${admin.id}`)],
    ['becomes staff', () => owner.patch(`${team}/${admin.id}`, { role: 'staff' })],
    ['becomes a viewer by a command', () => changeByCommand(admin, 'viewer')],
  ])('ends when its author %s', async (_, change) => {
    const email = `eve${admin.id}@x.org`
    const token = await invite(admin, email)
    expect(await find(token)).toBe(200)
    await change()
    expect(await find(token)).toBe('NOT_FOUND')
    expect(await accept(token)).toBe('NOT_FOUND')
    const { json } = await owner.get(invitations)
    expect(json.invitations.map((item: Json) => item.email)).not.toContain(email)
  })

  test('of an owner ends when its author becomes an admin, and the others of this author stay', async () => {
    const ownerToken = await invite(owner, 'boss@x.org', 'owner')
    const staffToken = await invite(owner, 'helper@x.org', 'staff')
    const successor = await signedIn(tradepost)
    expect((await successor.patch(`${team}/${owner.id}`, { role: 'admin' })).status).toBe(200)
    expect(await accept(ownerToken)).toBe('NOT_FOUND')
    expect(await accept(staffToken)).toBe(200)
  })

  test('stays if another user invited', async () => {
    const token = await invite(owner, 'friend@x.org')
    await owner.delete(`${team}/${admin.id}`)
    expect(await accept(token)).toBe(200)
  })
})

test('an address gets five invitations in an hour, and the sixth is refused for the rest of it', async () => {
  const email = 'often@x.org'
  for (let n = 0; n < 5; n++) await invite([owner, admin][n % 2] ?? owner, email)
  tradepost.forward(MINUTE_MS)
  const token = await invite(await signedIn(tradepost), 'seldom@x.org')
  owner = await signedIn(tradepost)
  const refused = await owner.post(invitations, { email: 'Often@x.org', role: 'staff' })
  expect(codeOf(refused)).toBe('RATE_LIMITED')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3_540)
  expect(await find(token)).toBe(200)
  tradepost.forward(HOUR_MS)
  expect(await find(await invite(await signedIn(tradepost), email))).toBe(200)
})
